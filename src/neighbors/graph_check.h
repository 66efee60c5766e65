// What every call that takes a graph asks of it. Internal.
#pragma once

#include "noiseplus/neighbors.h"

namespace noiseplus {

// Throws usage unless there are k ids for each anchor, all ids and anchors are below `rows`, and an
// anchor and its neighbors are different rows. Distances are not looked at. Takes O(rows + ids).
void check_graph(const NeighborGraph& graph, std::size_t rows);

}  // namespace noiseplus
