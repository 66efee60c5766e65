// Which view sets have rows in common, and so are dependent. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "noiseplus/neighbours.h"

namespace noiseplus {

template <typename Visit>
void for_each_row(const NeighbourGraph& graph, std::size_t set, const Visit& visit) {
  visit(graph.anchors[set]);
  for (const std::uint32_t id : graph.neighbours(set)) visit(id);
}

// For each row, the view sets it occurs in: those of row r are sets[first[r]] .. sets[first[r +
// 1]].
struct Occurrences {
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> sets;

  static Occurrences find(const NeighbourGraph& graph, std::size_t rows);
  // Rows that occur at all.
  std::size_t distinct_rows() const;
};

// Finds, one set at a time, those that share a row with it. One a thread.
class SharingSets {
 public:
  // Both must outlive it.
  SharingSets(const NeighbourGraph& graph, const Occurrences& occurrences)
      : graph_(graph), occurrences_(occurrences), rows_shared_(graph.size()) {}

  // The sets that share a row with `set`, itself included, each once and always in the same order;
  // valid until the next call.
  std::span<const std::uint32_t> of(std::size_t set);
  // Pairs of rows that `set` of the last call holds in common with another, over all others.
  std::int64_t common_row_pairs() const { return common_row_pairs_; }

 private:
  const NeighbourGraph& graph_;
  const Occurrences& occurrences_;
  std::vector<std::uint32_t> rows_shared_;
  std::vector<std::uint32_t> sharing_;
  std::int64_t common_row_pairs_ = 0;
};

}  // namespace noiseplus
