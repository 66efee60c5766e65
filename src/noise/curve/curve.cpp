#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/checks.h"
#include "core/intervals.h"
#include "core/portable_math.h"
#include "noise/curve/curve_fits.h"
#include "noise/curve/tail_limits.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

// A sandwich takes scores as given. Learnt from these very labels they vary with them: measured
// errors are .93 to 1.06 times a sandwich's with a linear model's scores, .9 to 1.1 with votes.
constexpr double widening = 1.05;

// Labels that tell the classes apart less than this tell nothing; nor does an error this large.
constexpr double min_kept = .05;
constexpr double largest_error = .2;

// What the scores must tell of all labels together, in natural logarithms, for each class but one:
// five standard deviations of what scores that tell nothing seem to tell.
constexpr double min_gain = 12.5;

void check(std::span<const MatrixView> scores, std::span<const std::int32_t> codes,
           const CurveOptions& options) {
  constexpr double any = std::numeric_limits<double>::max();
  check_number(options.ridge, 0, any, "the ridge of the curve");
  check_number(options.tolerance, 0, any, "the tolerance of the curve");
  check_that(options.max_steps >= 0, "curve: the number of steps must be 0 or above");
  if (scores.empty()) throw Error(ErrorKind::usage, "curve: scores are needed");
  for (const MatrixView& matrix : scores) {
    check_scores("curve", matrix, codes);
    if (matrix.columns != scores.front().columns) {
      throw Error(ErrorKind::usage, "curve: all scores must be of the same classes");
    }
  }
}

std::vector<double> column_means(MatrixView matrix) {
  std::vector<double> means(matrix.columns);
  for (std::size_t n = 0; n < matrix.rows; ++n) {
    for (std::size_t j = 0; j < matrix.columns; ++j) means[j] += matrix.row(n)[j];
  }
  for (double& mean : means) mean /= static_cast<double>(matrix.rows);
  return means;
}

// The difference of two rates. Some pair is too far apart by chance more often than a given one, so
// that the lower end is at a level that holds for all of them. The upper end is too low only if
// that of the pair that truly is farthest apart is: it needs no such care.
void compare(const CurveFit& fit, NoiseEstimate& estimate) {
  const std::size_t classes = estimate.noise.size();
  const double pairs = static_cast<double>(classes) * static_cast<double>(classes - 1) / 2;
  const double quantile = two_sided_normal_quantile(significance / pairs);
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double gap = std::abs(estimate.noise[a].value - estimate.noise[b].value);
      const double error = fit.error_of_gap(a, b);
      estimate.gap.value = std::max(estimate.gap.value, gap);
      estimate.gap.low = std::max(estimate.gap.low, gap - quantile * error);
      estimate.gap.high = std::max(estimate.gap.high, std::min(gap + usual_quantile * error, 1.0));
      if (!(error > 0)) continue;
      const double p = portable::erfc(gap / error / std::numbers::sqrt2);
      estimate.p_value = std::min(estimate.p_value, pairs * p);
    }
  }
}

// Of labels that are drawn by their shares, whatever the row.
double log_likelihood_of(const std::vector<double>& shares) {
  double sum = 0;
  for (const double share : shares) sum += share > 0 ? share * portable::log(share) : 0;
  return sum;
}

void judge(const CurveFit& fit, const CurveResult& result, const std::vector<double>& shares,
           std::span<const std::string> class_names, NoiseEstimate& estimate) {
  const std::size_t classes = estimate.noise.size();
  estimate.identified = true;
  double kept = -1;
  for (const EstimateWithInterval& rate : estimate.noise) kept += 1 - rate.value;
  const auto rows = static_cast<double>(fit.posterior.rows());
  const double gain = rows * (fit.log_likelihood - log_likelihood_of(shares));
  if (kept / static_cast<double>(classes - 1) < min_kept ||
      !(gain > min_gain * static_cast<double>(classes - 1)) || result.turned) {
    estimate.identified = false;
    estimate.warnings.emplace_back(
        "not identified: the labels hardly depend on the scores; the rates are not to be relied "
        "on");
  }
  for (std::size_t i = 0; i < classes; ++i) {
    // With fewer rows than pseudo-counts a rate is of their making.
    const bool has_rows =
        classes == 2 ||
        rows * estimate.prior[i] >= ManyClassCurve::pseudo_count * static_cast<double>(classes);
    if (has_rows && fit.standard_errors[i] <= largest_error) continue;
    estimate.identified = false;
    estimate.warnings.push_back("not identified: class " + class_name(class_names, i) +
                                ": too few rows show where its scores level off; the rates are "
                                "not to be relied on");
  }
  if (!result.converged) {
    estimate.warnings.emplace_back("the curve had not quite settled when the fit was stopped");
  }
  estimate.warnings.emplace_back(
      "the rates are where the curve of labels over scores levels off: a class without rows that "
      "are surely its own has a rate that is too high, which the intervals do not cover");
}

}  // namespace

double CurveFit::error_of_gap(std::size_t a, std::size_t b) const {
  const std::size_t classes = standard_errors.size();
  check_class(static_cast<std::int64_t>(a), classes, "the first class");
  check_class(static_cast<std::int64_t>(b), classes, "the second class");
  check_square(covariance.size(), classes, 1, "the covariance of rates");
  const double both = covariance[a * classes + b];
  const double variance = covariance[a * (classes + 1)] + covariance[b * (classes + 1)] - 2 * both;
  return std::sqrt(std::max(variance, 0.0));
}

CurveFit fit_curve(std::span<const MatrixView> scores, std::span<const std::int32_t> codes,
                   std::span<const std::string> class_names, const CurveOptions& options,
                   const Execution& execution) {
  check(scores, codes, options);
  ThreadPool pool(execution.threads);
  const std::size_t classes = scores.front().columns;
  CurveResult result = classes == 2 ? TwoClassCurve(scores, codes, options, pool, execution).fit()
                                    : ManyClassCurve(scores, codes, options, pool, execution).fit();
  CurveFit fit;
  fit.posterior = std::move(result.posterior);
  fit.log_likelihood = result.log_likelihood;
  result.covariance *= widening * widening;
  fit.covariance.assign(result.covariance.data(),
                        result.covariance.data() + result.covariance.size());
  for (const double variance : result.covariance.diagonal()) {
    fit.standard_errors.push_back(std::sqrt(std::max(variance, 0.0)));
  }
  fit.estimate.estimator = "curve";
  fit.estimate.prior = column_means(fit.posterior.view());
  fit.estimate.transition = result.transition;
  for (std::size_t i = 0; i < classes; ++i) {
    const double rate = std::clamp(1 - result.transition[i * classes + i], 0.0, 1.0);
    const double half = usual_quantile * fit.standard_errors[i];
    fit.estimate.noise.push_back({rate, std::max(rate - half, 0.0), std::min(rate + half, 1.0)});
  }
  fit.upper_limits = tail_limits(fit.posterior.view(), codes, fit.estimate.prior);
  compare(fit, fit.estimate);
  widen_narrow_intervals(fit.estimate, codes.size());
  judge(fit, result, label_shares(codes, classes), class_names, fit.estimate);
  fill_two_class_terms(fit.estimate);
  if (fit.estimate.identified && fit.estimate.p_value < significance) {
    fit.estimate.leans = noisiest_class(fit.estimate);
  }
  return fit;
}

}  // namespace noiseplus
