// Training on one route. Internal.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

// As train_model, by the options' balance and noise_aware; `route` is not looked at. With an audit
// of the labels as given, by the options' estimator, no other is made; then the scope is that of
// the audit, and nothing is forced.
TrainModelResult train_as_told(const Dataset& dataset, const TrainModelOptions& options,
                               const AuditReport* audited, const Execution& execution);

}  // namespace noiseplus
