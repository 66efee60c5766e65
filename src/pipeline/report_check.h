// What rendering asks of reports that a caller may have filled. Each throws usage when the parts of
// a report do not fit together. Internal.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

void check_report(const AuditReport& report);
void check_report(const Evaluation& evaluation);
void check_report(const TrainReport& report);

}  // namespace noiseplus
