#include <algorithm>

#include "neighbours/kernel.h"

namespace noiseplus {

std::uint32_t score_tile_scalar(const Tile& tile, TileHits& hits) {
  std::uint32_t anchors_hit = 0;
  for (std::size_t a = 0; a < anchor_lanes; ++a) {
    float* const scores = hits.scores[a];
    std::copy_n(tile.starts, base_lanes, scores);
    for (std::size_t first = 0; first < tile.columns; first += columns_per_sum) {
      const std::size_t last = std::min(first + columns_per_sum, tile.columns);
      float sums[base_lanes] = {};
      for (std::size_t c = first; c < last; ++c) {
        const float anchor = tile.anchors[c * anchor_lanes + a];
        const float* const base = tile.base + c * base_lanes;
        for (std::size_t b = 0; b < base_lanes; ++b) sums[b] += anchor * base[b];
      }
      for (std::size_t b = 0; b < base_lanes; ++b) scores[b] += sums[b];
    }
    std::uint32_t lanes = 0;
    for (std::size_t b = 0; b < base_lanes; ++b) {
      lanes |= static_cast<std::uint32_t>(scores[b] >= tile.limits[a]) << b;
    }
    hits.lanes[a] = lanes;
    anchors_hit |= static_cast<std::uint32_t>(lanes != 0) << a;
  }
  return anchors_hit;
}

}  // namespace noiseplus
