#include "pipeline/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/format.h"
#include "core/portable_math.h"

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
  for (const EstimateWithInterval& rate : estimate.noise) {
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

bool classes_differ(const AuditReport& report) {
  const bool usable = !report.paper || report.paper->successful;
  return usable && report.estimate.noisier >= 0 && (report.paper || report.estimate.identified);
}

bool groups_differ(const AuditReport& report) {
  const bool usable = !report.paper || report.paper->successful;
  return usable && (report.comparison.noisier >= 0 || !report.comparison.class_claims.empty());
}

// Whether the plan is one of groups, so that their differences are what counts.
bool is_by_group(const AuditReport& report) {
  return report.scope == "group" || (report.scope == "class-in-group" && !classes_differ(report));
}

bool differs(const AuditReport& report) {
  return is_by_group(report) ? groups_differ(report) : classes_differ(report);
}

// The bounds of balancing and of a corrected loss.
void set_bounds(const AuditReport& report, const std::string& why_no_plan, Advice& advice) {
  const Unequal found = is_by_group(report) ? unequal_groups(report) : unequal_classes(report);
  if (found.kept < min_kept && !why_no_plan.empty()) return;
  const double kept = std::max(found.kept, min_kept);
  const double chance = 4 * lipschitz * complexity(report);
  // The common rate e after the flip has 1 - 2e = kept / (1 + gap).
  if (why_no_plan.empty()) advice.balance_bound = chance * (1 + found.gap) / kept;
  advice.correct_bound = (chance + 2 * max_loss * found.error) / kept;
}

std::string unequal_text(const AuditReport& report) {
  const Unequal found = is_by_group(report) ? unequal_groups(report) : unequal_classes(report);
  return fmt::format("the {} are unequally noisy ({} more than {})", found.kind, found.noisier,
                     found.cleaner);
}

// ------------------------------------------------------------------------------ what was measured

std::string model_text(const RouteComparison& comparison) {
  return comparison.model == ModelKind::trees ? "boosted trees" : "a linear model";
}

// "+1.2 points of accuracy (95 % interval 0.3 to 2.1)"
std::string gain_text(const EstimateWithInterval& gain) {
  return fmt::format("{:+.1f} points of accuracy (95 % interval {:+.1f} to {:+.1f})",
                     100 * gain.value, 100 * gain.low, 100 * gain.high);
}

std::string judged_text(const RouteComparison& comparison, bool is_corrected) {
  return fmt::format("with {}, on {} that were held out, by {}", model_text(comparison),
                     counted(comparison.rows, "row"),
                     is_corrected ? "labels corrected for their noise" : "their given labels");
}

// What is left of a gain after one standard error: what a route must have more of than plain
// training.
double beyond_chance(const RouteGain& gain) {
  return gain.gain.value - gain.standard_error;
}

const RouteGain* best_of(const std::optional<RouteComparison>& comparison) {
  if (!comparison || comparison->gains.empty()) return nullptr;
  return &*std::ranges::max_element(comparison->gains, {}, beyond_chance);
}

// Weights do not move the labels, so that their gain must show on the given ones too. A correction
// by rates that are wrong promised 5 points where .3 were gained (docs/advice.md).
bool counts_on_given(const RouteComparison& comparison, const RouteGain& gain) {
  return comparison.is_corrected && gain.action == "weight" &&
         gain.on_given.value < gain.gain.value;
}

// Less is not worth the work. A sample also exaggerates: more rows teach plain training more.
constexpr double min_gain = .005;

bool is_worth_it(const RouteComparison& comparison, const RouteGain& gain) {
  return beyond_chance(gain) > 0 && gain.gain.value >= min_gain &&
         (!counts_on_given(comparison, gain) || gain.on_given.value >= min_gain);
}

const RouteGain* best_worth_it(const std::optional<RouteComparison>& comparison) {
  const RouteGain* best = nullptr;
  if (!comparison) return best;
  for (const RouteGain& gain : comparison->gains) {
    if (!is_worth_it(*comparison, gain)) continue;
    if (best == nullptr || beyond_chance(gain) > beyond_chance(*best)) best = &gain;
  }
  return best;
}

std::string route_text(const std::string& action) {
  if (action == "weight") return "weighting each row by the probability that its label is right";
  if (action == "correct") return "a loss corrected for the noise rates, such as forward,";
  return "balancing the labels";
}

// ------------------------------------------------------------------------------- what is not known

// Wider intervals of the share of wrong labels, or of the difference between two classes, leave
// open whether there is anything to do.
constexpr double max_width = .2;

// Why nobody can say whether the labels need anything; empty where that is known.
std::string why_unknown(const AuditReport& report) {
  if (report.giveaway) {
    return "it cannot be known how noisy the labels are: columns give them away. Leave these out, "
           "or check some rows by hand first";
  }
  if (report.paper && !report.paper->successful) {
    return "the paper's search is unsuccessful: " + report.paper->why +
           ". Check some rows by hand first";
  }
  if (!report.paper && !report.estimate.identified) {
    return "the rates are not identified, so no flip and no weight can be justified. Check some "
           "rows by hand first";
  }
  if (report.paper || differs(report)) return "";
  const double width = report.wrong_share ? report.wrong_share->high - report.wrong_share->low : 0;
  if (width > max_width) {
    return fmt::format(
        "between {} of all labels are wrong, which is too wide an interval to act on. Check some "
        "rows by hand first",
        span(report.wrong_share->low, report.wrong_share->high));
  }
  return "";
}

// ----------------------------------------------------------------------------------------- actions

Advice by_bounds(const AuditReport& report, const std::string& why_no_plan) {
  Advice advice;
  set_bounds(report, why_no_plan, advice);
  const std::string unequal = unequal_text(report);
  if (!why_no_plan.empty()) {
    // A corrected loss still can account for the rates, unless on the whole labels say no more than
    // chance would.
    advice.action = advice.correct_bound > 0 ? "correct" : "nothing";
    advice.why = advice.action == "nothing"
                     ? why_no_plan
                     : fmt::format(
                           "{}, and balancing is not possible: {}. A corrected loss, such "
                           "as forward, accounts for the rates (bound: {:.2f})",
                           unequal, why_no_plan, advice.correct_bound);
    return advice;
  }
  const Unequal found = is_by_group(report) ? unequal_groups(report) : unequal_classes(report);
  advice.action = advice.balance_bound <= advice.correct_bound ? "balance" : "correct";
  advice.why = fmt::format(
      "{}: plain training would lean towards {}. {} (bounds: {:.2f} after balancing, {:.2f} with a "
      "corrected loss)",
      unequal, found.cleaner,
      advice.action == "balance"
          ? "Flipping labels costs less than the error of the rates would in a corrected loss"
          : "The rates are known so well that a corrected loss, such as forward, costs less than "
            "flipping labels",
      advice.balance_bound, advice.correct_bound);
  return advice;
}

Advice to_gain(const AuditReport& report, const RouteComparison& comparison,
               const RouteGain& best) {
  const bool on_given = counts_on_given(comparison, best);
  Advice advice;
  advice.action = best.action;
  advice.expected_gain = on_given ? best.on_given : best.gain;
  advice.why = (differs(report) ? unequal_text(report) + ". Tried out, " : "tried out, ") +
               fmt::format("{} gains {} over plain training {}", route_text(best.action),
                           gain_text(*advice.expected_gain),
                           judged_text(comparison, comparison.is_corrected && !on_given));
  return advice;
}

Advice to_fix(std::size_t rows) {
  Advice advice;
  advice.action = "fix";
  advice.rows_to_fix = rows;
  advice.why = fmt::format(
      "{} surely wrong, few enough to look at: fix {} by hand, most suspicious first, then train "
      "as usual",
      rows == 1 ? "1 label is" : with_thousands(rows) + " labels are", rows == 1 ? "it" : "them");
  return advice;
}

std::string why_nothing(const AuditReport& report) {
  if (differs(report)) return unequal_text(report);
  const bool by_group = is_by_group(report);
  if (by_group && classes_differ(report)) {
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

Advice to_train_as_usual(const AuditReport& report, const AdviceEvidence& evidence) {
  Advice advice;
  advice.action = "nothing";
  advice.why = why_nothing(report);
  if (const RouteGain* best = best_of(evidence.comparison)) {
    const RouteComparison& comparison = *evidence.comparison;
    const bool on_given = counts_on_given(comparison, *best);
    const EstimateWithInterval& gain = on_given ? best->on_given : best->gain;
    advice.why += fmt::format(
        ". Tried out, no route gains enough: {} changes accuracy by {:+.1f} points (95 % interval "
        "{:+.1f} to {:+.1f}) {}",
        route_text(best->action), 100 * gain.value, 100 * gain.low, 100 * gain.high,
        judged_text(comparison, comparison.is_corrected && !on_given));
  }
  return advice;
}

Advice to_check(const std::string& why) {
  Advice advice;
  advice.action = "check";
  advice.why = why;
  return advice;
}

Advice choose(const AuditReport& report, const AdviceEvidence& evidence) {
  const std::string unknown = why_unknown(report);
  if (!unknown.empty() && (report.giveaway || report.paper)) return to_check(unknown);
  if (report.paper && differs(report)) return by_bounds(report, evidence.why_no_plan);
  if (evidence.surely_wrong > 0) return to_fix(evidence.surely_wrong);
  if (const RouteGain* best = best_worth_it(evidence.comparison)) {
    return to_gain(report, *evidence.comparison, *best);
  }
  if (!unknown.empty()) return to_check(unknown);
  if (differs(report) && !evidence.comparison) return by_bounds(report, evidence.why_no_plan);
  return to_train_as_usual(report, evidence);
}

}  // namespace

double wrong_share_of(const NoiseEstimate& estimate) {
  const std::size_t classes = estimate.prior.size();
  double right = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    right += estimate.prior[c] * estimate.transition[c * classes + c];
  }
  return 1 - right;
}

Advice advise(const AuditReport& report, const AdviceEvidence& evidence) {
  Advice advice = choose(report, evidence);
  if (differs(report) && advice.action != "check") {
    set_bounds(report, evidence.why_no_plan, advice);
  }
  advice.comparison = evidence.comparison;
  return advice;
}

}  // namespace noiseplus
