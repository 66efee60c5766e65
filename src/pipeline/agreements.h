// The paper's agreements over flips of many sizes, for a picture. Internal.
#pragma once

#include <optional>

#include "noiseplus/pipeline.h"

namespace noiseplus {

// Counts PA - NA of two classes; nothing where there are more, or more rows than the picture is
// worth, or too few to count. Flips the class with the lower rate. Neighbors are those of all
// rows, some 30 of each.
std::optional<AgreementCurve> agreement_curve(const Dataset& dataset, const AuditOptions& options,
                                              const NoiseEstimate& estimate,
                                              NoiseEstimator& evidence, const Execution& execution);

}  // namespace noiseplus
