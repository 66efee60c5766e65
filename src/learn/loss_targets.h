// From labels and a loss to what a trainer minimizes. Internal to the library.
#pragma once

#include "core/thread_pool.h"
#include "learn/targets_view.h"
#include "noiseplus/learn.h"

namespace noiseplus {

struct LossTargets {
  AnyTargets targets;
  double alpha = 0;                // of the peer losses
  std::vector<AlphaTrial> trials;  // when it was chosen
};

// Checks rows and labels, and chooses alpha where the loss has one and none was given. Throws as
// `train` does.
LossTargets loss_targets(RowsView rows, const GivenLabels& labels, const TrainOptions& options,
                         ThreadPool& pool, const Execution& execution);

// Targets of a peer loss with this alpha; throws for losses that have none.
Targets peer_targets_of(const GivenLabels& labels, const TrainOptions& options, double alpha);

// Each alpha of the grid with its accuracy on noisy labels held out.
std::vector<AlphaTrial> try_alphas(RowsView rows, const GivenLabels& labels,
                                   const TrainOptions& options, ThreadPool& pool,
                                   const Execution& execution);

// The one of the highest accuracy; of equals the one nearest to zero, where the loss is the plain
// one.
double best_alpha(std::span<const AlphaTrial> trials);

// Throws impossible when a weight is not a number.
void refuse_what_diverged(const Model& model, ModelKind kind);

}  // namespace noiseplus
