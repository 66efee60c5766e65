// Which route to a fair model pays, by what is known of the noise. Internal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "noiseplus/pipeline.h"

namespace noiseplus {

// A rate of noise that is not known exactly.
struct UncertainRate {
  double value = 0;
  double error = 0;  // one standard error, by chance
  double doubt = 0;  // how far it may be too high, because classes overlap
};

// e- and e+ of a group.
struct UncertainNoise {
  UncertainRate negative, positive;
};

// As wide as the intervals of the audit. REQUIRES: every group is known.
std::vector<UncertainNoise> uncertain_noise(const AuditReport& audit);
// Known exactly.
std::vector<UncertainNoise> exact_noise(const std::vector<LabelNoise>& noise);

// Why nothing but the plain constraint can be shown to be right; empty where another may be.
std::string why_only_plain(const AuditReport& audit);

// Expected answers on the rows trained on: of each cell (fair/cells.h), how many are positive.
std::vector<double> positive_answers(const Dataset& dataset, std::size_t positive,
                                     const SavedModel& saved, const Execution& execution);

struct RouteProblem {
  const Dataset& dataset;  // with the labels as given
  std::size_t positive = 1;
  Constraint constraint = Constraint::equalized_odds;
  std::vector<UncertainNoise> noise;  // of each group
  std::uint64_t seed = 0;
};

// Compares the answers of a route with those of the plain constraint, both as positive_answers
// counts them. REQUIRES: two groups or more, labels of both classes in each.
RouteTrial compare_with_plain(const RouteProblem& problem, const std::string& route,
                              const std::vector<double>& plain, const std::vector<double>& other);

// The trial that pays and removes most, or the plain constraint.
FairAdvice advise_route(std::vector<RouteTrial> trials);

}  // namespace noiseplus
