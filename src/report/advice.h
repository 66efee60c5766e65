// Whether to balance, to correct the loss, or to leave the labels alone. Internal.
#pragma once

#include "noiseplus/report.h"

namespace noiseplus {

Advice advise(const AuditReport& report);

}  // namespace noiseplus
