// The two likelihoods behind fit_curve, open to tests of their gradients. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/eigen_solvers.h"
#include "learn/lbfgs.h"
#include "noise/row_blocks.h"
#include "noiseplus/noise.h"

namespace noiseplus {

// What either fit gives to fit_curve. Rates of class i are 1 - T[i][i].
struct CurveResult {
  std::vector<double> transition;
  Eigen::MatrixXd covariance;  // of the rates
  Matrix posterior;
  bool converged = false;
  double log_likelihood = 0;
  bool turned = false;  // labels are rarer where every score is higher
};

// What a fit reports to a meter: blocks of rows of each step, and of the few passes besides.
inline std::size_t steps_of(std::size_t rows, int max_steps) {
  return (static_cast<std::size_t>(max_steps) + 4) * (rows / RowBlocks::usual_rows + 1);
}

// Two classes. Parameters: one weight a feature, the intercept, and theta of e+ and of e-, with e =
// top_rate * sigmoid(theta).
class TwoClassCurve {
 public:
  static constexpr double top_rate = .6;

  // scores: the n x 2 matrices of fit_curve; `codes` 0 or 1.
  TwoClassCurve(std::span<const MatrixView> scores, std::span<const std::int32_t> codes,
                const CurveOptions& options, ThreadPool& pool, const Execution& execution);

  Eigen::Index parameters() const { return features() + 3; }
  // Mean negative log likelihood, and its gradient.
  double value(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const;
  CurveResult fit();

 private:
  // The clean posterior and the rates that parameters stand for.
  struct State {
    Eigen::VectorXd x;
    double e_positive, e_negative;
    double kept() const { return 1 - e_positive - e_negative; }
  };
  State state_of(const Eigen::VectorXd& x) const;
  void posterior(const State& state, std::size_t begin, std::size_t end, double* h) const;
  Eigen::MatrixXd covariance(const State& state) const;
  Eigen::Index features() const { return static_cast<Eigen::Index>(features_.size()); }

  std::span<const std::int32_t> codes_;
  CurveOptions options_;
  std::vector<std::vector<double>> features_;  // standardized logits
  ProgressMeter meter_;
  RowBlocks blocks_;
};

// K classes. Parameters: the logarithm of one weight a feature, K intercepts, and K x K logits of
// T.
class ManyClassCurve {
 public:
  static constexpr double pseudo_count = 1;  // of each cell of T

  ManyClassCurve(std::span<const MatrixView> scores, std::span<const std::int32_t> codes,
                 const CurveOptions& options, ThreadPool& pool, const Execution& execution);

  Eigen::Index parameters() const;
  double value(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const;
  Eigen::VectorXd start(std::size_t which = 0) const;
  CurveResult fit();

 private:
  struct State {
    std::vector<double> weights, intercepts;
    std::vector<double> transition;  // T transposed: column y of T is where it is read, in a row
  };
  // Some of the rows, for a first search.
  struct Sample {
    std::vector<std::int32_t> codes;
    std::vector<Matrix> logs;
  };
  Sample every(std::size_t step) const;
  // Of these rows only; both must outlive it. Reports no progress.
  ManyClassCurve(const ManyClassCurve& whole, const Sample& sample);

  Minimum search(Eigen::VectorXd& x, const Eigen::LLT<Eigen::MatrixXd>* curvature) const;
  Minimum search_from_all_starts(Eigen::VectorXd& x) const;
  Minimum search_in_two(Eigen::VectorXd& x) const;
  void slopes_of_row(const State& state, std::size_t n, Eigen::VectorXd& slopes) const;
  // About the second derivatives: the mean product of the rows' derivatives.
  Eigen::LLT<Eigen::MatrixXd> curvature(const Eigen::VectorXd& x) const;

  State state_of(const Eigen::VectorXd& x) const;
  // Posteriors of the rows, K each, into h.
  void posterior(const State& state, std::size_t begin, std::size_t end, double* h) const;
  void add_gradient(const State& state, std::size_t begin, std::size_t end,
                    Eigen::VectorXd& sums) const;
  Eigen::MatrixXd covariance(const State& state);

  std::span<const std::int32_t> codes_;
  CurveOptions options_;
  std::size_t classes_ = 0;
  std::vector<Matrix> logs_;
  ThreadPool& pool_;
  ProgressMeter meter_;
  RowBlocks blocks_;
};

}  // namespace noiseplus
