// Whether what auto claims is so.
#pragma once

#include <map>
#include <span>
#include <string>

#include "noiseplus/noise.h"

namespace noiseplus {

// "claim": 1 when the class it calls noisier than another is so by the true matrix, -1 when it is
// not, 0 when it claims nothing. "not identified": 1 or 0. "largest error": of the rates of all
// classes, in points.
std::map<std::string, double> claim_of_auto(const NoiseEstimate& found,
                                            std::span<const double> transition,
                                            std::size_t classes);

}  // namespace noiseplus
