// How many lanes every kernel works on, whatever the vectors of the processor hold. Internal to the
// learn stage.
#pragma once

#include <cstddef>

namespace noiseplus {

// The floats of one AVX-512 vector, the widest there is.
inline constexpr std::size_t virtual_lanes = 16;

// Columns rounded up to whole vectors.
constexpr std::size_t padded(std::size_t columns) {
  return (columns + virtual_lanes - 1) / virtual_lanes * virtual_lanes;
}

}  // namespace noiseplus
