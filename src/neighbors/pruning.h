// Which tiles, and which strips of them, need not be scored: exact bounds by balls and by sketches.
//
// Invariants:
//   1. A tile is ruled out only when every pair of it is proven to be farther than the kth
//      neighbor of both rows. limit() of a row, -2 times it, is above scale^2 times that distance.
//   2. Nothing here changes an answer, only how much is scored.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "neighbors/kernel.h"
#include "neighbors/limits.h"
#include "neighbors/panels.h"
#include "neighbors/sketch.h"

namespace noiseplus {

// A ball around the sketches of some rows, and how far from it a row matters to them at most.
class Ball {
 public:
  static constexpr std::size_t max_directions = 16;

  Ball() = default;
  Ball(const Sketches& sketches, std::span<const std::uint32_t> ids);

  // Whether any row of one may be within sqrt(reach) of any row of the other, in scaled distances.
  bool may_touch(const Ball& other, double reach) const;

 private:
  float centre_[max_directions + 1] = {};
  double radius_ = 0;  // with what the sketches may err by
};

class Pruning {
 public:
  // order: sketches by panel, 48 each.
  Pruning(const Sketches& sketches, std::span<const std::uint32_t> order,
          std::size_t panels_per_block, ThreadPool& pool, ProgressMeter& meter);

  bool blocks_may_touch(std::size_t a, std::size_t b, double reach) const {
    return block_balls_[a].may_touch(block_balls_[b], reach);
  }
  bool panels_may_touch(std::size_t a, std::size_t b, double reach) const {
    return panel_balls_[a].may_touch(panel_balls_[b], reach);
  }

  // How long a sketch pays, given the limits of all panels, by trying some tiles; none when no
  // length does. columns: of a tile of the rows themselves, on average.
  std::optional<std::size_t> choose_length(ScoreTile score_tile,
                                           std::span<const PanelLimits> limits,
                                           double columns) const;

  // Prepares strips_of_tile.
  void use_length(std::size_t length, ThreadPool& pool, ProgressMeter& meter);
  bool uses_sketches() const { return panels_.has_value(); }

  // The strips of the left panel that hold a row which may be near one of the right.
  std::uint32_t strips_of_tile(ScoreTile score_tile, std::size_t left,
                               const PanelLimits& left_limits, std::size_t right,
                               const PanelLimits& right_limits, TileHits& hits) const;

 private:
  std::span<const std::uint32_t> rows_of_panel(std::size_t panel) const;
  double share_of_strips(ScoreTile score_tile, std::span<const PanelLimits> limits,
                         std::size_t length) const;

  const Sketches& sketches_;
  std::span<const std::uint32_t> order_;
  std::vector<Ball> panel_balls_;
  std::vector<Ball> block_balls_;
  std::optional<Panels> panels_;  // of sketches
};

}  // namespace noiseplus
