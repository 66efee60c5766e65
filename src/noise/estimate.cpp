#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "noise/scores.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

// How far, in standard errors, neighbors must agree beyond chance before a ratio with that
// agreement as its denominator has a spread one can speak of; and how wide the gap's interval may
// be, to either side, before it says nothing.
constexpr double agreement_needed = 5;
constexpr double widest_half_interval = 0.5;
constexpr double min_anchors_of_a_class = 5;

// A rate this many standard errors outside [0, 1] is not chance but a broken assumption.
constexpr double outside_by_chance = 4;

// Beyond it a class would be named by its errors.
constexpr double largest_credible = 0.5;

double clamp_rate(double rate) {
  return std::clamp(rate, 0.0, 1.0);
}

EstimateWithInterval rate_with_interval(double rate, double half_width) {
  return {clamp_rate(rate), clamp_rate(rate - half_width), clamp_rate(rate + half_width)};
}

// Empty when the rates can be relied on, if neighbors share their clean label.
std::string why_unidentified(const MomentSolution& solution, const MomentErrors& errors,
                             double anchors) {
  if (!(solution.conditioning > agreement_needed * errors.chance)) {
    return "the labels of neighboring rows agree hardly more often than by chance. Use features "
           "that separate the classes, or more rows";
  }
  if (!solution.solvable || !(student_quantile(errors.degrees) * errors.s < widest_half_interval)) {
    return "the rows are too few for rates as noisy as these. Use more rows, or features that "
           "separate the classes better";
  }
  if (std::min(solution.prior, 1 - solution.prior) * anchors < min_anchors_of_a_class) {
    return "hardly a row seems to be truly of one of the classes. Use more rows of both";
  }
  return "";
}

void fill_unidentified(NoiseEstimate& estimate, const std::string& why) {
  for (EstimateWithInterval& rate : estimate.noise) rate = {rate.value, 0, 1};
  estimate.gap = {estimate.gap.value, -1, 1};
  estimate.warnings.push_back("not identified: " + why + "; the rates are not to be relied on");
}

void warn_of_doubtful_rates(NoiseEstimate& estimate, const std::vector<double>& rates,
                            const std::vector<double>& errors,
                            std::span<const std::string> class_names) {
  for (std::size_t c = 0; c < rates.size(); ++c) {
    if (rates[c] > largest_credible) {
      estimate.warnings.push_back("a rate above 50 % (class " + class_names[c] +
                                  ") is better explained by overlapping classes than by noise; no "
                                  "difference is claimed");
    }
    if (rates[c] < -outside_by_chance * errors[c]) {
      estimate.warnings.push_back("the rate of class " + class_names[c] +
                                  " came out below 0 by more than chance: neighboring rows do not "
                                  "share their clean label, so take the rates as rough");
    }
  }
}

void decide(NoiseEstimate& estimate, double signed_gap, const MomentErrors& errors, int positive,
            double significance) {
  const int higher = signed_gap > 0 ? 1 - positive : positive;  // s > 1: the positives are cleaner
  const double size = std::abs(signed_gap);
  const double error = errors.s;
  const double half_width = student_quantile(errors.degrees) * error;
  // The test is of the rates as solved; what is shown is the difference of those shown, in [0, 1].
  const double shown = std::abs(estimate.noise[1].value - estimate.noise[0].value);
  estimate.gap = {shown, std::min(size - half_width, shown), std::max(size + half_width, shown)};
  estimate.p_value = error > 0 ? student_p_value(size / error, errors.degrees) : (size > 0 ? 0 : 1);
  if (!estimate.identified) {
    estimate.p_value = 1;
  } else if (estimate.p_value < significance &&
             estimate.noise[static_cast<std::size_t>(higher)].value <= largest_credible) {
    estimate.noisier = higher;
    estimate.cleaner = 1 - higher;
  } else if (size > error) {
    estimate.leans = higher;
  }
}

}  // namespace

NoiseEstimate estimate_by_moments(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                                  std::span<const std::string> class_names,
                                  const MomentOptions& options, const Execution& execution) {
  if (graph.k < 2)
    throw Error(ErrorKind::usage, "the moments need three views: k must be 2 or more");
  if (class_names.size() != 2) throw Error(ErrorKind::usage, "the moments are for two classes");
  check_codes(codes, 2);
  check_class(options.positive, 2);
  check_number(options.significance, 0, 1, "the significance");
  check_that(graph.size() > 0, "the graph has no anchors; give neighbors of some rows");
  const ViewCounts views = count_views(graph, codes, options.positive);
  const PairCounts pairs = count_pairs(graph, codes, options.positive, execution);
  const Moments moments = moments_of(views.shares(), views.k, options.views);
  const MomentSolution solution = solve(moments);
  const MomentErrors errors = errors_of(moments, solution, views, pairs, options.views);
  const std::string doubt =
      why_unidentified(solution, errors, static_cast<double>(views.anchors()));

  const auto positive = static_cast<std::size_t>(options.positive);
  const std::size_t negative = 1 - positive;
  std::vector<double> rates(2);
  std::vector<double> rate_errors(2);
  rates[positive] = solution.e_positive;
  rates[negative] = solution.e_negative;
  rate_errors[positive] = errors.e_positive;
  rate_errors[negative] = errors.e_negative;

  NoiseEstimate estimate;
  estimate.estimator = "moments";
  estimate.warnings.push_back(
      "the rates hold if neighboring rows share their clean label; where the classes overlap, "
      "overlap "
      "is read as noise");
  estimate.conditioning = solution.conditioning;
  estimate.identified = doubt.empty();
  estimate.prior.resize(2);
  estimate.prior[positive] = clamp_rate(solution.solvable ? solution.prior : moments.m1);
  estimate.prior[negative] = 1 - estimate.prior[positive];
  estimate.transition.resize(4);
  for (std::size_t c = 0; c < 2; ++c) {
    estimate.noise.push_back(
        rate_with_interval(rates[c], student_quantile(errors.degrees) * rate_errors[c]));
    estimate.transition[c * 2 + c] = 1 - estimate.noise[c].value;
    estimate.transition[c * 2 + (1 - c)] = estimate.noise[c].value;
  }
  estimate.s = 1 + (positive == 1 ? 1 : -1) * (solution.s - 1);
  estimate.gap_shared = errors.shared;
  decide(estimate, solution.s - 1, errors, options.positive, options.significance);
  if (estimate.identified) {
    warn_of_doubtful_rates(estimate, rates, rate_errors, class_names);
  } else {
    fill_unidentified(estimate, doubt);
  }
  widen_narrow_intervals(estimate, graph.size());
  return estimate;
}

}  // namespace noiseplus
