// `--anchors auto`: rows become anchors in rounds until the gap's interval is narrow enough. What a
// round does depends on the estimates before it, never on time or threads.
#pragma once

#include <optional>

#include "noiseplus/neighbors.h"
#include "noiseplus/noise.h"

namespace noiseplus {

// Where the rounds end for rates that are still not identified: labels that tell nothing by then
// would need millions of rows for any useful precision. No first round goes beyond it either.
constexpr std::size_t unidentified_ceiling = 25000;

// Half of the width of the gap's interval; none when the rates are not identified.
std::optional<double> half_width(const NoiseEstimate& estimate);

// How many anchors the first round has.
std::size_t first_anchors(double precision, std::size_t rows);

// How many the round after an estimate from `anchors` of the rows has; `anchors` itself when there
// is none: the precision is reached, or all rows are anchors, or the ceiling above.
std::size_t next_anchors(const NoiseEstimate& estimate, std::size_t anchors, double precision,
                         std::size_t rows);

// The neighbors of a growing sample of the rows, drawn by options.seed. Each row is searched once.
// `rows` and `execution` must outlive it.
class GrowingGraph {
 public:
  GrowingGraph(RowsView rows, const NeighborOptions& options, const Execution& execution);

  // The same bytes as find_neighbors gives for a sample of that many. REQUIRES: more than before,
  // rows.rows at most. Progress is of all anchors, so a round begins where the one before ended.
  const NeighborGraph& grow_to(std::size_t anchors);

 private:
  RowsView rows_;
  std::uint64_t seed_;
  const Execution& execution_;
  NeighborSearch search_;
  NeighborGraph graph_;
};

}  // namespace noiseplus
