// How far groups are treated apart, with an interval that holds for the largest of many
// differences. Internal.
#pragma once

#include <optional>
#include <vector>

#include "noiseplus/learn.h"

namespace noiseplus {

// See Evaluation. Groups without a row of class i take no part in comparing its predictions.
std::optional<EstimateWithInterval> equalized_odds_violation(
    const std::vector<GroupQuality>& groups);
std::optional<EstimateWithInterval> demographic_parity_violation(
    const std::vector<GroupQuality>& groups);
std::optional<EstimateWithInterval> error_parity_violation(const std::vector<GroupQuality>& groups);

// Of one group that can tell: successes, counted or expected, out of trials.
struct GroupShare {
  double successes = 0;
  std::int64_t trials = 0;
};

// Each element is one rate, of at least two groups. `max_pairs` is where the number of comparisons
// becomes a matter of time: beyond it the intervals are of rates and not of differences.
std::optional<EstimateWithInterval> largest_difference(
    const std::vector<std::vector<GroupShare>>& rates, std::size_t max_pairs = 4'000'000);

}  // namespace noiseplus
