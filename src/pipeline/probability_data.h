// Class probabilities that the caller brings: as rows to find neighbors among, and what is odd
// about them. Internal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "noiseplus/pipeline.h"

namespace noiseplus {

// For a data set without features, where probabilities are given: its labels and groups, with the
// probabilities as points for features. Nothing otherwise. Throws as check_class_probabilities.
std::optional<Dataset> with_probability_rows(const Dataset& dataset, const AuditOptions& options,
                                             const Execution& execution);

// What report.warnings says of given probabilities: that they seem to have seen their own labels,
// or that folds differ. `evidence` has the neighbors of all rows; `has_features` is false where
// these are neighbors among the probabilities themselves. REQUIRES: probabilities, checked.
std::vector<std::string> doubts_about_probabilities(const Dataset& dataset,
                                                    const AuditOptions& options,
                                                    NoiseEstimator& evidence, bool has_features,
                                                    const Execution& execution);

}  // namespace noiseplus
