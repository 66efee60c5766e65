// Neighbors inside a part of the rows, for callers that ask often. Internal.
#pragma once

#include <span>
#include <vector>

#include "noiseplus/neighbors.h"

namespace noiseplus {

// Throws usage as check_graph does, and unless the anchors are all rows in order, with distances.
void check_graph_of_all_rows(const NeighborGraph& graph, std::size_t rows);

// What neighbors_within finds for these rows, in ascending order, without a pass over the others.
// `marks` has one entry per row of the matrix, all 0; so they are afterwards. The graph has passed
// check_graph_of_all_rows. Throws data when k rows or fewer are kept, and as a search does.
NeighborGraph neighbors_among(RowsView rows, const NeighborGraph& graph,
                              std::vector<std::uint32_t> kept, std::span<char> marks,
                              const NeighborOptions& options, const Execution& execution);

}  // namespace noiseplus
