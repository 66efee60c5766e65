// From labels and a loss to what a trainer minimizes. Internal to the library.
#pragma once

#include "noiseplus/learn.h"

namespace noiseplus {

struct LossTargets {
  Targets targets;
  double alpha = 0;                // of the peer losses
  std::vector<AlphaTrial> trials;  // when it was chosen
};

// Checks rows and labels, and chooses alpha where the loss has one and none was given. Throws as
// `train` does.
LossTargets loss_targets(RowsView rows, const GivenLabels& labels, const TrainOptions& options,
                         const Execution& execution);

// Throws impossible when a weight is not a number.
void refuse_what_diverged(const Model& model, ModelKind kind);

}  // namespace noiseplus
