#include "report/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/format.h"
#include "util/portable_math.h"

namespace noiseplus {
namespace {

// The logistic loss of a score within [-1, 1]: its slope is at most 1, its value log(1 + e).
constexpr double lipschitz = 1;
const double max_loss = portable::log1p(portable::exp(1.0));

// Labels that keep less of the clean ones say no more than chance would.
constexpr double min_kept = .01;

// How far the empirical risk of linear models of so many columns strays from the true one.
double complexity(const AuditReport& report) {
  const std::size_t columns = report.features != 0 ? report.features : report.classes.size();
  return std::sqrt(static_cast<double>(columns) / static_cast<double>(report.rows));
}

// The noise that balancing would make equal.
struct Unequal {
  double gap = 0;                      // highest minus lowest rate
  double kept = 1;                     // 1 - e+ - e- of two classes; (trace T - 1) / (K - 1)
  double error = 0;                    // half of the widest interval
  std::string noisier, cleaner, kind;  // names as in sentences
};

// In full in the report; here it is part of a sentence.
std::string short_quote(const std::string& name) {
  constexpr std::size_t max_size = 100;
  return '\'' + shorten_text(name, max_size) + '\'';
}

double kept_of(const std::vector<double>& transition, std::size_t classes) {
  double trace = 0;
  for (std::size_t c = 0; c < classes; ++c) trace += transition[c * classes + c];
  return (trace - 1) / static_cast<double>(classes - 1);
}

Unequal unequal_classes(const AuditReport& report) {
  const NoiseEstimate& estimate = report.estimate;
  Unequal found;
  const auto name = [&](int c) { return report.classes[static_cast<std::size_t>(c)]; };
  found.gap = estimate.gap.value;
  found.kept = kept_of(estimate.transition, report.classes.size());
  for (const Estimated& rate : estimate.noise) {
    found.error = std::max(found.error, (rate.high - rate.low) / 2);
  }
  found.kind = "classes";
  found.noisier = short_quote(name(estimate.noisier));
  found.cleaner = short_quote(name(estimate.cleaner));
  return found;
}

Unequal unequal_groups(const AuditReport& report) {
  Unequal found;
  const GroupComparison& compared = report.comparison;
  const bool by_share = compared.noisier >= 0;
  const int noisier_at = by_share ? compared.noisier : compared.class_claims.front().noisier;
  const int cleaner_at = by_share ? compared.cleaner : compared.class_claims.front().cleaner;
  const GroupNoise& noisier = report.groups[static_cast<std::size_t>(noisier_at)];
  const GroupNoise& cleaner = report.groups[static_cast<std::size_t>(cleaner_at)];
  found.gap = std::max(noisier.rate.value - cleaner.rate.value, 0.0);
  for (const GroupNoise& group : report.groups) {
    if (!group.known()) continue;
    found.error = std::max(found.error, (group.rate.high - group.rate.low) / 2);
    found.kept = std::min(found.kept, kept_of(group.estimate.transition, report.classes.size()));
  }
  found.kind = "groups";
  found.noisier = short_quote(noisier.name);
  found.cleaner = short_quote(cleaner.name);
  return found;
}

std::string why_nothing(const AuditReport& report, bool by_group, bool classes_differ) {
  if (report.paper && !report.paper->successful) {
    return "the paper's search is unsuccessful: " + report.paper->why;
  }
  if (!report.paper && !report.estimate.identified) {
    return "the rates are not identified, so no flip can be justified";
  }
  if (by_group && classes_differ) {
    return "no difference between the groups is proved; that of the classes is, and balancing by "
           "class is for it";
  }
  const bool bounded = by_group ? std::ranges::any_of(report.groups, &GroupNoise::is_upper_bound)
                                : report.has_upper_bound();
  return std::string(by_group ? "no difference between the groups is proved"
                              : "no difference between the rates is proved") +
         (bounded ? "; where classes overlap the rates are upper bounds, and overlap may be all "
                    "there is"
                  : "");
}

// No flip makes the rates equal. A corrected loss still can account for them, unless on the whole
// labels say no more than chance would.
Advice without_plan(const Unequal& found, double correct_bound, const std::string& why_no_plan) {
  if (found.kept < min_kept) return {"nothing", why_no_plan, 0, 0};
  return {"correct",
          fmt::format("the {} are unequally noisy ({} more than {}), and balancing is not "
                      "possible: {}. A corrected loss, such as forward, accounts for the rates "
                      "(bound: {:.2f})",
                      found.kind, found.noisier, found.cleaner, why_no_plan, correct_bound),
          0, correct_bound};
}

}  // namespace

Advice advise(const AuditReport& report, const std::string& why_no_plan) {
  const bool usable = !report.paper || report.paper->successful;
  const bool classes_differ =
      usable && report.estimate.noisier >= 0 && (report.paper || report.estimate.identified);
  const bool groups_differ =
      usable && (report.comparison.noisier >= 0 || !report.comparison.class_claims.empty());
  const bool by_group =
      report.scope == "group" || (report.scope == "class-in-group" && !classes_differ);
  if (by_group ? !groups_differ : !classes_differ)
    return {"nothing", why_nothing(report, by_group, classes_differ), 0, 0};

  const Unequal found = by_group ? unequal_groups(report) : unequal_classes(report);
  const double kept = std::max(found.kept, min_kept);
  const double chance = 4 * lipschitz * complexity(report);
  Advice advice;
  // The common rate e after the flip has 1 - 2e = kept / (1 + gap).
  advice.balance_bound = chance * (1 + found.gap) / kept;
  advice.correct_bound = (chance + 2 * max_loss * found.error) / kept;
  if (!why_no_plan.empty()) return without_plan(found, advice.correct_bound, why_no_plan);
  advice.action = advice.balance_bound <= advice.correct_bound ? "balance" : "correct";
  advice.why = fmt::format(
      "the {} are unequally noisy ({} more than {}): plain training would lean towards {}. "
      "{} (bounds: {:.2f} after balancing, {:.2f} with a corrected loss)",
      found.kind, found.noisier, found.cleaner, found.cleaner,
      advice.action == "balance"
          ? "Flipping labels costs less than the error of the rates would in a corrected loss"
          : "The rates are known so well that a corrected loss, such as forward, costs less than "
            "flipping labels",
      advice.balance_bound, advice.correct_bound);
  return advice;
}

}  // namespace noiseplus
