// What to do about the labels: which action, and why. Internal.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

// What the advice rests on beside the report.
struct AdviceEvidence {
  std::string why_no_plan;  // why no flip can do what the claims ask for; empty where one can
  std::optional<RouteComparison> comparison;
  std::size_t surely_wrong = 0;  // labels; 0 also where probabilities of rows are not calibrated
};

Advice advise(const AuditReport& report, const AdviceEvidence& evidence = {});

// The share of labels that the estimate takes for wrong.
double wrong_share_of(const NoiseEstimate& estimate);

// More labels than this are no work for one person.
inline constexpr std::size_t max_rows_to_fix = 500;

}  // namespace noiseplus
