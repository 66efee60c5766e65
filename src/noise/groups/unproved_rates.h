// What intervals must not say. Internal.
#pragma once

#include <span>

#include "noiseplus/noise.h"

namespace noiseplus {

// Intervals that are apart read as a claim. Where nothing is claimed about two classes or groups,
// the lower end of the higher one goes down to the upper end of the other. For what is shown: the
// ends no longer tell the standard errors. Takes O(n log n) and a look at each claim.
void let_unproved_rates_overlap(std::span<EstimateWithInterval> rates,
                                std::span<const ClassPair> claims);
// As compare_groups claims.
void let_unproved_rates_overlap(std::span<GroupNoise> groups, const ChoiceRule& rule);

}  // namespace noiseplus
