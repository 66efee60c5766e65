// Whether to balance, to correct the loss, or to leave the labels alone. Internal.
#pragma once

#include "noiseplus/report.h"

namespace noiseplus {

// `why_no_plan`: why no flip can do what the report's claims ask for; empty where one can.
Advice advise(const AuditReport& report, const std::string& why_no_plan = "");

}  // namespace noiseplus
