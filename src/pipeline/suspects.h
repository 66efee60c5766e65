// The rows most likely mislabeled, with what a person needs to judge them. Internal.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

// The `most` rows with the least likely labels. `graph` has all rows as anchors.
Suspects find_suspects(const Dataset& dataset, const LabelQuality& quality,
                       const NeighborGraph& graph, std::size_t most);

}  // namespace noiseplus
