// Which view sets have rows in common, and so are dependent. Internal.
//
// Sums over all pairs of view sets that share a row. Walking from a set through each of its rows to
// the other sets of that row costs the sum of the squared degrees, where the degree of a row is the
// number of sets it occurs in. Embeddings of many dimensions have hubs, rows that are neighbors of
// a large part of all others, so pairs that share a hub are never visited one by one:
//
//   1. Dense hubs occur in a large part of the sets. The sets are split by one hub after the other:
//      all pairs of those that have it are one product of two sums, the rest goes on. Lists that
//      are too short for that are compared pair by pair, by bit masks of their dense hubs.
//   2. Sparse hubs are summed by inclusion and exclusion over the subsets of a set's sparse hubs;
//      what shares a dense hub too is left to step 1.
//   3. Light rows are walked through, and pairs that share a hub are left out.
//
// The degrees from which a row is a sparse or a dense hub depend on the graph alone: they are those
// that need the fewest steps, and usually there are no hubs. Without hubs the steps are those of
// the walk; with them about in proportion to the sets, unless a set has many of more than some
// fifty dense hubs: then they grow with the square of the sets, as those of the walk, but several
// times slower. All sums are the same at any number of threads.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "noiseplus/neighbors.h"

namespace noiseplus {

template <typename Visit>
void for_each_row(const NeighborGraph& graph, std::size_t set, const Visit& visit) {
  visit(graph.anchors[set]);
  for (const std::uint32_t id : graph.neighbors(set)) visit(id);
}

// For each row, the view sets it occurs in: those of row r are sets[first[r]] .. sets[first[r +
// 1]].
struct Occurrences {
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> sets;

  static Occurrences find(const NeighborGraph& graph, std::size_t rows);
  // Rows that occur at all.
  std::size_t distinct_rows() const;
  std::size_t degree(std::size_t row) const { return first[row + 1] - first[row]; }
  std::span<const std::uint32_t> of(std::size_t row) const {
    return {sets.data() + first[row], degree(row)};
  }
};

using SetList = std::span<const std::uint32_t>;

class DenseMasks;  // noise/hub_pairs.h

// The hubs of a graph. REQUIRES: the rows of a view set differ.
class Hubs {
 public:
  // Both must outlive it.
  Hubs(const NeighborGraph& graph, const Occurrences& occurrences);
  ~Hubs();
  Hubs(const Hubs&) = delete;
  Hubs& operator=(const Hubs&) = delete;

  bool empty() const { return rows_.empty(); }
  std::size_t size() const { return rows_.size(); }

  // Hubs of a set by their numbers, ascending: sparse ones first, then dense ones.
  SetList of(std::size_t set) const {
    return {of_sets_.data() + first_[set], first_[set + 1] - first_[set]};
  }
  SetList sets(std::size_t hub) const { return occurrences_.of(rows_[hub]); }
  bool is_hub(std::size_t row) const { return !empty() && is_hub_[row] != 0; }

  // The sum over all ordered pairs of sets that share a hub is the sum of sign * (sum over x) *
  // (sum over y) over all calls of add(sign, x, y) in the parts 0 .. parts() - 1. A part makes the
  // same calls in the same order each time; parts may run in parallel. Returns about how many steps
  // that took, where a step is one of a walk.
  using AddProduct = std::function<void(int sign, SetList x, SetList y)>;
  std::size_t parts() const { return sparse_parts() + dense_parts(); }
  double sum_products(std::size_t part, const AddProduct& add) const;

  // A step of the sum over subsets moves sets between lists and calls back; a step of a walk adds 1
  // to a counter. Measured.
  static constexpr double steps_of_a_subset = 8;

  // Pairs of hubs that both sets of a pair hold, added up over all ordered pairs of sets, by parts.
  std::int64_t common_pairs(std::size_t part) const;

 private:
  // Rows of a higher degree are hubs, dense ones where it is higher than `dense`.
  struct Degrees {
    std::size_t sparse = 0, dense = 0;
  };
  Degrees choose_degrees(const NeighborGraph& graph) const;
  std::size_t sparse_parts() const;
  std::size_t dense_parts() const;

  const Occurrences& occurrences_;
  std::size_t sparse_ = 0;           // hubs 0 .. sparse_ - 1 are sparse
  std::vector<std::uint32_t> rows_;  // of each hub, by degree
  std::vector<char> is_hub_;         // by row; empty without hubs
  std::vector<std::size_t> first_;   // by set
  std::vector<std::uint32_t> of_sets_;
  std::unique_ptr<DenseMasks> masks_;
};

// Finds, one set at a time, those that share a row with it but no hub. Each thread needs its own.
class SharingSets {
 public:
  // All must outlive it.
  SharingSets(const NeighborGraph& graph, const Occurrences& occurrences, const Hubs& hubs)
      : graph_(graph),
        occurrences_(occurrences),
        hubs_(hubs),
        rows_shared_(graph.size()),
        is_own_hub_(hubs.size()) {}

  // The sets that share a row with `set` and no hub, itself included unless it has one, each once
  // and always in the same order; valid until the next call.
  std::span<const std::uint32_t> of(std::size_t set);
  // Pairs of rows, not both hubs, that `set` of the last call holds in common with another, over
  // all others.
  std::int64_t common_row_pairs() const { return common_row_pairs_; }

 private:
  std::int64_t count_common_hubs(std::size_t other) const;

  const NeighborGraph& graph_;
  const Occurrences& occurrences_;
  const Hubs& hubs_;
  std::vector<std::uint32_t> rows_shared_;
  std::vector<std::uint32_t> sharing_;
  std::vector<char> is_own_hub_;
  std::int64_t common_row_pairs_ = 0;
};

}  // namespace noiseplus
