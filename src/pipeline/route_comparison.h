// What training would gain from weights, a corrected loss or balanced labels, by trying them.
// Internal.
#pragma once

#include <optional>

#include "noiseplus/pipeline.h"

namespace noiseplus {

// Trains built-in models by each route on two thirds of a sample of the rows, audited on their own,
// and compares what they predict for the third that neither that audit nor the model has seen,
// three times. Corrected losses and balanced labels are tried where the report proves a class to be
// noisier (and by its plan, groups). The plan, and the rates that correct the labels of the third,
// are those of the report, so of all rows.
//
// Nothing where that is impossible: without features, with fewer than 300 rows or more than 20
// classes, or where a step of it fails. At most 6,000 rows and 64 MB of them are looked at,
// whatever the size of the data set (docs/advice.md). Reports its progress as "routes". Throws
// Error(cancelled) and std::bad_alloc only.
std::optional<RouteComparison> compare_routes(const Dataset& dataset, const AuditOptions& options,
                                              const AuditReport& report,
                                              const Execution& execution);

}  // namespace noiseplus
