#include "neighbors/pruning.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "neighbors/bound.h"

namespace noiseplus {
namespace {

// What a tile costs beside its columns, in columns: about what starts, limits and calls take.
constexpr double overhead_in_columns = 8;

std::uint32_t strips_of(std::uint64_t rows_hit) {
  std::uint32_t strips = 0;
  for (std::size_t strip = 0; strip < panel_rows / strip_rows; ++strip) {
    constexpr std::uint64_t one_strip = (std::uint64_t{1} << strip_rows) - 1;
    const bool is_hit = (rows_hit >> (strip * strip_rows) & one_strip) != 0;
    strips |= static_cast<std::uint32_t>(is_hit) << strip;
  }
  return strips;
}

}  // namespace

Ball::Ball(const Sketches& sketches, std::span<const std::uint32_t> ids) {
  const std::size_t length = sketches.lengths() < 2 ? 0 : 1;
  const std::size_t directions = sketches.directions(length);
  double sum[max_directions + 1] = {};
  for (const std::uint32_t id : ids) {
    const std::span<const float> coordinates = sketches.coordinates(id);
    for (std::size_t c = 0; c < directions; ++c) sum[c] += coordinates[c];
    sum[max_directions] += sketches.rest(id, length);
  }
  for (std::size_t c = 0; c <= max_directions; ++c) {
    centre_[c] = static_cast<float>(sum[c] / static_cast<double>(ids.size()));
  }
  double farthest = 0;
  double longest = 0;
  for (const std::uint32_t id : ids) {
    const std::span<const float> coordinates = sketches.coordinates(id);
    const double rest = sketches.rest(id, length);
    double squares = (rest - centre_[max_directions]) * (rest - centre_[max_directions]);
    double squared_norm = rest * rest;
    for (std::size_t c = 0; c < directions; ++c) {
      const double value = coordinates[c];
      squares += (value - centre_[c]) * (value - centre_[c]);
      squared_norm += value * value;
    }
    farthest = std::max(farthest, squares);
    longest = std::max(longest, squared_norm);
  }
  // Sketches err by (eta + 2 u) times the length of their row; 2 eta leaves room for all rounding
  // in double, here and in may_touch.
  radius_ = std::sqrt(farthest) * (1 + 1e-9) + 2 * Sketches::eta * std::sqrt(longest) + 0x1p-100;
}

bool Ball::may_touch(const Ball& other, double reach) const {
  if (reach < 0) return false;
  double squares[4] = {};
  for (std::size_t c = 0; c < max_directions; ++c) {
    const double difference = static_cast<double>(centre_[c]) - other.centre_[c];
    squares[c % 4] += difference * difference;
  }
  const double rest = static_cast<double>(centre_[max_directions]) - other.centre_[max_directions];
  const double apart = (squares[0] + squares[1]) + (squares[2] + squares[3]) + rest * rest;
  const double together = radius_ + other.radius_ + std::sqrt(reach);
  return apart * (1 - 1e-9) <= together * together;
}

Pruning::Pruning(const Sketches& sketches, std::span<const std::uint32_t> order,
                 std::size_t panels_per_block, ThreadPool& pool, ProgressMeter& meter)
    : sketches_(sketches), order_(order) {
  const auto make_balls = [&](std::size_t rows_in_ball) {
    const std::size_t balls = ceiling_of_quotient(order.size(), rows_in_ball);
    std::vector<Ball> made(balls);
    pool.for_each(balls, [&](std::size_t i) {
      const std::size_t first = i * rows_in_ball;
      made[i] = Ball(sketches, order.subspan(first, std::min(rows_in_ball, order.size() - first)));
      meter.step(0);
    });
    return made;
  };
  panel_balls_ = make_balls(panel_rows);
  block_balls_ = make_balls(panel_rows * panels_per_block);
}

std::span<const std::uint32_t> Pruning::rows_of_panel(std::size_t panel) const {
  const std::size_t first = panel * panel_rows;
  return order_.subspan(first, std::min(panel_rows, order_.size() - first));
}

// Of the tiles among some panels at equal steps, those that balls do not rule out.
double Pruning::share_of_strips(ScoreTile score_tile, std::span<const PanelLimits> limits,
                                std::size_t length) const {
  constexpr std::size_t max_panels = 64;
  const std::size_t count = std::min(max_panels, panel_balls_.size());
  Panels panels(count, sketches_.directions(length) + 1);
  std::vector<std::size_t> chosen(count);
  for (std::size_t i = 0; i < count; ++i) {
    chosen[i] = i * panel_balls_.size() / count;
    pack_sketches(sketches_, rows_of_panel(chosen[i]), length, i, panels);
  }
  std::size_t tiles = 0;
  std::size_t strips = 0;
  TileHits hits;
  for (std::size_t i = 0; i < count; ++i) {
    const PanelLimits& left = limits[chosen[i]];
    for (std::size_t j = i + 1; j < count; ++j) {
      const PanelLimits& right = limits[chosen[j]];
      const double reach = std::max(left.reach, right.reach);
      if (!panels_may_touch(chosen[i], chosen[j], reach)) continue;
      ++tiles;
      strips += static_cast<std::size_t>(std::popcount(strips_of(
          score_tile({panels.side(i, left.limits), panels.side(j, right.limits), panels.columns()},
                     all_strips, hits))));
    }
  }
  constexpr std::size_t strips_in_tile = panel_rows / strip_rows;
  return tiles == 0 ? 0 : static_cast<double>(strips) / static_cast<double>(tiles * strips_in_tile);
}

std::optional<std::size_t> Pruning::choose_length(ScoreTile score_tile,
                                                  std::span<const PanelLimits> limits,
                                                  double columns) const {
  const double full = columns + overhead_in_columns;
  std::optional<std::size_t> best;
  double best_cost = 0.95 * full;
  for (std::size_t length = 0; length < sketches_.lengths(); ++length) {
    const double sketch = static_cast<double>(sketches_.directions(length)) + overhead_in_columns;
    if (sketch >= best_cost) break;
    const double cost = sketch + share_of_strips(score_tile, limits, length) * full;
    if (cost >= best_cost) continue;
    best = length;
    best_cost = cost;
  }
  return best;
}

void Pruning::use_length(std::size_t length, ThreadPool& pool, ProgressMeter& meter) {
  panels_.emplace(panel_balls_.size(), sketches_.directions(length) + 1);
  pool.for_each(panel_balls_.size(), [&](std::size_t panel) {
    pack_sketches(sketches_, rows_of_panel(panel), length, panel, *panels_);
    meter.step(0);
  });
}

std::uint32_t Pruning::strips_of_tile(ScoreTile score_tile, std::size_t left,
                                      const PanelLimits& left_limits, std::size_t right,
                                      const PanelLimits& right_limits, TileHits& hits) const {
  return strips_of(score_tile({panels_->side(left, left_limits.limits),
                               panels_->side(right, right_limits.limits), panels_->columns()},
                              all_strips, hits));
}

}  // namespace noiseplus
