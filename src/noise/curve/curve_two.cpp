#include <algorithm>
#include <cmath>

#include "core/eigen_solvers.h"
#include "core/portable_math.h"
#include "noise/curve/curve_fits.h"

namespace noiseplus {
namespace {

constexpr double starts[] = {.1, .3, .02};  // of both rates
constexpr double score_clip = 1e-3;         // a model is never surer than this
constexpr double label_clip = 1e-7;         // nor is the fit, of a label
constexpr double error_clip = 1e-5;

// Logits of the scores of class 1, with mean 0 and spread 1.
std::vector<double> standardized_logits(MatrixView scores) {
  std::vector<double> logits(scores.rows);
  double sum = 0, squares = 0;
  for (std::size_t n = 0; n < logits.size(); ++n) {
    const double score = std::clamp<double>(scores.row(n)[1], score_clip, 1 - score_clip);
    sum += logits[n] = portable::log(score / (1 - score));
  }
  const auto rows = static_cast<double>(logits.size());
  for (const double logit : logits) squares += (logit - sum / rows) * (logit - sum / rows);
  const double spread = std::max(std::sqrt(squares / rows), 1e-9);
  for (double& logit : logits) logit = (logit - sum / rows) / spread;
  return logits;
}

Eigen::MatrixXd pseudo_inverse(const Eigen::MatrixXd& symmetric) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(symmetric);
  const Eigen::VectorXd& values = solver.eigenvalues();
  const double smallest = 1e-15 * values.cwiseAbs().maxCoeff();
  Eigen::VectorXd inverse(values.size());
  for (Eigen::Index i = 0; i < values.size(); ++i) {
    inverse[i] = std::abs(values[i]) > smallest ? 1 / values[i] : 0;
  }
  return solver.eigenvectors() * inverse.asDiagonal() * solver.eigenvectors().transpose();
}

}  // namespace

TwoClassCurve::TwoClassCurve(std::span<const MatrixView> scores,
                             std::span<const std::int32_t> codes, const CurveOptions& options,
                             ThreadPool& pool, const Execution& execution)
    : codes_(codes),
      options_(options),
      meter_(execution, "curve", std::size(starts) * steps_of(codes.size(), options.max_steps)),
      blocks_(pool, codes.size()) {
  blocks_.report_to(meter_);
  for (const MatrixView& matrix : scores) features_.push_back(standardized_logits(matrix));
}

TwoClassCurve::State TwoClassCurve::state_of(const Eigen::VectorXd& x) const {
  return {x, top_rate * sigmoid(x[features() + 1]), top_rate * sigmoid(x[features() + 2])};
}

void TwoClassCurve::posterior(const State& state, std::size_t begin, std::size_t end,
                              double* h) const {
  const std::size_t count = end - begin;
  std::fill(h, h + count, state.x[features()]);
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const double weight = state.x[static_cast<Eigen::Index>(f)];
    const double* feature = features_[f].data() + begin;
    for (std::size_t i = 0; i < count; ++i) h[i] += weight * feature[i];
  }
  for (std::size_t i = 0; i < count; ++i) h[i] = sigmoid(h[i]);
}

double TwoClassCurve::value(const Eigen::VectorXd& x, Eigen::VectorXd& gradient) const {
  const State state = state_of(x);
  const Eigen::Index weights = features();
  // The sums are laid out as the gradient is, with the log likelihood behind them.
  const Eigen::VectorXd sums = blocks_.sum(
      parameters() + 1, [&](std::size_t begin, std::size_t end, Eigen::VectorXd& total) {
        std::vector<double> h(end - begin), slopes(end - begin);
        posterior(state, begin, end, h.data());
        LogSum likelihood;
        double of_positive = 0, of_negative = 0, of_intercept = 0;
        for (std::size_t i = 0; i < h.size(); ++i) {
          const double label = codes_[begin + i] == 1 ? 1 : 0;
          const double one = std::clamp(state.e_negative + state.kept() * h[i], label_clip,  //
                                        1 - label_clip);
          const double probability = label == 1 ? one : 1 - one;
          const double residual = (2 * label - 1) / probability;
          likelihood.add(probability);
          slopes[i] = residual * state.kept() * h[i] * (1 - h[i]);
          of_positive += residual * h[i];
          of_negative += residual * (1 - h[i]);
          of_intercept += slopes[i];
        }
        for (std::size_t f = 0; f < features_.size(); ++f) {
          const double* feature = features_[f].data() + begin;
          double sum = 0;
          for (std::size_t i = 0; i < slopes.size(); ++i) sum += slopes[i] * feature[i];
          total[static_cast<Eigen::Index>(f)] += sum;
        }
        total[weights] += of_intercept;
        total[weights + 1] += of_positive;
        total[weights + 2] += of_negative;
        total[weights + 3] += likelihood.sum();
      });
  const auto rows = static_cast<double>(codes_.size());
  gradient = -sums.head(parameters()) / rows;
  gradient.head(weights) += options_.ridge / rows * x.head(weights);
  gradient[weights + 1] *= -state.e_positive * (1 - state.e_positive / top_rate);
  gradient[weights + 2] *= state.e_negative * (1 - state.e_negative / top_rate);
  return -sums[weights + 3] / rows + options_.ridge / rows / 2 * x.head(weights).squaredNorm();
}

// Of (e+, e-, weights, intercept): what holds even where the curve is not quite of this shape
// (Huber 1967).
Eigen::MatrixXd TwoClassCurve::covariance(const State& state) const {
  const Eigen::Index size = features() + 3;
  const Eigen::VectorXd sums =
      blocks_.sum(2 * size * size, [&](std::size_t begin, std::size_t end, Eigen::VectorXd& total) {
        std::vector<double> h(end - begin);
        posterior(state, begin, end, h.data());
        Eigen::Map<Eigen::MatrixXd> information(total.data(), size, size);
        Eigen::Map<Eigen::MatrixXd> spread(total.data() + size * size, size, size);
        Eigen::VectorXd slope(size);
        for (std::size_t i = 0; i < h.size(); ++i) {
          const double one = std::clamp(state.e_negative + state.kept() * h[i], error_clip,  //
                                        1 - error_clip);
          const double variance = one * (1 - one);
          const double residual = ((codes_[begin + i] == 1 ? 1 : 0) - one) / variance;
          slope.setConstant(state.kept() * h[i] * (1 - h[i]));
          slope[0] = -h[i];
          slope[1] = 1 - h[i];
          for (std::size_t f = 0; f < features_.size(); ++f) {
            slope[static_cast<Eigen::Index>(f) + 2] *= features_[f][begin + i];
          }
          information.noalias() += slope * slope.transpose() / variance;
          spread.noalias() += residual * residual * slope * slope.transpose();
        }
      });
  Eigen::MatrixXd information = Eigen::Map<const Eigen::MatrixXd>(sums.data(), size, size);
  for (Eigen::Index f = 0; f < features(); ++f) information(f + 2, f + 2) += options_.ridge;
  const Eigen::MatrixXd bread = pseudo_inverse(information);
  return bread * Eigen::Map<const Eigen::MatrixXd>(sums.data() + size * size, size, size) * bread;
}

CurveResult TwoClassCurve::fit() {
  const Objective objective = [this](const Eigen::VectorXd& x, Eigen::VectorXd& gradient) {
    return value(x, gradient);
  };
  Eigen::VectorXd best;
  Minimum lowest;
  for (const double rate : starts) {
    Eigen::VectorXd x = Eigen::VectorXd::Zero(parameters());
    x.tail(2).setConstant(portable::log(rate / top_rate / (1 - rate / top_rate)));
    LbfgsOptions search;
    search.max_steps = options_.max_steps;
    search.tolerance = options_.tolerance;
    const Minimum minimum = minimize(objective, x, search);
    if (best.size() > 0 && !(minimum.value < lowest.value)) continue;
    best = x;
    lowest = minimum;
  }
  const State state = state_of(best);
  const Eigen::MatrixXd errors = covariance(state);
  CurveResult result;
  result.converged = lowest.converged;
  result.log_likelihood = -lowest.value;
  result.turned = (best.head(features()).array() < 0).all();
  result.transition = {1 - state.e_negative, state.e_negative, state.e_positive,
                       1 - state.e_positive};
  result.covariance = errors.topLeftCorner(2, 2).reverse();  // e- is the rate of class 0
  result.posterior = Matrix(codes_.size(), 2);
  blocks_.for_each([&](std::size_t begin, std::size_t end) {
    std::vector<double> h(end - begin);
    posterior(state, begin, end, h.data());
    for (std::size_t i = 0; i < h.size(); ++i) {
      result.posterior.row(begin + i)[0] = static_cast<float>(1 - h[i]);
      result.posterior.row(begin + i)[1] = static_cast<float>(h[i]);
    }
  });
  meter_.finish();
  return result;
}

}  // namespace noiseplus
