// About what the second derivatives of a linear model's loss are, so that L-BFGS needs few steps.
// Internal to the learn stage.
#pragma once

#include "core/eigen_solvers.h"
#include "core/thread_pool.h"
#include "learn/layers.h"
#include "learn/targets_view.h"

namespace noiseplus {

// They are X^t D X, of the rows with a 1 appended for the bias, where D weighs each row by how
// undecided the model is about it: p (1 - p). Before there is a model, D is 1 / 4. For more than
// two classes one matrix, of the mean of p_c (1 - p_c), serves all outputs. Found from a sample of
// the rows, the same at any number of threads; wide rows have the diagonal of the first look only.
class Curvature {
 public:
  // Looks at the rows that have targets. Everything given must outlive the curvature.
  Curvature(MatrixView rows, TargetsView targets, ThreadPool& pool);

  // Looks again, at a model: far from the start, where most rows are decided, the first look is far
  // too large in most directions.
  void look(const PackedLayer& layer, TargetsView targets);

  // Back to the first look, for a training that starts from zero.
  void restart();

  // To be called before `divide`; does nothing when nothing has changed.
  void set_ridge(double ridge);

  // Divides a gradient of `outputs` outputs, laid out as in LinearObjective, by the curvature; by
  // its diagonal alone where rounding has left it without a factorization.
  void divide(Eigen::VectorXd& gradient, std::size_t outputs) const;

  bool is_wide() const;

 private:
  void sum(const PackedLayer* layer, TargetsView targets);

  MatrixView rows_;
  ThreadPool& pool_;
  Eigen::MatrixXd first_moments_;
  Eigen::MatrixXd moments_;    // of the sample, with the 1; one column, the diagonal, when wide
  std::vector<float> scales_;  // of the columns in moments_; empty: all are 1
  double ridge_ = -1;
  Eigen::LLT<Eigen::MatrixXd> factors_;
  Eigen::VectorXd diagonal_;
};

}  // namespace noiseplus
