// Training under a constraint, as a part of train_model. Internal.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

struct FairProblem {
  const Dataset& dataset;
  const TrainModelOptions& options;
  const TrainOptions& train;
  std::span<const std::int32_t> codes;  // the labels, after balancing where that came first
  std::size_t positive = 1;
  const AuditReport* balanced = nullptr;
  const AuditReport* audited = nullptr;  // of the labels as given, where that was done already
};

// False for demographic parity.
bool looks_at_labels(Constraint constraint);

// Throws usage when the options do not go together or do not fit the data.
void check_fair(const Dataset& dataset, const TrainModelOptions& options);

// Fills report.fair and what else it says of the training.
FairTrainResult train_with_constraint_on(const FairProblem& problem, TrainReport& report,
                                         const Execution& execution);

FairnessMetadata promise_of(const FairProblem& problem, const FairReport& fair);

}  // namespace noiseplus
