// The two likelihoods behind fit_curve, open to tests of their gradients. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
};

// What a fit reports to a meter: blocks of rows of each step, and of the few passes besides.
inline std::size_t steps_of(std::size_t rows, int most_steps) {
  return (static_cast<std::size_t>(most_steps) + 4) * (rows / RowBlocks::usual_rows + 1);
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
  std::vector<std::vector<double>> features_;  // standardised logits
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
  Eigen::VectorXd start() const;
  CurveResult fit();

 private:
  struct State {
    std::vector<double> weights, intercepts;
    std::vector<double> transition;  // T transposed: column y of T is where it is read, in a row
  };
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
