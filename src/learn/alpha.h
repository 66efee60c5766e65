// Choosing alpha of the peer losses. Internal to the learn stage.
#pragma once

#include "noiseplus/learn.h"

namespace noiseplus {

// Targets of a peer loss with this alpha; throws for losses that have none.
Targets peer_targets_of(const GivenLabels& labels, const TrainOptions& options, double alpha);

// Each alpha of the grid with its accuracy on noisy labels held out.
std::vector<AlphaTrial> try_alphas(RowsView rows, const GivenLabels& labels,
                                   const TrainOptions& options, const Execution& execution);

// The one of the highest accuracy; of equals the one nearest to zero, where the loss is the plain
// one.
double best_alpha(std::span<const AlphaTrial> trials);

}  // namespace noiseplus
