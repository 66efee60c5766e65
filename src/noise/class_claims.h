// What an estimator other than auto proves of its classes. Internal.
#pragma once

#include <vector>

#include "noiseplus/noise.h"

namespace noiseplus {

// The pairs of classes that are shown to differ: none where the estimator claims nothing, else its
// own claim first, then all that are apart by more than chance explains, for all pairs at once
// (Bonferroni) and whatever the correlation of the rates. A claim that the rates as shown do not
// support becomes a lean. Rates that are not identified have intervals from 0 to 1, and so has
// their gap. Where nothing is claimed the interval of the gap reaches down to 0, and the intervals
// of two rates between which nothing is claimed meet. For what is shown: the ends no longer tell
// the standard errors.
std::vector<ClassPair> settle_claims(NoiseEstimate& estimate);

}  // namespace noiseplus
