// What an audit is asked for, checked and turned into the terms of the stages.
#pragma once

#include "noiseplus/report.h"

namespace noiseplus {

// Throws what audit() says, before any work is done. The paper's methods take no sample of anchors.
void check_options(const Dataset& dataset, const AuditOptions& options, bool for_paper);

// REQUIRES: checked options.
Metric metric_of(const AuditOptions& options);
Views views_of(const AuditOptions& options);

}  // namespace noiseplus
