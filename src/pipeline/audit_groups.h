// The audit of each group by itself. Internal.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

// Fills groups, comparison, seconds and warnings of a report of all rows. REQUIRES: a data set with
// groups, checked options, no sample of anchors.
//
// `quality`, where it is not null, is that of all rows, and is replaced for the rows of each group
// whose noise is known: a model of all rows learns the noise of a group as if it were its nature
// where the group is among the features. Its `is_calibrated` then holds where it does for every
// group; a group that is not identified has rows that are only ranked.
void examine_groups(const Dataset& dataset, const AuditOptions& options, AuditReport& report,
                    LabelQuality* quality, const Execution& execution);

}  // namespace noiseplus
