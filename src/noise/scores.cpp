#include "noise/scores.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/checks.h"
#include "core/eigen_solvers.h"
#include "core/intervals.h"
#include "core/portable_math.h"

namespace noiseplus {
namespace {

// A pivot smaller than this share of the largest: singular for all that data can tell.
constexpr double smallest_pivot = 1e-6;

// Two-sided p-value of "both rates are equal", by the score test.
double pair_p_value(const EstimateWithInterval& a, double rows_a, const EstimateWithInterval& b,
                    double rows_b) {
  if (!(rows_a > 0 && rows_b > 0)) return 1;
  const double pooled = (a.value * rows_a + b.value * rows_b) / (rows_a + rows_b);
  const double variance = pooled * (1 - pooled) * (1 / rows_a + 1 / rows_b);
  if (!(variance > 0)) return 1;
  return portable::erfc(std::abs(a.value - b.value) / std::sqrt(variance) / std::numbers::sqrt2);
}

}  // namespace

void check_scores(const std::string& who, MatrixView scores, std::span<const std::int32_t> codes) {
  if (codes.size() != scores.rows || codes.empty()) {
    throw Error(ErrorKind::usage, who + ": " + std::to_string(codes.size()) + " labels for " +
                                      std::to_string(scores.rows) + " rows of scores");
  }
  if (scores.columns < 2) {
    throw Error(ErrorKind::usage, who + ": scores of two or more classes are needed");
  }
  check_view(scores, "the scores");
  check_class_count(scores.columns);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    if (codes[n] < 0 || static_cast<std::size_t>(codes[n]) >= scores.columns) {
      throw Error(ErrorKind::usage, who + ": the label code of row " + std::to_string(n + 1) +
                                        " is not one of the classes");
    }
    const float* row = scores.row(n);
    const auto is_probability = [](float p) { return p >= 0 && p <= 1; };
    if (!std::all_of(row, row + scores.columns, is_probability)) {
      throw Error(ErrorKind::data, who + ": row " + std::to_string(n + 1) +
                                       " holds a score that is not within 0 to 1");
    }
  }
}

Matrix logarithms(MatrixView scores, double least) {
  Matrix logs(scores.rows, scores.columns);
  for (std::size_t n = 0; n < scores.rows; ++n) {
    for (std::size_t j = 0; j < scores.columns; ++j) {
      const double score = scores.row(n)[j];
      logs.row(n)[j] = static_cast<float>(portable::log(std::max(score, least)));
    }
  }
  return logs;
}

std::vector<std::size_t> count_labels(std::span<const std::int32_t> codes, std::size_t classes) {
  std::vector<std::size_t> rows(classes);
  for (const std::int32_t code : codes) ++rows[static_cast<std::size_t>(code)];
  return rows;
}

std::vector<double> label_shares(std::span<const std::int32_t> codes, std::size_t classes) {
  std::vector<double> shares(classes);
  for (const std::int32_t code : codes) ++shares[static_cast<std::size_t>(code)];
  for (double& share : shares) share /= static_cast<double>(codes.size());
  return shares;
}

std::vector<double> prior_behind(const std::vector<double>& transition,
                                 const std::vector<double>& shares) {
  const auto classes = static_cast<Eigen::Index>(shares.size());
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const RowMajor> t(transition.data(), classes, classes);
  const Eigen::Map<const Eigen::VectorXd> q(shares.data(), classes);
  Eigen::FullPivLU<Eigen::MatrixXd> solver(t.transpose());
  solver.setThreshold(smallest_pivot);
  if (!solver.isInvertible()) return {};
  const Eigen::VectorXd solved = solver.solve(q);
  std::vector<double> prior(shares.size());
  double sum = 0;
  for (std::size_t i = 0; i < prior.size(); ++i) {
    sum += prior[i] = std::clamp(solved[static_cast<Eigen::Index>(i)], 0.0, 1.0);
  }
  if (!(sum > 0)) return {};
  for (double& p : prior) p /= sum;
  return prior;
}

std::string class_name(std::span<const std::string> class_names, std::size_t code) {
  return code < class_names.size() ? class_names[code] : std::to_string(code);
}

// The interval of the gap is that of the largest difference: see learn/violation.cpp.
void compare_shares(const std::vector<double>& rows, NoiseEstimate& estimate) {
  const std::size_t classes = rows.size();
  const double pairs = static_cast<double>(classes) * static_cast<double>(classes - 1) / 2;
  if (classes < 2) return;
  const double quantile = two_sided_normal_quantile(significance / pairs);
  std::vector<EstimateWithInterval> wide;
  for (std::size_t i = 0; i < classes; ++i) {
    wide.push_back(wilson_interval(estimate.noise[i].value * rows[i], rows[i], quantile));
  }
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const EstimateWithInterval difference = absolute(newcombe_interval(wide[a], wide[b]));
      estimate.gap.value =
          std::max(estimate.gap.value, std::abs(estimate.noise[a].value - estimate.noise[b].value));
      estimate.gap.low = std::max(estimate.gap.low, difference.low);
      estimate.gap.high = std::max(estimate.gap.high, std::min(difference.high, 1.0));
      const double p = pair_p_value(estimate.noise[a], rows[a], estimate.noise[b], rows[b]);
      estimate.p_value = std::min(estimate.p_value, pairs * p);
    }
  }
}

void fill_two_class_terms(NoiseEstimate& estimate) {
  if (estimate.noise.size() != 2) return;
  const double kept = 1 - estimate.noise[0].value - estimate.noise[1].value;
  estimate.s = 1 - estimate.noise[1].value + estimate.noise[0].value;
  estimate.conditioning = estimate.prior[0] * estimate.prior[1] * kept * kept;
}

void widen_narrow_intervals(NoiseEstimate& estimate, std::size_t rows) {
  double widest = 0;
  for (std::size_t i = 0; i < estimate.noise.size(); ++i) {
    EstimateWithInterval& rate = estimate.noise[i];
    const double least = rule_of_three(estimate.prior[i] * static_cast<double>(rows));
    if (rate.value < least || rate.value > 1 - least) widest = std::max(widest, least);
    rate.high = std::max(rate.high, least);
    rate.low = std::min(rate.low, 1 - least);
  }
  estimate.gap.high =
      std::max(estimate.gap.high, widest > 0 ? std::min(estimate.gap.value + widest, 1.0) : -1.0);
}

void widen_narrow_interval(EstimateWithInterval& share, std::size_t rows) {
  const double min_high = share.low > 0 ? 0 : rule_of_three(static_cast<double>(rows));
  share.high = std::clamp(std::max(share.high, min_high), share.value, 1.0);
}

int noisiest_class(const NoiseEstimate& estimate) {
  const auto noisiest =
      std::max_element(estimate.noise.begin(), estimate.noise.end(),
                       [](const EstimateWithInterval& a, const EstimateWithInterval& b) {
                         return a.value < b.value;
                       });
  return static_cast<int>(noisiest - estimate.noise.begin());
}

}  // namespace noiseplus
