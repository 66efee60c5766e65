#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/intervals.h"
#include "core/portable_math.h"
#include "noise/latent_class/latent_class_errors.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

// As for the moments (estimate.cpp): how far beyond chance neighbors must agree, how wide an
// interval may be, to either side, before it says nothing, and how many rows a class must have.
constexpr double agreement_needed = 5;
constexpr double widest_half_interval = 0.5;
constexpr double min_anchors_of_a_class = 5;

class Judgment {
 public:
  Judgment(const LatentClassFit& fit, const RateErrors& errors, const ViewPatterns& patterns,
           std::span<const std::string> class_names, double significance)
      : fit_(fit),
        errors_(errors),
        patterns_(patterns),
        names_(class_names),
        significance_(significance),
        anchors_(static_cast<double>(patterns.of_set.size())) {}

  NoiseEstimate estimate();

 private:
  // A class cannot be known better than by all of its rows, each a trial of its own.
  double max_trials(std::size_t i) const { return std::max(errors_.rows * fit_.prior[i], 1.0); }
  // About how many independent view sets of the class there are, as in MomentErrors.
  double degrees(std::size_t i) const {
    return fit_.prior[i] * anchors_ * anchors_ / errors_.sharing;
  }
  EstimateWithInterval rate_of(std::size_t i) const;
  std::vector<double> agreements() const;
  std::string why_unknown(std::size_t i, double agreement) const;
  void judge();
  void compare();
  bool has_normal_tails(std::size_t a, std::size_t b) const;
  double errors_needed(std::size_t i, bool has_normal_tails, double normal) const;
  double p_value_of(double statistic, std::size_t a, std::size_t b) const;

  const LatentClassFit& fit_;
  const RateErrors& errors_;
  const ViewPatterns& patterns_;
  std::span<const std::string> names_;
  double significance_;
  double anchors_;
  NoiseEstimate estimate_;
};

// Wilson's, for as many trials as would have the same error: a rate near 0 has an interval to one
// side.
EstimateWithInterval Judgment::rate_of(std::size_t i) const {
  const double rate = std::clamp(1 - fit_.transition[i * (fit_.classes + 1)], 0.0, 1.0);
  const double variance = errors_.variance[i];
  const double trials =
      variance > 0 ? std::min(rate * (1 - rate) / variance, max_trials(i)) : max_trials(i);
  const EstimateWithInterval interval = wilson_interval(
      rate * trials, trials > 0 ? trials : max_trials(i), student_quantile(degrees(i)));
  return {rate, interval.low, interval.high};
}

// For each class, how much more often than by chance two views both have its label.
std::vector<double> Judgment::agreements() const {
  std::vector<double> pairs(fit_.classes);
  const auto views = static_cast<double>(patterns_.views);
  std::vector<double> singles(fit_.classes);
  for (std::size_t q = 0; q < patterns_.size(); ++q) {
    for (const ViewPatterns::Entry entry : patterns_.pattern(q)) {
      const double count = entry.count;
      singles[entry.label] += patterns_.sets[q] * count / views;
      pairs[entry.label] += patterns_.sets[q] * count * (count - 1) / (views * (views - 1));
    }
  }
  for (std::size_t i = 0; i < fit_.classes; ++i) {
    const double share = singles[i] / anchors_;
    pairs[i] = pairs[i] / anchors_ - share * share;
  }
  return pairs;
}

// Empty when the rate of the class can be relied on, if neighbors share their clean label.
std::string Judgment::why_unknown(std::size_t i, double agreement) const {
  const std::size_t classes = fit_.classes;
  if (fit_.prior[i] * anchors_ < min_anchors_of_a_class) {
    return "hardly a row seems to be truly of it. Use more of its rows";
  }
  const double* row = fit_.transition.data() + i * classes;
  for (std::size_t j = 0; j < classes; ++j) {
    if (j != i && row[j] >= row[i]) return "its rows are labeled " + names_[j] + " as often";
  }
  double share = 0;  // of the label
  for (std::size_t j = 0; j < classes; ++j)
    share += fit_.prior[j] * fit_.transition[j * classes + i];
  const auto views = static_cast<double>(patterns_.views);
  const double chance = share * (1 - share) * std::sqrt(errors_.common_row_pairs) /
                        (anchors_ * views * (views - 1) / 2);
  if (!(agreement > agreement_needed * chance)) {
    return "neighboring rows have this label together hardly more often than by chance. Use "
           "features that separate the classes, or more rows";
  }
  const EstimateWithInterval& rate = estimate_.noise[i];
  if (!(std::max(rate.high - rate.value, rate.value - rate.low) < widest_half_interval)) {
    return "the rows are too few for a rate as noisy as this. Use more rows, or features that "
           "separate the classes better";
  }
  return "";
}

void Judgment::judge() {
  const std::vector<double> agreement = agreements();
  estimate_.conditioning = *std::min_element(agreement.begin(), agreement.end());
  estimate_.identified = true;
  std::size_t unknown = 0;
  constexpr std::size_t max_named = 5;
  for (std::size_t i = 0; i < fit_.classes; ++i) {
    const std::string why = why_unknown(i, agreement[i]);
    if (why.empty()) continue;
    estimate_.identified = false;
    estimate_.noise[i].low = 0;
    estimate_.noise[i].high = 1;
    if (++unknown > max_named) continue;
    estimate_.warnings.push_back("not identified: class " + names_[i] + ": " + why +
                                 "; the rates are not to be relied on");
  }
  if (unknown > max_named) {
    estimate_.warnings.push_back("not identified: " + std::to_string(unknown - max_named) +
                                 " more classes");
  }
}

// What student_p_value finds as improbable as a normal statistic of this size.
double student_like(double normal, double degrees) {
  constexpr double min_degrees = 4;
  const double n = std::max(degrees, min_degrees);
  const double z = normal * (8 * n + 3) / (8 * n + 1);
  return std::sqrt(n * portable::expm1(z * z / n));
}

// Whether the errors of both classes are known so well that a normal distribution of them has the
// right tails far out, where many pairs are to be made up for. What counts are the rows against the
// square of the views, because so many view sets share a row. Measured on 10 to 100 classes that
// are equally noisy: with 1.9 times the square and more a difference is claimed in 10 of 500 cases;
// with 1.7 times in 12 of 100, with less in most (docs/estimators.md).
bool Judgment::has_normal_tails(std::size_t a, std::size_t b) const {
  constexpr double rows_a_pair_of_views = 1.9;
  constexpr double min_rows = 220;
  const auto views = static_cast<double>(patterns_.views);
  return std::min(max_trials(a), max_trials(b)) >=
         std::max(rows_a_pair_of_views * views * views, min_rows);
}

// How many errors away from 0 a difference with this class is beyond chance at 5 %, as one of so
// many pairs, where the errors of the other class are known no worse.
double Judgment::errors_needed(std::size_t i, bool has_normal_tails, double normal) const {
  return has_normal_tails ? normal / usual_quantile * student_quantile(degrees(i))
                          : student_like(normal, degrees(i));
}

double Judgment::p_value_of(double statistic, std::size_t a, std::size_t b) const {
  const double least = std::min(degrees(a), degrees(b));
  if (fit_.classes == 2 || !has_normal_tails(a, b)) return student_p_value(statistic, least);
  return portable::erfc(statistic * usual_quantile / student_quantile(least) / std::numbers::sqrt2);
}

// The interval of the gap holds for every pair of classes at once, and so for the largest
// difference; the p-value is that of the highest against the lowest rate among all pairs.
void Judgment::compare() {
  const std::size_t classes = fit_.classes;
  const double pairs = static_cast<double>(classes * (classes - 1)) / 2;
  std::size_t highest = 0, lowest = 0;
  for (std::size_t i = 1; i < classes; ++i) {
    if (estimate_.noise[i].value > estimate_.noise[highest].value) highest = i;
    if (estimate_.noise[i].value < estimate_.noise[lowest].value) lowest = i;
  }
  const double size = estimate_.noise[highest].value - estimate_.noise[lowest].value;
  estimate_.gap = {size, -1, size};
  const auto error_of = [&](std::size_t a, std::size_t b) {
    const double least = 1 / max_trials(a) / max_trials(a) + 1 / max_trials(b) / max_trials(b);
    return std::sqrt(std::max(errors_.variance_of(a, b), least));
  };
  // There are many pairs, and quantiles take long: of each class once.
  const double normal = two_sided_normal_quantile(.05 / pairs);
  std::vector<double> with_normal_tails, with_long_tails;
  for (std::size_t i = 0; i < classes; ++i) {
    with_normal_tails.push_back(errors_needed(i, true, normal));
    with_long_tails.push_back(errors_needed(i, false, normal));
  }
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const std::size_t worse = degrees(b) < degrees(a) ? b : a;
      const double needed =
          pairs == 1 || has_normal_tails(a, b) ? with_normal_tails[worse] : with_long_tails[worse];
      const double half = needed * error_of(a, b);
      const double between = std::abs(estimate_.noise[a].value - estimate_.noise[b].value);
      estimate_.gap.low = std::max(estimate_.gap.low, between - half);
      estimate_.gap.high = std::max(estimate_.gap.high, std::min(between + half, 1.0));
    }
  }
  estimate_.gap.low = std::min(estimate_.gap.low, size);
  if (!estimate_.identified || highest == lowest) return;

  const double error = error_of(highest, lowest);
  const double variance = errors_.variance_of(highest, lowest);
  const double alone = errors_.variance_alone_of(highest, lowest);
  estimate_.gap_shared = variance > alone ? 1 - alone / variance : 0;
  estimate_.p_value = std::min(1.0, pairs * p_value_of(size / error, highest, lowest));
  if (estimate_.p_value < significance_) {
    estimate_.noisier = static_cast<int>(highest);
    estimate_.cleaner = static_cast<int>(lowest);
  } else if (size > normal / usual_quantile * error) {
    estimate_.leans = static_cast<int>(highest);
  }
}

NoiseEstimate Judgment::estimate() {
  estimate_.estimator = "latent-class";
  estimate_.warnings.emplace_back(
      "the rates hold if neighboring rows share their clean label; where the classes overlap, "
      "overlap is read as noise");
  if (!fit_.converged) {
    estimate_.warnings.push_back("the latent classes had not settled after " +
                                 std::to_string(fit_.steps) + " steps; the rates are rough");
  }
  estimate_.prior = fit_.prior;
  estimate_.transition = fit_.transition;
  for (std::size_t i = 0; i < fit_.classes; ++i) estimate_.noise.push_back(rate_of(i));
  if (fit_.classes == 2) {
    estimate_.s = 1 - estimate_.noise[1].value + estimate_.noise[0].value;
  }
  judge();
  compare();
  if (!estimate_.identified) estimate_.gap = {estimate_.gap.value, -1, 1};
  return std::move(estimate_);
}

}  // namespace

NoiseEstimate estimate_by_latent_class(const NeighborGraph& graph,
                                       std::span<const std::int32_t> codes,
                                       std::span<const std::string> class_names,
                                       const LatentClassOptions& options,
                                       const Execution& execution) {
  const std::size_t classes = class_names.size();
  check_latent_class(graph, codes, classes, options);
  ThreadPool pool(execution.threads);
  const ViewPatterns patterns = find_patterns(graph, codes);
  const LatentClassFit fit = fit_patterns(patterns, codes, classes, options, pool,
                                          part_of(execution, "latent classes", 0, 1));
  const RateErrors errors = errors_of(fit, patterns, graph, codes.size(), pool, execution);
  NoiseEstimate estimate =
      Judgment(fit, errors, patterns, class_names, options.significance).estimate();
  widen_narrow_intervals(estimate, graph.size());
  return estimate;
}

}  // namespace noiseplus
