// Intervals of shares and of differences between two of them. Internal.
#pragma once

#include "noiseplus/core.h"

namespace noiseplus {

// A difference with a p-value below this is significant; intervals cover 1 - significance.
inline constexpr double significance = .05;

// z such that a standard normal number is beyond -z or z with this probability: 1.96 for .05.
// REQUIRES: 0 < probability <= 1.
double two_sided_normal_quantile(double probability);

// Of 95 % intervals.
inline constexpr double usual_quantile = 1.959963984540054;

// The share of successes with Wilson's (1927) score interval. Trials need not be whole numbers: an
// effective number of them will do. Nor need successes be: where each trial gives a number within 0
// to 1 and not 0 or 1, the interval is conservative, since no such number of the same mean varies
// more. Without trials nothing is known: 0, within 0 to 1.
EstimateWithInterval wilson_interval(double successes, double trials,
                                     double quantile = usual_quantile);

// The upper end of the 95 % interval of a share of which none of so many trials succeeded: 3 /
// trials, at most 1.
double rule_of_three(double trials);

// first - second for independent shares, from Wilson's interval of each (Newcombe 1998, method 10).
EstimateWithInterval newcombe_interval(const EstimateWithInterval& first,
                                       const EstimateWithInterval& second);

// What the interval of a difference says of its size.
EstimateWithInterval absolute(const EstimateWithInterval& difference);

}  // namespace noiseplus
