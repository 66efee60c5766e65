// What training would gain from weights, a corrected loss or balanced labels, by trying them.
// Internal.
#pragma once

#include <optional>

#include "noiseplus/report.h"

namespace noiseplus {

// Trains built-in models by each route on two thirds of a sample of the rows, audited on their own,
// and compares what they predict for the third that neither audit nor model has seen, three times.
// Corrected losses and balanced labels are tried where the report proves a class to be noisier (and
// by its plan, groups).
//
// Nothing where that is impossible: without features, with fewer than 300 rows or more than 20
// classes, or where a step of it fails. Time and memory are bounded, whatever the size of the data
// set (docs/advice.md). Reports its progress as "routes". Throws Error(cancelled) only.
std::optional<RouteComparison> compare_routes(const Dataset& dataset, const AuditOptions& options,
                                              const AuditReport& report,
                                              const Execution& execution);

}  // namespace noiseplus
