#include "pipeline/plans.h"

#include <algorithm>

namespace noiseplus {
namespace {

constexpr const char* nothing_to_force =
    "the rates are not identified, so there is nothing to force; use features that separate the "
    "classes, or more rows";

std::vector<std::string> names_of(const std::vector<GroupNoise>& groups) {
  std::vector<std::string> names;
  names.reserve(groups.size());
  for (const GroupNoise& group : groups) names.push_back(group.name);
  return names;
}

double noisiest_known(const std::vector<GroupNoise>& groups) {
  double highest = 0;
  for (const GroupNoise& group : groups) {
    if (group.known()) highest = std::max(highest, one_rate(group));
  }
  return highest;
}

FlipPlan plan_by_one_rate(const AuditReport& report) {
  const double highest = noisiest_known(report.groups);
  std::vector<double> rates;
  rates.reserve(report.groups.size());
  // A group of which nothing is known counts as the noisiest, which is never flipped.
  for (const GroupNoise& group : report.groups) {
    rates.push_back(group.known() ? one_rate(group) : highest);
  }
  return equal_groups_plan(rates, report.classes.size(), names_of(report.groups));
}

// Whether the classes of a group are known to differ.
bool known_to_differ(const GroupNoise& group) {
  return group.known() && group.estimate.noisier >= 0;
}

constexpr const char* no_flip_fixes = "no flip fixes that. Leave it out, or use better labels";

// Flips F with T F = target, where T is the group's transition matrix. With two classes they exist
// if the target is at least as noisy in both.
std::vector<double> flips_to(const std::vector<double>& target, const GroupNoise& group) {
  const std::vector<double> t = transition_of(group, 2);
  const double kept = t[0] + t[3] - 1;
  if (!(kept > 0)) {
    throw Error(ErrorKind::impossible, "group '" + group.name +
                                           "' keeps no more of its labels than chance would; " +
                                           no_flip_fixes);
  }
  const double first = std::clamp((t[3] * target[1] - t[1] * target[3]) / kept, 0.0, 1.0);
  const double second = std::clamp((t[0] * target[2] - t[2] * target[0]) / kept, 0.0, 1.0);
  return {1 - first, first, second, 1 - second};
}

// Where the classes of a group are known to differ, each class is made as noisy as in the
// group where it is noisiest. For two classes.
FlipPlan plan_by_class_rates(const AuditReport& report) {
  double first = 0, second = 0;
  for (const GroupNoise& group : report.groups) {
    if (!group.known()) continue;
    const std::vector<double> transition = transition_of(group, 2);
    first = std::max(first, transition[1]);
    second = std::max(second, transition[2]);
  }
  if (!(first + second < 1)) {
    throw Error(ErrorKind::impossible,
                std::string("with each class as noisy as in the group where it is noisiest, a "
                            "group keeps no more of its labels than chance would; ") +
                    no_flip_fixes);
  }
  FlipPlan plan{2, {}, report.groups.size()};
  for (const GroupNoise& group : report.groups) {
    const std::vector<double> flips = group.known()
                                          ? flips_to({1 - first, first, second, 1 - second}, group)
                                          : FlipPlan::nothing(2).flip;
    plan.flip.insert(plan.flip.end(), flips.begin(), flips.end());
  }
  return plan;
}

// Which steps of a plan for the classes of each group are taken.
struct Steps {
  std::vector<char> classes;  // by group: its classes are made equal
  bool groups = false;        // then the groups
};

// Groups of which nothing is known count as the noisiest, and keep their labels.
FlipPlan plan_for_classes_in_groups(const AuditReport& report, const Steps& steps) {
  const std::size_t classes = report.classes.size();
  const std::vector<double> nothing = FlipPlan::nothing(classes).flip;
  const double highest = noisiest_known(report.groups);
  std::vector<double> transitions;
  FlipPlan plan{classes, {}, report.groups.size()};
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    const GroupNoise& group = report.groups[g];
    const bool flips_classes = steps.classes[g] != 0;
    const std::vector<double> own = flips_classes   ? group.estimate.transition
                                    : group.known() ? transition_of(group, classes)
                                                    : symmetric_transition(classes, highest);
    transitions.insert(transitions.end(), own.begin(), own.end());
    const std::vector<double> flips =
        flips_classes ? equal_classes_plan(own, classes, report.classes).flip : nothing;
    plan.flip.insert(plan.flip.end(), flips.begin(), flips.end());
  }
  if (!steps.groups) return plan;
  plan =
      equal_classes_in_groups_plan(transitions, classes, report.classes, names_of(report.groups));
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    if (report.groups[g].known()) continue;
    std::copy(nothing.begin(), nothing.end(),
              plan.flip.begin() + static_cast<std::ptrdiff_t>(g * nothing.size()));
  }
  return plan;
}

FlipPlan plan_for_groups(const AuditReport& report) {
  if (has_one_rate_per_group(report)) return plan_by_one_rate(report);
  if (report.classes.size() == 2) return plan_by_class_rates(report);
  Steps steps{std::vector<char>(report.groups.size()), true};
  return plan_for_classes_in_groups(report, steps);
}

}  // namespace

double one_rate(const GroupNoise& group) {
  return group.symmetric_rate ? group.symmetric_rate->value : group.rate.value;
}

std::vector<double> transition_of(const GroupNoise& group, std::size_t classes) {
  return group.symmetric_rate ? symmetric_transition(classes, group.symmetric_rate->value)
                              : group.estimate.transition;
}

bool has_one_rate_per_group(const AuditReport& report) {
  return std::ranges::all_of(report.groups, [](const GroupNoise& group) {
    return group.symmetric_rate.has_value() || !known_to_differ(group);
  });
}

std::string scope_of(const std::string& asked, const AuditReport& report) {
  if (!asked.empty()) return asked;
  if (report.groups.empty()) return "class";
  // Noise that depends on the class alone is the same in all groups, and is balanced by class.
  if (report.comparison.class_claims.empty()) return "class";
  return std::any_of(report.groups.begin(), report.groups.end(), known_to_differ) ? "class-in-group"
                                                                                  : "group";
}

FlipPlan plan_of_claims(const AuditReport& report) {
  const std::size_t classes = report.classes.size();
  if (report.scope == "class") {
    return report.estimate.noisier >= 0 ? closed_form_plan(report.estimate, report.classes)
                                        : FlipPlan::nothing(classes);
  }
  const bool groups_differ =
      report.comparison.noisier >= 0 || !report.comparison.class_claims.empty();
  if (report.scope == "group") {
    return groups_differ ? plan_for_groups(report) : FlipPlan::nothing(classes);
  }
  Steps steps{{}, groups_differ};
  for (const GroupNoise& group : report.groups) steps.classes.push_back(known_to_differ(group));
  if (!groups_differ && std::count(steps.classes.begin(), steps.classes.end(), 1) == 0) {
    return FlipPlan::nothing(classes);
  }
  return plan_for_classes_in_groups(report, steps);
}

FlipPlan plan_of_estimates(const AuditReport& report) {
  if (report.scope == "class") {
    if (!report.estimate.identified) throw Error(ErrorKind::impossible, nothing_to_force);
    return closed_form_plan(report.estimate, report.classes);
  }
  const auto is_known = [](const GroupNoise& group) { return group.known(); };
  if (std::count_if(report.groups.begin(), report.groups.end(), is_known) < 1) {
    throw Error(ErrorKind::impossible, nothing_to_force);
  }
  if (report.scope == "group") return plan_for_groups(report);
  Steps steps{{}, true};
  for (const GroupNoise& group : report.groups) steps.classes.push_back(group.known());
  return plan_for_classes_in_groups(report, steps);
}

BalanceResult apply_plan(AuditReport report, const Dataset& dataset, std::uint64_t seed) {
  const std::vector<std::int32_t>& given = dataset.labels.codes;
  BalanceResult balanced{std::move(report), {}};
  balanced.codes = apply(balanced.report.plan, given, dataset.groups.codes, seed);
  std::vector<std::size_t>& flipped = balanced.report.flipped;
  flipped.assign(balanced.report.classes.size(), 0);
  for (std::size_t n = 0; n < given.size(); ++n) {
    if (balanced.codes[n] != given[n]) ++flipped[static_cast<std::size_t>(given[n])];
  }
  return balanced;
}

std::optional<FlipPlan> forced_plan(const AuditReport& report) {
  if (report.paper || !report.plan.flips_nothing()) return std::nullopt;
  try {
    FlipPlan plan = plan_of_estimates(report);
    if (plan.flips_nothing()) return std::nullopt;
    return plan;
  } catch (const Error&) {
    return std::nullopt;  // not identified, or a class keeps no more labels than chance would give
  }
}

}  // namespace noiseplus
