// Stage 2, neighbors: exact k nearest neighbors.
//
// What "exact" means here, so that ids are the same for every kernel and every number of threads:
//   * The distance of two rows is the sum over columns of (a - b)^2, computed in double from the
//     float values in one fixed order; for the cosine metric a and b are first divided by their
//     rows' lengths, so that it is 2 (1 - cosine). Faster arithmetic is used only to rule rows out,
//     within proven bounds.
//   * A row is not its own neighbor: it is left out by its index, not by its distance, so exact
//     duplicates of it are neighbors like any other.
//   * Rows at equal distances are ordered by a seeded hash of the values of the pair. Among rows of
//     equal values each anchor takes those that follow its own hash on the ring of theirs, so that
//     a thousand equal rows do not all choose the same two.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "noiseplus/core.h"

namespace noiseplus {

enum class Metric : std::uint8_t { euclidean, cosine };

struct NeighborOptions {
  // Changes the answer.
  std::size_t k = 10;
  std::uint64_t seed = 0;  // orders equal distances
  Metric metric = Metric::euclidean;

  // Rows whose neighbors are wanted, as indices into the matrix; empty means all rows. They are
  // searched against all rows: subsample the anchors, never the base.
  std::span<const std::uint32_t> anchors = {};

  // The rows' names in the tie hash; empty means their indices. Lets a search among some rows of a
  // larger matrix order ties as a search of the whole would.
  std::span<const std::uint32_t> row_ids = {};
};

// Layout: entry (a, j) of an anchors x k table is at a * k + j; j = 0 is the nearest.
struct NeighborGraph {
  std::size_t k = 0;
  std::vector<std::uint32_t> anchors;  // row index of each anchor
  std::vector<std::uint32_t> ids;      // row index of each neighbor
  std::vector<float> distances;        // squared; infinite or 0 where a float cannot hold them

  std::size_t size() const { return anchors.size(); }
  // Throws usage when there is no such anchor, or the ids are too few.
  std::span<const std::uint32_t> neighbors(std::size_t anchor) const;
};

// Throws data when there are fewer than k + 1 rows, 2^32 rows or 2^26 columns or more, a value that
// is not finite, or a row of zeros under the cosine metric; usage when k is 0, an anchor is out of
// range or row_ids are not one a row; cancelled as Execution says.
//
// Memory beyond the input: for all rows a packed copy of the distinct ones in floats and some 400 +
// 45 k bytes a row; for anchors a packed copy and 45 k bytes of each of these, 35 bytes a row of
// the base, and for each thread a megabyte or 48 packed rows.
NeighborGraph find_neighbors(RowsView rows, const NeighborOptions& options,
                             const Execution& execution = {});

// The same in steps, for anchors that are chosen in rounds: the rows are checked and duplicates
// grouped once. `rows` and options.row_ids must stay; options.anchors is not looked at.
class NeighborSearch {
 public:
  NeighborSearch(RowsView rows, const NeighborOptions& options, const Execution& execution = {});
  ~NeighborSearch();
  NeighborSearch(NeighborSearch&&) noexcept;
  NeighborSearch& operator=(NeighborSearch&&) noexcept;

  // What find_neighbors gives for these anchors; none means all rows.
  NeighborGraph find(std::span<const std::uint32_t> anchors, const Execution& execution = {}) const;

 private:
  struct Prepared;
  std::unique_ptr<const Prepared> prepared_;
};

// The k nearest among the rows with keep[row] != 0, for each such row: what find_neighbors would
// give on the kept rows alone, with ids into the whole matrix. `graph` is a graph of all rows of
// the same matrix and seed, best with many more neighbors than k: it answers most rows, the rest
// are searched. options.row_ids, if any, name the rows of the whole matrix. Throws usage when
// options.anchors is set or keep or graph are not of all rows, data when k rows or fewer are kept.
NeighborGraph neighbors_within(RowsView rows, const NeighborGraph& graph,
                               std::span<const char> keep, const NeighborOptions& options,
                               const Execution& execution = {});

}  // namespace noiseplus
