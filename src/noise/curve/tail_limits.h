// Upper limits of noise rates that hold whether or not a class has a pure region. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "noiseplus/noise.h"

namespace noiseplus {

// Where noise depends on the class only, and no other class carries label i more often than class i
// itself does, P(label i | row) <= 1 - rate_i everywhere. So in any part of the rows the share of
// labels other than i is at least rate_i, pure or not, and its upper confidence limit bounds the
// rate. Returns, for each class, the lowest limit over a few tails of the rows that `posterior`
// ranks highest for it: out of sample, as the labels of those rows must not have ranked them.
std::vector<double> tail_limits(MatrixView posterior, std::span<const std::int32_t> codes,
                                std::span<const double> prior);

}  // namespace noiseplus
