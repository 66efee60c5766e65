// About what the second derivatives of a linear model's loss are, so that L-BFGS needs few steps.
// Internal to the learn stage.
#pragma once

#include <Eigen/Cholesky>

#include "noiseplus/util.h"
#include "util/thread_pool.h"

namespace noiseplus {

// For every output they are between 0 and X^t X / 4, of the rows with a 1 appended for the bias: a
// d x d matrix, whatever the labels. One serves all trainings on the same rows. Wide rows have the
// diagonal only.
class Curvature {
 public:
  // Looks at a sample of the rows, the same at any number of threads.
  Curvature(MatrixView rows, ThreadPool& pool);

  // To be called before `divide`; cheap enough to be called for each training.
  void set_ridge(double ridge);

  // Divides a gradient of `outputs` outputs, laid out as in LinearObjective, by the curvature.
  void divide(Eigen::VectorXd& gradient, std::size_t outputs) const;

 private:
  Eigen::MatrixXd moments_;  // of the sample, with the 1; one column, the diagonal, when wide
  double ridge_ = -1;
  Eigen::LLT<Eigen::MatrixXd> factors_;
  Eigen::VectorXd diagonal_;
};

}  // namespace noiseplus
