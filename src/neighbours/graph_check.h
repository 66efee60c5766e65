// What every call that takes a graph asks of it. Internal.
#pragma once

#include "noiseplus/neighbours.h"

namespace noiseplus {

// Throws usage unless there are k ids for each anchor, and all ids and anchors are below `rows`.
// Distances are not looked at. One pass over the ids.
void check_graph(const NeighbourGraph& graph, std::size_t rows);

}  // namespace noiseplus
