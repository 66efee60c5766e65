#include <algorithm>

#include "core/checks.h"
#include "core/intervals.h"
#include "core/portable_math.h"
#include "fair/cells.h"
#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

// The rows of each cell, and how many of them are called positive.
struct Counted {
  Cells cells;
  std::vector<double> positive;
};

Counted count(const Evaluation& evaluation) {
  std::vector<std::int64_t> rows;
  std::vector<double> positive;
  for (const GroupQuality& group : evaluation.groups) {
    for (const std::size_t code : {1 - evaluation.positive, evaluation.positive}) {
      rows.push_back(group.confusion.rows_of(code));
      positive.push_back(group.confusion.counts[code * 2 + evaluation.positive]);
    }
  }
  return {Cells(std::move(rows)), std::move(positive)};
}

// No rate counted on so many rows is known to be exactly 0 or 1.
EstimateWithInterval around(double value, double spread, double least) {
  const auto rate = [](double x) { return std::clamp(x, 0.0, 1.0); };
  return {rate(value), std::min(rate(value - usual_quantile * spread), 1 - least),
          std::max(rate(value + usual_quantile * spread), least)};
}

// `least`, for the rows of a group with one label.
double least_rate(std::int64_t rows) {
  constexpr double max_least = .5;
  return std::min(rule_of_three(static_cast<double>(rows)), max_least);
}

// Widened for the number of comparisons, as in Evaluation.
EstimateWithInterval largest_difference(const std::vector<std::vector<double>>& values,
                                        const std::vector<std::vector<double>>& spreads) {
  const auto groups = static_cast<double>(values.front().size());
  const double pairs = static_cast<double>(values.size()) * groups * (groups - 1) / 2;
  const double quantile = two_sided_normal_quantile(significance / std::max(pairs, 1.0));
  EstimateWithInterval largest;
  for (std::size_t r = 0; r < values.size(); ++r) {
    for (std::size_t a = 0; a < values[r].size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const double difference = values[r][a] - values[r][b];
        const double error = quantile * portable::hypot(spreads[r][a], spreads[r][b]);
        const EstimateWithInterval size =
            absolute({difference, difference - error, difference + error});
        largest = {std::max(largest.value, size.value), std::max(largest.low, size.low),
                   std::max(largest.high, size.high)};
      }
    }
  }
  const auto share = [](double x) { return std::min(x, 1.0); };
  return {share(largest.value), share(largest.low), share(largest.high)};
}

bool has_one_rate(LabelNoise noise) {
  return noise.negative == noise.positive && noise.positive < 0.5;
}

// What training accounted for; nothing where the group was not there.
std::optional<LabelNoise> assumed_noise(const FairnessMetadata& promise, const std::string& group) {
  const auto found = std::find(promise.groups.begin(), promise.groups.end(), group);
  if (found == promise.groups.end()) return std::nullopt;
  if (promise.negative_noise.empty()) return LabelNoise{};
  const auto z = static_cast<std::size_t>(found - promise.groups.begin());
  return LabelNoise{promise.negative_noise[z], promise.positive_noise[z]};
}

std::optional<double> bound_of(const Evaluation& evaluation, std::span<const LabelNoise> noise,
                               const FairnessMetadata& promise) {
  std::vector<MisjudgedGroup> groups;
  for (std::size_t z = 0; z < noise.size(); ++z) {
    const GroupQuality& group = evaluation.groups[z];
    const std::optional<LabelNoise> assumed = assumed_noise(promise, group.group);
    if (!assumed || !has_one_rate(*assumed) || !has_one_rate(noise[z])) return std::nullopt;
    if (!group.tpr || !group.fpr) return std::nullopt;
    groups.push_back({{group.tpr->value, group.fpr->value}, noise[z].positive, assumed->positive});
  }
  double bound = 0;
  for (const MisjudgedGroup& first : groups) {
    for (const MisjudgedGroup& second : groups) {
      bound = std::max(bound, violation_bound(first, second));
    }
  }
  return bound;
}

}  // namespace

CleanFairness clean_fairness(const Evaluation& evaluation, std::span<const LabelNoise> noise,
                             const std::optional<FairnessMetadata>& promise) {
  if (evaluation.classes.size() != 2 || noise.size() != evaluation.groups.size()) {
    throw Error(ErrorKind::usage,
                "rates by clean labels need two classes, and noise for each group");
  }
  check_that(evaluation.positive < 2, "the positive class of the evaluation is not there");
  check_that(!evaluation.groups.empty(), "rates by clean labels need groups");
  for (const GroupQuality& group : evaluation.groups) {
    check_that(group.confusion.classes == 2 && group.confusion.class_rows.size() == 2 &&
                   group.confusion.counts.size() == 4,
               "a confusion of the evaluation is not of its classes");
    check_that(group.confusion.rows() > 0, "a group of the evaluation has no rows");
  }
  for (const LabelNoise& of_group : noise) {
    check_number(of_group.negative, 0, 1, "the noise of negatives, e-,");
    check_number(of_group.positive, 0, 1, "the noise of positives, e+,");
  }
  if (promise) {
    const std::size_t rates = promise->negative_noise.size();
    check_that(
        promise->positive_noise.size() == rates && (rates == 0 || rates == promise->groups.size()),
        "the promise does not have two rates of noise for each group");
  }
  FairOptions options;
  options.noise.assign(noise.begin(), noise.end());
  options.positive = evaluation.positive;
  for (const GroupQuality& group : evaluation.groups) options.group_names.push_back(group.group);
  const Counted counted = count(evaluation);
  const std::vector<ComparedRate> rates =
      compared_rates(counted.cells, options, evaluation.classes);
  // Rates are those of positives and of negatives.
  const auto least = [&](std::size_t r, std::size_t z) {
    return least_rate(counted.cells.rows[2 * z + (r == 0 ? 1 : 0)]);
  };
  std::vector<std::vector<double>> values, spreads;
  for (std::size_t r = 0; r < rates.size(); ++r) {
    const ComparedRate& rate = rates[r];
    values.push_back(rate.values(counted.positive));
    spreads.emplace_back();
    for (std::size_t z = 0; z < noise.size(); ++z) {
      const double spread = spread_of(counted.cells, options, rate.name, z, counted.positive);
      spreads.back().push_back(spread > 0 ? spread : least(r, z) / usual_quantile);
    }
  }
  CleanFairness result;
  for (std::size_t z = 0; z < noise.size(); ++z) {
    const double q = static_cast<double>(counted.cells.rows[2 * z + 1]) /
                     static_cast<double>(counted.cells.rows_of_group(z));
    result.groups.push_back({evaluation.groups[z].group, noise[z], clean_share(q, noise[z]),
                             around(values[0][z], spreads[0][z], least(0, z)),
                             around(values[1][z], spreads[1][z], least(1, z))});
  }
  result.equalized_odds_violation = largest_difference(values, spreads);
  if (promise) result.violation_bound = bound_of(evaluation, noise, *promise);
  return result;
}

}  // namespace noiseplus
