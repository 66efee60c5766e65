#include "pipeline/report_check.h"

#include <algorithm>

#include "core/checks.h"

namespace noiseplus {
namespace {

// A class or a group, or -1 for none.
void check_position(int position, std::size_t count) {
  check_that(position >= -1 && position < static_cast<std::int64_t>(count),
             "the report names a class or a group that is not there");
}

// What is noisier and what is cleaner: both or none.
void check_pair(int noisier, int cleaner, std::size_t count) {
  check_position(noisier, count);
  check_position(cleaner, count);
  check_that((noisier < 0) == (cleaner < 0),
             "the report names what is noisier without what is cleaner, or the reverse");
}

void check_pairs(const std::vector<ClassPair>& pairs, std::size_t count) {
  for (const ClassPair& pair : pairs) {
    check_pair(pair.noisier, pair.cleaner, count);
    check_that(pair.noisier >= 0, "a pair of the report names no class or group");
  }
}

void check_rate(const EstimateWithInterval& rate) {
  for (const double value : {rate.value, rate.low, rate.high}) {
    check_number(value, 0, 1, "a rate of the report");
  }
}

void check_estimate(const NoiseEstimate& estimate, std::size_t classes, bool needs_transition) {
  check_that(estimate.noise.size() == classes && estimate.prior.size() == classes,
             "the report does not have a rate and a prior for each class");
  if (needs_transition || !estimate.transition.empty()) {
    check_square(estimate.transition.size(), classes, 1, "the transition matrix of the report");
  }
  for (const EstimateWithInterval& rate : estimate.noise) check_rate(rate);
  check_pair(estimate.noisier, estimate.cleaner, classes);
  check_position(estimate.leans, classes);
}

void check_plan(const FlipPlan& plan, const AuditReport& report) {
  check_that(plan.classes == report.classes.size() &&
                 (plan.groups == 1 || plan.groups == report.groups.size()),
             "the plan of the report is not of its classes and groups");
  check_square(plan.flip.size(), plan.classes, plan.groups, "the plan of the report");
}

void check_groups(const AuditReport& report) {
  const std::size_t classes = report.classes.size(), groups = report.groups.size();
  for (const GroupNoise& group : report.groups) {
    check_estimate(group.estimate, classes, group.known());
    check_that(
        group.class_upper_bound_only.empty() || group.class_upper_bound_only.size() == classes,
        "a group of the report does not say of each class whether its rate is an upper bound");
    check_rate(group.rate);
  }
  const GroupComparison& found = report.comparison;
  check_pair(found.noisier, found.cleaner, groups);
  check_position(found.leaning, groups);
  check_pairs(found.claims, groups);
  for (const ClassGroupsClaim& claim : found.class_claims) {
    check_position(claim.label, classes);
    check_pair(claim.noisier, claim.cleaner, groups);
    check_that(claim.label >= 0 && claim.noisier >= 0,
               "a claim of the report names no class or no group");
  }
  for (const std::vector<std::size_t>& rows : report.group_class_rows) {
    check_that(rows.size() == classes, "the report does not have the rows of each class and group");
  }
}

void check_paper(const AuditReport& report) {
  const bool of_classes = report.scope == "class";
  const std::size_t parts = of_classes ? report.classes.size() : report.groups.size();
  check_position(report.paper->noisiest, parts);
  if (report.paper->parts.size() == parts) return;
  // A search that could not begin has no parts, and so nothing to compare.
  const int noisier = of_classes ? report.estimate.noisier : report.comparison.noisier;
  check_that(!report.paper->successful && report.paper->parts.empty() && noisier < 0,
             "the paper's search is not of all parts");
}

void check_suspects(const Suspects& suspects, const AuditReport& report) {
  const auto is_class = [&](std::int32_t code) {
    return code >= 0 && static_cast<std::size_t>(code) < report.classes.size();
  };
  for (const Suspect& suspect : suspects.rows) {
    const bool fits =
        is_class(suspect.given) && is_class(suspect.suggested) &&
        std::all_of(suspect.neighbors.begin(), suspect.neighbors.end(), is_class) &&
        (!suspect.group ||
         (*suspect.group >= 0 && static_cast<std::size_t>(*suspect.group) < report.groups.size()));
    check_that(fits, "a suspect of the report has a class or a group that is not there");
  }
}

void check_confusion(const Confusion& confusion, std::size_t classes) {
  check_that(confusion.classes == classes && confusion.class_rows.size() == classes,
             "a confusion of the evaluation is not of its classes");
  check_square(confusion.counts.size(), classes, 1, "the confusion");
  constexpr double max_rows = 1e15;
  for (const double count : confusion.counts) check_number(count, 0, max_rows, "a count of rows");
  confusion.rows();
}

void check_fair_report(const FairReport& fair) {
  const std::size_t groups = fair.groups.size();
  const bool fits = fair.group_rows.size() == groups && fair.base_rates.size() == groups &&
                    (fair.noise.empty() || fair.noise.size() == groups) &&
                    (groups == 0 ? fair.rates.empty() : fair.rates.size() % groups == 0);
  check_that(fits, "the report on fairness does not have the same groups everywhere");
}

}  // namespace

void check_report(const AuditReport& report) {
  const std::size_t classes = report.classes.size();
  check_that(classes > 0, "the report has no classes; fill it by audit or balance");
  check_that(report.positive < classes, "the positive class of the report is not there");
  check_that(report.class_rows.size() == classes,
             "the report does not have the rows of each class");
  check_that(report.upper_bound_only.empty() || report.upper_bound_only.size() == classes,
             "the report does not say of each class whether its rate is an upper bound");
  check_that(report.flipped.empty() || report.flipped.size() == classes,
             "the report does not have the flipped labels of each class");
  check_estimate(report.estimate, classes, true);
  check_pairs(report.claims, classes);
  for (const auto& [name, rates] : report.estimates) {
    check_that(rates.size() == classes,
               "an estimator of the report does not have a rate per class");
  }
  check_groups(report);
  check_plan(report.plan, report);
  if (report.forced) check_plan(*report.forced, report);
  if (report.paper) check_paper(report);
  if (report.agreements) check_position(report.agreements->flipped, classes);
  if (report.suspects) check_suspects(*report.suspects, report);
}

void check_report(const Evaluation& evaluation) {
  const std::size_t classes = evaluation.classes.size();
  check_that(classes > 0, "the evaluation has no classes; fill it by evaluate");
  check_that(evaluation.positive < classes, "the positive class of the evaluation is not there");
  check_confusion(evaluation.all.confusion, classes);
  for (const GroupQuality& group : evaluation.groups) check_confusion(group.confusion, classes);
}

void check_report(const TrainReport& report) {
  const std::size_t classes = report.classes.size();
  check_that(classes > 0, "the report has no classes; fill it by train_model");
  if (!report.transition.empty()) {
    check_square(report.transition.size(), classes, 1, "the transition matrix of the report");
  }
  check_that(report.deltas.size() == report.groups.size(),
             "the report does not have a delta for each group");
  const auto is_chosen = [&](const AlphaTrial& trial) { return trial.alpha == report.alpha; };
  check_that(report.trials.empty() || !report.alpha ||
                 std::any_of(report.trials.begin(), report.trials.end(), is_chosen),
             "the alpha of the report is none of those that were tried");
  check_that(report.steps >= 0, "the number of steps in the report is negative");
  if (report.balanced) {
    check_that(report.balanced->flipped.size() <= report.balanced->classes.size(),
               "the report has flipped labels of more classes than there are");
  }
  if (report.fair) check_fair_report(*report.fair);
}

}  // namespace noiseplus
