// What an audit has found, in sentences. Internal.
#pragma once

#include <string>

#include "noiseplus/report.h"

namespace noiseplus {

// Of groups first, where there are any, then of classes; wrapped, a paragraph each. A sentence
// claims what the report claims and no more: what is not proved reads "no difference found".
std::string findings_text(const AuditReport& report, TextStyle style);

// What every rate of the report assumes, in one sentence; empty where none is identified.
std::string condition_text(const AuditReport& report);

}  // namespace noiseplus
