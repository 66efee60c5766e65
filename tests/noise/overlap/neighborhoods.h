// Rows in neighborhoods of one posterior each: what `overlap` assumes.
#pragma once

#include <cstdint>
#include <vector>

#include "noiseplus/neighbors.h"

namespace noiseplus::testing_support {

struct Neighborhoods {
  std::vector<std::int32_t> codes;
  NeighborGraph graph;  // 30 neighbors, in a circle inside a neighborhood of 50 rows
};

// Two fifths of the neighborhoods are all 0, two fifths all 1, one fifth half and half. `rows` is
// a multiple of 50.
inline Neighborhoods make_neighborhoods(std::size_t rows, double e_negative, double e_positive,
                                        std::uint64_t seed) {
  constexpr std::size_t size = 50, k = 30;
  Neighborhoods made;
  made.graph.k = k;
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t kind = n / size % 5;
    const bool is_one = kind < 2 || (kind == 4 && uniform(seed, Stream::generate, n, 0) < .5);
    const double one = is_one ? 1 - e_positive : e_negative;
    made.codes.push_back(uniform(seed, Stream::generate, n, 1) < one ? 1 : 0);
    made.graph.anchors.push_back(static_cast<std::uint32_t>(n));
    for (std::size_t j = 0; j < k; ++j) {
      const std::size_t step = j % 2 == 0 ? j / 2 + 1 : size - j / 2 - 1;
      made.graph.ids.push_back(
          static_cast<std::uint32_t>(n / size * size + (n % size + step) % size));
      made.graph.distances.push_back(1);
    }
  }
  return made;
}

}  // namespace noiseplus::testing_support
