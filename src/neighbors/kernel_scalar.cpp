#include <algorithm>

#include "neighbors/kernel.h"

namespace noiseplus {
namespace {

void score_row(const Tile& tile, std::size_t a, float* scores) {
  for (std::size_t b = 0; b < panel_rows; ++b) {
    scores[b] = tile.left.starts[a] + tile.right.starts[b];
  }
  for (std::size_t first = 0; first < tile.columns; first += max_columns_per_sum) {
    const std::size_t last = std::min(first + max_columns_per_sum, tile.columns);
    float sums[panel_rows] = {};
    if (first == 0) std::copy_n(scores, panel_rows, sums);
    for (std::size_t c = first; c < last; ++c) {
      const std::size_t offset = tile.offsets ? tile.offsets[c] : c * panel_rows;
      const float left = tile.left.values[offset + a];
      const float* const right = tile.right.values + offset;
      for (std::size_t b = 0; b < panel_rows; ++b) sums[b] += left * right[b];
    }
    for (std::size_t b = 0; b < panel_rows; ++b) {
      scores[b] = first == 0 ? sums[b] : scores[b] + sums[b];
    }
  }
}

}  // namespace

std::uint64_t score_tile_scalar(const Tile& tile, std::uint32_t strips, TileHits& hits) {
  std::uint64_t rows_hit = 0;
  for (std::size_t a = 0; a < panel_rows; ++a) {
    if ((strips >> (a / strip_rows) & 1U) == 0) continue;
    float* const scores = hits.scores[a];
    score_row(tile, a, scores);
    std::uint64_t lanes = 0;
    for (std::size_t b = 0; b < panel_rows; ++b) {
      const float limit = std::min(tile.left.limits[a], tile.right.limits[b]);
      lanes |= static_cast<std::uint64_t>(scores[b] >= limit) << b;
    }
    if (lanes == 0) continue;
    hits.lanes[a] = lanes;
    rows_hit |= std::uint64_t{1} << a;
  }
  return rows_hit;
}

}  // namespace noiseplus
