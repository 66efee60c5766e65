#include "neighbors/order.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace noiseplus {
namespace {

constexpr std::size_t max_coordinates = 16;
using Direction = std::array<double, max_coordinates>;

class Splitter {
 public:
  Splitter(const Sketches& sketches, ProgressMeter& meter)
      : sketches_(sketches),
        coordinates_(std::min(max_coordinates, sketches.place_count())),
        meter_(meter) {}

  // Moves the rows below the median to the front; returns how many: whole panels of them, or whole
  // strips when all rows are of one panel.
  std::size_t split(std::span<std::uint32_t> rows) const {
    const Direction direction = widest_direction(rows);
    std::vector<std::pair<float, std::uint32_t>> places(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::span<const float> from = sketches_.places(rows[i]);
      double place = 0;
      for (std::size_t c = 0; c < coordinates_; ++c) place += direction[c] * from[c];
      places[i] = {static_cast<float>(place), rows[i]};
    }
    const std::size_t unit = rows.size() > panel_rows ? panel_rows : strip_rows;
    const std::size_t left = ceiling_of_quotient(rows.size(), unit) / 2 * unit;
    std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(left),
                     places.end());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = places[i].second;
    meter_.step(0);
    return left;
  }

  void split_to_strips(std::span<std::uint32_t> rows) const {
    if (rows.size() <= strip_rows) return;
    const std::size_t left = split(rows);
    split_to_strips(rows.first(left));
    split_to_strips(rows.subspan(left));
  }

 private:
  // The first principal direction of some of the rows, by a few power iterations.
  Direction widest_direction(std::span<const std::uint32_t> rows) const {
    constexpr std::size_t max_looked_at = 256;
    constexpr int iterations = 6;
    const std::size_t count = std::min(rows.size(), max_looked_at);
    std::vector<Direction> sample(count);
    Direction mean{};
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const float> from = sketches_.places(rows[i * rows.size() / count]);
      for (std::size_t c = 0; c < coordinates_; ++c) {
        sample[i][c] = from[c];
        mean[c] += from[c] / static_cast<double>(count);
      }
    }
    Direction direction{};
    direction.fill(1);
    for (int iteration = 0; iteration < iterations; ++iteration) {
      Direction next{};
      for (const Direction& row : sample) {
        double along = 0;
        for (std::size_t c = 0; c < coordinates_; ++c) along += (row[c] - mean[c]) * direction[c];
        for (std::size_t c = 0; c < coordinates_; ++c) next[c] += (row[c] - mean[c]) * along;
      }
      double squares = 0;
      for (std::size_t c = 0; c < coordinates_; ++c) squares += next[c] * next[c];
      if (squares == 0) break;
      for (std::size_t c = 0; c < coordinates_; ++c) direction[c] = next[c] / std::sqrt(squares);
    }
    return direction;
  }

  const Sketches& sketches_;
  std::size_t coordinates_;
  ProgressMeter& meter_;
};

}  // namespace

std::vector<std::uint32_t> order_by_place(const Sketches& sketches, ThreadPool& pool,
                                          ProgressMeter& meter) {
  std::vector<std::uint32_t> order(sketches.size());
  std::iota(order.begin(), order.end(), 0U);
  const Splitter splitter(sketches, meter);
  // Level by level until there are parts enough for all threads, then each to its end.
  std::vector<std::span<std::uint32_t>> parts = {order};
  while (parts.size() < std::size_t{pool.size()} * 8 && parts[0].size() > 64 * panel_rows) {
    std::vector<std::size_t> left(parts.size());
    pool.for_each(parts.size(), [&](std::size_t p) { left[p] = splitter.split(parts[p]); });
    std::vector<std::span<std::uint32_t>> next;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      next.push_back(parts[p].first(left[p]));
      next.push_back(parts[p].subspan(left[p]));
    }
    parts = std::move(next);
  }
  pool.for_each(parts.size(), [&](std::size_t p) { splitter.split_to_strips(parts[p]); });
  return order;
}

}  // namespace noiseplus
