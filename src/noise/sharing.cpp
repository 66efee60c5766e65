#include "noise/sharing.h"

#include <numeric>

namespace noiseplus {

Occurrences Occurrences::find(const NeighbourGraph& graph, std::size_t rows) {
  Occurrences occurrences;
  occurrences.first.assign(rows + 1, 0);
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for_each_row(graph, t, [&](std::uint32_t row) { ++occurrences.first[row + 1]; });
  }
  std::partial_sum(occurrences.first.begin(), occurrences.first.end(), occurrences.first.begin());
  occurrences.sets.resize(occurrences.first.back());
  std::vector<std::size_t> next(occurrences.first.begin(), occurrences.first.end() - 1);
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for_each_row(graph, t, [&](std::uint32_t row) {
      occurrences.sets[next[row]++] = static_cast<std::uint32_t>(t);
    });
  }
  return occurrences;
}

std::size_t Occurrences::distinct_rows() const {
  std::size_t rows = 0;
  for (std::size_t r = 0; r + 1 < first.size(); ++r) rows += first[r + 1] > first[r] ? 1 : 0;
  return rows;
}

std::span<const std::uint32_t> SharingSets::of(std::size_t set) {
  sharing_.clear();
  for_each_row(graph_, set, [&](std::uint32_t row) {
    for (std::size_t i = occurrences_.first[row]; i < occurrences_.first[row + 1]; ++i) {
      const std::uint32_t other = occurrences_.sets[i];
      if (rows_shared_[other]++ == 0) sharing_.push_back(other);
    }
  });
  common_row_pairs_ = 0;
  for (const std::uint32_t other : sharing_) {
    const std::int64_t rows = rows_shared_[other];
    common_row_pairs_ += rows * (rows - 1) / 2;
    rows_shared_[other] = 0;
  }
  return sharing_;
}

}  // namespace noiseplus
