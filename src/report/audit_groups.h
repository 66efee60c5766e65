// The audit of each group by itself. Internal.
#pragma once

#include "noiseplus/report.h"

namespace noiseplus {

// Fills groups, comparison, seconds and warnings of a report of all rows. REQUIRES: a data set with
// groups, checked options, no sample of anchors.
void examine_groups(const Dataset& dataset, const AuditOptions& options, AuditReport& report,
                    const Execution& execution);

}  // namespace noiseplus
