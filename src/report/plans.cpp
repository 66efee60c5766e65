#include "report/plans.h"

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
    if (group.known()) highest = std::max(highest, group.rate.value);
  }
  return highest;
}

FlipPlan plan_for_groups(const AuditReport& report) {
  const double highest = noisiest_known(report.groups);
  std::vector<double> rates;
  rates.reserve(report.groups.size());
  // A group of which nothing is known counts as the noisiest, which is never flipped.
  for (const GroupNoise& group : report.groups) {
    rates.push_back(group.known() ? group.rate.value : highest);
  }
  return equal_groups_plan(rates, report.classes.size(), names_of(report.groups));
}

// Which steps of a plan for the classes of each group are taken.
struct Steps {
  std::vector<char> classes;  // by group: its classes are made equal
  bool groups = false;        // then the groups
};

FlipPlan plan_for_classes_in_groups(const AuditReport& report, const Steps& steps) {
  const std::size_t classes = report.classes.size();
  const FlipPlan nothing = FlipPlan::nothing(classes);
  std::vector<double> transitions;
  FlipPlan inside{classes, {}, report.groups.size()};
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    const GroupNoise& group = report.groups[g];
    const std::vector<double> own = steps.classes[g] != 0
                                        ? group.estimate.transition
                                        : symmetric_transition(classes, group.rate.value);
    transitions.insert(transitions.end(), own.begin(), own.end());
    const FlipPlan flips =
        steps.classes[g] != 0 ? equal_classes_plan(own, classes, report.classes) : nothing;
    inside.flip.insert(inside.flip.end(), flips.flip.begin(), flips.flip.end());
  }
  if (!steps.groups) return inside;
  return equal_classes_in_groups_plan(transitions, classes, report.classes,
                                      names_of(report.groups));
}

// Groups of which nothing is known keep their labels, whatever the plan says of the others.
FlipPlan leaving_unknown(FlipPlan plan, const std::vector<GroupNoise>& groups) {
  const std::vector<double> nothing = FlipPlan::nothing(plan.classes).flip;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].known()) continue;
    std::copy(nothing.begin(), nothing.end(),
              plan.flip.begin() + static_cast<std::ptrdiff_t>(g * nothing.size()));
  }
  return plan;
}

bool known_to_differ(const GroupNoise& group) {
  return group.known() && group.estimate.noisier >= 0;
}

// The noise that a plan may look at: of groups that are known, the others as the noisiest of them.
AuditReport with_known_groups_only(AuditReport report) {
  const double highest = noisiest_known(report.groups);
  for (GroupNoise& group : report.groups) {
    if (!group.known()) group.rate.value = highest;
  }
  return report;
}

}  // namespace

std::string scope_of(const std::string& asked, const AuditReport& report) {
  if (asked.empty()) return report.groups.empty() ? "class" : "group";
  return asked;
}

FlipPlan plan_of_claims(const AuditReport& report) {
  const std::size_t classes = report.classes.size();
  if (report.scope == "class") {
    return report.estimate.noisier >= 0 ? closed_form_plan(report.estimate, report.classes)
                                        : FlipPlan::nothing(classes);
  }
  const bool groups_differ = report.comparison.noisier >= 0;
  if (report.scope == "group") {
    return groups_differ ? plan_for_groups(report) : FlipPlan::nothing(classes);
  }
  Steps steps{{}, groups_differ};
  for (const GroupNoise& group : report.groups) steps.classes.push_back(known_to_differ(group));
  if (!groups_differ && std::count(steps.classes.begin(), steps.classes.end(), 1) == 0) {
    return FlipPlan::nothing(classes);
  }
  return leaving_unknown(plan_for_classes_in_groups(with_known_groups_only(report), steps),
                         report.groups);
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
  return leaving_unknown(plan_for_classes_in_groups(with_known_groups_only(report), steps),
                         report.groups);
}

}  // namespace noiseplus
