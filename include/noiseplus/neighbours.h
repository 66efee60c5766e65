// Stage 2, neighbours: exact k nearest neighbours by Euclidean distance.
//
// What "exact" means here, so that ids are the same for every kernel and every number of threads:
//   * The distance of two rows is sum over columns of (a - b)^2, computed in double from the float
//     values in one fixed order. Faster arithmetic is used only to rule rows out, within proven
//     bounds.
//   * A row is not its own neighbour: it is left out by its index, not by its distance, so exact
//     duplicates of it are neighbours like any other.
//   * Equal distances are ordered by hash(seed, ties, smaller name, larger name) of the pair, then
//     by the neighbour's name: a thousand equal rows do not all choose the same two.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "noiseplus/util.h"

namespace noiseplus {

struct NeighbourOptions {
  // Changes the answer.
  std::size_t k = 10;
  std::uint64_t seed = 0;  // orders equal distances

  // Rows whose neighbours are wanted, as indices into the matrix; empty means all rows. They are
  // searched against all rows: subsample the anchors, never the base.
  std::span<const std::uint32_t> anchors = {};

  // The rows' names in the tie hash; empty means their indices. Lets a search among some rows of a
  // larger matrix order ties as a search of the whole would.
  std::span<const std::uint32_t> row_names = {};
};

// Layout: entry (a, j) of an anchors x k table is at a * k + j; j = 0 is the nearest.
struct NeighbourGraph {
  std::size_t k = 0;
  std::vector<std::uint32_t> anchors;  // row index of each anchor
  std::vector<std::uint32_t> ids;      // row index of each neighbour
  std::vector<float> distances;        // squared

  std::size_t size() const { return anchors.size(); }
  std::span<const std::uint32_t> neighbours(std::size_t anchor) const {
    return {ids.data() + anchor * k, k};
  }
};

// Throws data when there are fewer than k + 1 rows, 2^32 rows or 2^28 columns or more, or a value
// that is not finite; usage when k is 0, an anchor is out of range or row_names are not one a row;
// cancelled as Execution says. Memory: a second copy of the matrix and anchors x k results.
NeighbourGraph find_neighbours(MatrixView rows, const NeighbourOptions& options,
                               const Execution& execution = {});

// The k nearest among the rows with keep[row] != 0, for each such row: what find_neighbours would
// give on the kept rows alone, with ids into the whole matrix. `graph` is a graph of all rows of
// the same matrix and seed, best with many more neighbours than k: it answers most rows, the rest
// are searched. options.row_names, if any, name the rows of the whole matrix. Throws usage when
// options.anchors is set or keep or graph are not of all rows, data when k rows or fewer are kept.
NeighbourGraph neighbours_within(MatrixView rows, const NeighbourGraph& graph,
                                 std::span<const char> keep, const NeighbourOptions& options,
                                 const Execution& execution = {});

}  // namespace noiseplus
