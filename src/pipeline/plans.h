// From what an audit found to what is flipped. Internal.
#pragma once

#include "noiseplus/pipeline.h"

namespace noiseplus {

// The scope asked for; where none was, the one that the findings support: class-in-group or group
// where the same class has different rates in different groups, else class.
std::string scope_of(const std::string& asked, const AuditReport& report);

// One rate for all classes of a group: the symmetric one where there is one, else the share of its
// labels that are wrong.
double one_rate(const GroupNoise& group);

// What flips of a group go by: the symmetric rate where there is one, else the rates of its
// classes. REQUIRES: a known group.
std::vector<double> transition_of(const GroupNoise& group, std::size_t classes);

// Whether one rate serves for all classes of each group: in none of them the classes are known to
// differ. Then groups are balanced by it.
bool has_one_rate_per_group(const AuditReport& report);

// What the claims of the report justify within its scope; nothing where there are none. Groups of
// which nothing is known are left alone. Throws impossible as the plans of balance.h do.
FlipPlan plan_of_claims(const AuditReport& report);

// The same whether or not anything is claimed. Throws impossible when no rates are identified.
FlipPlan plan_of_estimates(const AuditReport& report);

// That, where the report's own plan flips nothing because nothing is proved; none where it does, or
// where nothing is known to flip by.
std::optional<FlipPlan> forced_plan(const AuditReport& report);

// Flips the labels by the report's plan, and counts the flips in the report.
BalanceResult apply_plan(AuditReport report, const Dataset& dataset, std::uint64_t seed);

}  // namespace noiseplus
