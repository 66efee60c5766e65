// The paper's method as part of an audit. Internal.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

// Runs the paper's search for the report's scope, and puts its direction and plan in place of those
// of the estimate; the rates stay. REQUIRES: a report of the data set, its scope set.
void ask_paper(const Dataset& dataset, const AuditOptions& options, PaperVariant variant,
               AuditReport& report, const Execution& execution);

}  // namespace noiseplus
