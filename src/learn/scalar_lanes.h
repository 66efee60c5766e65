// The 16 lanes of learn/lanes-inl.h as an array, for the scalar twins.
#pragma once

#include <cstddef>

#include "learn/lanes.h"

namespace noiseplus {

// Lane i with lane i + 8, then with i + 4, with i + 2, with i + 1.
template <typename Number, std::size_t count, typename Both>
Number fold_lanes(Number (&lanes)[count], Both both) {
  for (std::size_t half = count / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) lanes[i] = both(lanes[i], lanes[i + half]);
  }
  return lanes[0];
}

template <typename Number, std::size_t count>
Number sum_lanes(Number (&lanes)[count]) {
  return fold_lanes(lanes, [](Number a, Number b) { return a + b; });
}

}  // namespace noiseplus
