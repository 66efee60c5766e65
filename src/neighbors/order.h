// An order of rows in which neighbors in the list are near in space: the list is split in two at
// the median along the direction in which the rows spread most, and so on until a part is a
// strip of a panel. Panels and strips then hold rows that belong together, find tight limits in
// their first tile, and can be ruled out as a whole.
#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "neighbors/sketch.h"

namespace noiseplus {

// A permutation of 0 .. sketches.size() - 1. All panels of it but the last are full.
std::vector<std::uint32_t> order_by_place(const Sketches& sketches, ThreadPool& pool,
                                          ProgressMeter& meter);

}  // namespace noiseplus
