#include "neighbours/nearest.h"

#include <algorithm>
#include <tuple>

namespace noiseplus {

double squared_distance(const float* a, const float* b, std::size_t columns) {
  double sums[8] = {};
  const std::size_t whole = columns / 8 * 8;
  for (std::size_t first = 0; first < whole; first += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) {
      const double difference =
          static_cast<double>(a[first + lane]) - static_cast<double>(b[first + lane]);
      sums[lane] += difference * difference;
    }
  }
  for (std::size_t c = whole; c < columns; ++c) {
    const double difference = static_cast<double>(a[c]) - static_cast<double>(b[c]);
    sums[c - whole] += difference * difference;
  }
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

std::uint64_t TieOrder::tie(std::uint32_t one_name, std::uint32_t other_name) const {
  const auto [low, high] = std::minmax(one_name, other_name);
  return hash(seed_, Stream::ties, low, high);
}

bool nearer(const Neighbour& a, const Neighbour& b) {
  return std::tie(a.distance, a.tie, a.name, a.row) < std::tie(b.distance, b.tie, b.name, b.row);
}

AnchorSearch::AnchorSearch(const SearchSpace& space, std::uint32_t row, double squared_norm)
    : space_(space),
      row_(row),
      squared_norm_(squared_norm),
      waiting_limit_(std::max<std::size_t>(32, space.k)) {
  waiting_.reserve(waiting_limit_);
  nearest_.reserve(space.k);
}

std::span<const Neighbour> AnchorSearch::finish() {
  settle();
  std::sort_heap(nearest_.begin(), nearest_.end(), nearer);
  return nearest_;
}

// Best scores first: they tighten the limit, and the first below it ends the work.
void AnchorSearch::settle() {
  std::sort(waiting_.begin(), waiting_.end(),
            [](const Waiting& a, const Waiting& b) { return a.score > b.score; });
  for (const Waiting& next : waiting_) {
    if (next.score < limit_) break;
    measure(next.row);
  }
  waiting_.clear();
}

void AnchorSearch::measure(std::uint32_t row) {
  const auto is_too_far = [this](const Neighbour& found) {
    return is_full() && !nearer(found, nearest_.front());
  };
  const std::uint32_t name = space_.ties.name(row);
  Neighbour found{0, space_.ties.tie(space_.ties.name(row_), name), name, row};
  // Even at distance 0? Among many equal rows the hash decides, and costs less than the distance.
  if (is_too_far(found)) return;
  const MatrixView& rows = space_.rows;
  found.distance = squared_distance(rows.row(row_), rows.row(row), rows.columns);
  if (is_too_far(found)) return;

  if (is_full()) {
    std::pop_heap(nearest_.begin(), nearest_.end(), nearer);
    nearest_.pop_back();
  }
  nearest_.push_back(found);
  std::push_heap(nearest_.begin(), nearest_.end(), nearer);
  if (is_full()) limit_ = space_.bound.limit(squared_norm_, nearest_.front().distance);
}

}  // namespace noiseplus
