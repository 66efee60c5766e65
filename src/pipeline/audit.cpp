#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/format.h"
#include "noise/class_claims.h"
#include "noise/groups/unproved_rates.h"
#include "noise/scores.h"
#include "noiseplus/pipeline.h"
#include "pipeline/advice.h"
#include "pipeline/agreements.h"
#include "pipeline/anchors.h"
#include "pipeline/audit_groups.h"
#include "pipeline/audit_paper.h"
#include "pipeline/giveaway.h"
#include "pipeline/options.h"
#include "pipeline/plans.h"
#include "pipeline/probability_data.h"
#include "pipeline/route_comparison.h"
#include "pipeline/row_order.h"
#include "pipeline/row_quality.h"
#include "pipeline/suspects.h"

namespace noiseplus {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<double> rates_of(const NoiseEstimate& estimate) {
  std::vector<double> rates;
  rates.reserve(estimate.noise.size());
  for (const EstimateWithInterval& rate : estimate.noise) rates.push_back(rate.value);
  return rates;
}

// Why --anchors auto ended where the wanted precision is not reached; empty when it is.
std::string why_imprecise(const AuditReport& report) {
  const auto [wanted, reached] = *report.precision;
  if (reached && *reached <= wanted) return "";
  const std::string missed = fmt::format("--precision {} is not reached: ", wanted);
  if (reached) {
    return missed + fmt::format("all {} rows tell the difference to {:.3g}", report.rows, *reached);
  }
  if (report.anchors == report.rows) {
    return missed + fmt::format("all {} rows do not identify the rates", report.rows);
  }
  return missed + fmt::format(
                      "{} rows do not identify the rates, and there --anchors auto stops; "
                      "--anchors N examines more",
                      report.anchors);
}

class Audit {
 public:
  // A data set without features has those of `rows`, which are made of the probabilities.
  Audit(const Dataset& given, const std::optional<Dataset>& rows, const AuditOptions& options,
        const Execution& execution)
      : given_(given),
        dataset_(rows ? *rows : given),
        has_features_(!rows),
        options_(options),
        execution_(execution) {}

  std::size_t surely_wrong() const { return surely_wrong_; }

  AuditReport run() {
    check_options(dataset_, options_);
    describe();
    if (has_features_) report_.giveaway = find_giveaway(dataset_, options_.seed, execution_);
    if (options_.precision) {
      examine_until_precise(*options_.precision);
    } else {
      examine();
    }
    conclude();
    return std::move(report_);
  }

 private:
  void describe() {
    const RowsView rows = dataset_.features.view();
    const std::size_t classes = dataset_.labels.classes.size();
    report_.label = dataset_.label_name;
    report_.rows = rows.rows;
    report_.features = has_features_ ? rows.columns : 0;
    if (has_probabilities()) report_.probabilities = options_.probabilities_name;
    report_.classes = dataset_.labels.classes;
    report_.class_rows = count_labels(dataset_.labels.codes, classes);
    report_.positive = dataset_.labels.positive(options_.positive);
    report_.k = options_.k;
    report_.metric = options_.metric;
    report_.missing_labels = dataset_.missing_labels;
    report_.warnings = dataset_.warnings;
    for (std::string& similar : similar_names_in(dataset_)) {
      report_.warnings.push_back(std::move(similar));
    }
    report_.plan = FlipPlan::nothing(classes);
    report_.group_name = dataset_.group_name;
  }

  bool has_probabilities() const { return options_.probabilities.rows != 0; }

  EstimatorKind estimator() {
    const EstimatorKind kind = estimator_of(options_);
    const bool sampled =
        options_.precision || (options_.anchors != 0 && options_.anchors < report_.rows);
    if (kind != EstimatorKind::automatic || !sampled) return kind;
    const EstimatorKind by_views =
        report_.classes.size() == 2 ? EstimatorKind::moments : EstimatorKind::latent_class;
    report_.warnings.push_back(fmt::format(
        "with --anchors, auto is {}: to see how far the classes overlap it would need all rows",
        to_string(by_views)));
    return by_views;
  }

  void examine() {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::uint32_t> anchors;
    NoiseEstimatorOptions with = evidence_options(options_, report_.positive);
    with.folds = folds_for(dataset_.labels.codes, report_.classes.size());
    if (options_.anchors != 0 && options_.anchors < report_.rows) {
      anchors = sample_rows(report_.rows, options_.anchors, options_.seed, Stream::anchors);
      with.anchors = anchors;
    }
    NoiseEstimator evidence(dataset_.features.view(), dataset_.labels.codes, report_.classes, with,
                            execution_);
    const EstimatorKind kind = estimator();
    warn_of_unused_probabilities(kind);
    report_.estimate = evidence.estimate(kind);
    report_.anchors = anchors.empty() ? report_.rows : anchors.size();
    report_.estimates[report_.estimate.estimator] = rates_of(report_.estimate);
    if (const ChosenEstimate* chosen = evidence.chosen()) take(*chosen, evidence);
    LabelQuality quality;
    if (wants_rows()) quality = judge_rows(evidence);
    // Before groups judge their own rows, so that the advice does not depend on what is asked for.
    if (anchors.empty()) count_sure_mistakes(evidence, quality);
    if (has_probabilities() && anchors.empty()) {
      for (std::string& doubt :
           doubts_about_probabilities(dataset_, options_, evidence, has_features_, execution_)) {
        report_.warnings.push_back(std::move(doubt));
      }
    }
    if (options_.agreements && anchors.empty()) {
      report_.agreements =
          agreement_curve(dataset_, options_, report_.estimate, evidence, execution_);
    }
    report_.seconds.neighbors = evidence.seconds_searching();
    report_.seconds.estimate = seconds_since(start) - report_.seconds.neighbors;
    if (!dataset_.groups.classes.empty()) {
      // Given probabilities rank rows best by the estimate of all rows: a group has fewer rows to
      // estimate from, and the model may know its noise already (docs/estimators.md).
      const bool by_group = wants_rows() && !has_probabilities();
      examine_groups(dataset_, options_, report_, by_group ? &quality : nullptr, execution_);
      const bool is_one_noise = report_.comparison.class_claims.empty();
      quality.is_calibrated = quality.is_calibrated && (by_group || is_one_noise);
    }
    if (options_.suspects > 0) {
      report_.suspects = find_suspects(given_, quality, evidence.views(), options_.suspects);
    }
    report_.rows_are_calibrated = quality.is_calibrated;
    if (options_.judge_rows) report_.quality = std::move(quality);
  }

  bool wants_rows() const { return options_.judge_rows || options_.suspects > 0; }

  // Judges the rows, unless that is done, only where the labels that are wrong may be few.
  void count_sure_mistakes(NoiseEstimator& evidence, const LabelQuality& judged) {
    constexpr double max_right = .1;          // of a label that is surely wrong
    constexpr double min_found = .5;          // of the labels that are wrong
    constexpr double max_share_to_fix = .05;  // of the rows: more is not a few mistakes but noise
    const double wrong = wrong_share_of(report_.estimate) * static_cast<double>(report_.rows);
    // Where overlap may be all there is, no label is surely wrong: on MNIST's clean digits 112 of
    // 5,000 looked so.
    const bool some_are_wrong = report_.wrong_share && report_.wrong_share->low > 0;
    if (report_.giveaway || !report_.estimate.identified || !some_are_wrong || wrong < 1 ||
        wrong * min_found > max_rows_to_fix) {
      return;
    }
    const LabelQuality quality = judged.right.empty() ? judge_rows(evidence) : judged;
    if (!quality.is_calibrated) return;
    const auto sure = static_cast<std::size_t>(
        std::ranges::count_if(quality.right, [](double right) { return right <= max_right; }));
    const bool settles_it = static_cast<double>(sure) >= min_found * wrong;
    const bool is_few =
        static_cast<double>(sure) <= max_share_to_fix * static_cast<double>(report_.rows);
    if (settles_it && is_few && sure <= max_rows_to_fix) surely_wrong_ = sure;
  }

  void warn_of_unused_probabilities(EstimatorKind kind) {
    const bool looks_at_scores = !needs_views_only(kind) && kind != EstimatorKind::overlap;
    if (!has_probabilities() || !has_features_ || looks_at_scores || wants_rows()) return;
    report_.warnings.push_back(
        fmt::format("the probabilities were not used: {} looks at the labels of neighbors only",
                    to_string(kind)));
  }

  LabelQuality judge_rows(NoiseEstimator& evidence) {
    const JudgedRows rows{dataset_.labels.codes, report_.estimate, report_.mode,
                          options_.probabilities, has_features_};
    LabelQuality quality = noiseplus::judge_rows(rows, evidence, execution_);
    quality.is_calibrated = quality.is_calibrated && !report_.giveaway;
    return quality;
  }

  // What auto has to say, and the other estimators beside it.
  void take(const ChosenEstimate& chosen, NoiseEstimator& evidence) {
    report_.mode = chosen.mode;
    report_.reason = chosen.reason;
    report_.claims = chosen.claims;
    report_.upper_bound_only = chosen.upper_bound_only;
    report_.wrong_share = chosen.wrong_share;
    const ChoiceRule rule;
    const double max_mixed = report_.classes.size() == 2 ? rule.max_mixed_two : rule.max_mixed;
    report_.clusterability = {chosen.disagreement, rule.max_disagreement, chosen.mixed,
                              max_mixed,           chosen.distinct,       rule.min_distinct};
    for (const EstimatorKind other :
         {EstimatorKind::curve, EstimatorKind::latent_class, EstimatorKind::moments,
          EstimatorKind::edges, EstimatorKind::overlap, EstimatorKind::confident}) {
      if (needs_two_classes(other) && report_.classes.size() > 2) continue;
      report_.estimates[std::string(to_string(other))] = rates_of(evidence.estimate(other));
    }
  }

  void examine_until_precise(double precision) {
    auto start = std::chrono::steady_clock::now();
    const EstimatorKind kind = estimator();
    warn_of_unused_probabilities(kind);
    const NoiseEstimatorOptions with = evidence_options(options_, report_.positive);
    NeighborOptions search;
    search.k = with.k;
    search.seed = with.seed;
    search.metric = with.metric;
    GrowingGraph graph(dataset_.features.view(), search, execution_);
    for (std::size_t wanted = first_anchors(precision, report_.rows); wanted != report_.anchors;
         wanted = next_anchors(report_.estimate, report_.anchors, precision, report_.rows)) {
      const NeighborGraph& grown = graph.grow_to(wanted);
      report_.seconds.neighbors += seconds_since(start);
      start = std::chrono::steady_clock::now();
      estimate_from(grown, kind, with);
      report_.seconds.estimate += seconds_since(start);
      start = std::chrono::steady_clock::now();
    }
    report_.precision = {precision, half_width(report_.estimate)};
  }

  void estimate_from(const NeighborGraph& graph, EstimatorKind kind,
                     const NoiseEstimatorOptions& with) {
    report_.anchors = graph.size();
    report_.estimate = kind == EstimatorKind::moments
                           ? estimate_by_moments(graph, dataset_.labels.codes, report_.classes,
                                                 {with.positive, with.views}, execution_)
                           : estimate_by_latent_class(graph, dataset_.labels.codes, report_.classes,
                                                      {}, execution_);
    report_.estimates[report_.estimate.estimator] = rates_of(report_.estimate);
  }

  void conclude() {
    NoiseEstimate& estimate = report_.estimate;
    if (report_.mode.empty()) {
      report_.claims = settle_claims(estimate);
    } else if (estimate.identified) {
      let_unproved_rates_overlap(estimate.noise, report_.claims);
    }
    report_.warnings.insert(report_.warnings.end(), estimate.warnings.begin(),
                            estimate.warnings.end());
    if (report_.giveaway) {
      withdraw_claims(report_);
    } else if (report_.precision) {
      const std::string why = why_imprecise(report_);
      if (!why.empty()) report_.warnings.push_back(why);
    }
    warn_of_row_order();
    // The paper compares groups where there are any.
    const bool by_paper = options_.estimator == "paper";
    report_.scope = scope_of(by_paper && !report_.groups.empty() ? "group" : "", report_);
  }

  // Where an id or another column carries the order, the giveaway has said so.
  void warn_of_row_order() {
    if (report_.giveaway) return;
    std::string warning = row_order_warning(dataset_.labels.codes, report_.classes.size());
    if (!warning.empty()) report_.warnings.push_back(std::move(warning));
  }

  const Dataset& given_;
  const Dataset& dataset_;
  bool has_features_;
  const AuditOptions& options_;
  const Execution& execution_;
  AuditReport report_;
  std::size_t surely_wrong_ = 0;  // labels, where they are few
};

// Sets the plan that the claims justify. An audit also reports on labels that no flip can make
// equally noisy: then it plans nothing, warns, and returns why; else returns "".
std::string plan_or_warn(AuditReport& report) {
  try {
    report.plan = plan_of_claims(report);
    return "";
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::impossible) throw;
    constexpr std::size_t max_size = 300;  // names may be of any length
    std::string why = shorten_text(error.what(), max_size);
    report.warnings.push_back("balancing is not possible: " + why);
    return why;
  }
}

}  // namespace

AuditReport audit(const Dataset& dataset, const AuditOptions& options, const Execution& execution) {
  const std::optional<Dataset> rows = with_probability_rows(dataset, options, execution);
  Audit work(dataset, rows, options, execution);
  AuditReport report = work.run();
  AdviceEvidence evidence;
  evidence.surely_wrong = work.surely_wrong();
  if (options.estimator == "paper" && !report.giveaway) {
    ask_paper(rows ? *rows : dataset, options, PaperVariant::original, report, execution);
  } else {
    evidence.why_no_plan = plan_or_warn(report);
  }
  // Other estimators, and audits of some rows, are chosen for their speed.
  const bool has_time = options.estimator == "auto" && report.anchors == report.rows;
  if (options.compare_routes && has_time && !report.giveaway) {
    const auto start = std::chrono::steady_clock::now();
    evidence.comparison = compare_routes(dataset, options, report, execution);
    report.seconds.estimate += seconds_since(start);
  }
  dataset.features.throw_if_changed();
  report.forced = forced_plan(report);
  report.advice = advise(report, evidence);
  return report;
}

BalanceResult balance(const Dataset& dataset, const BalanceOptions& options,
                      const Execution& execution) {
  const bool by_paper = options.method == "paper" || options.method == "paper-rebalanced";
  const std::optional<Dataset> rows = with_probability_rows(dataset, options.audit, execution);
  const Dataset& looked_at = rows ? *rows : dataset;
  check_options(looked_at, options.audit);
  check_balance_options(looked_at, options);
  AuditOptions how = options.audit;
  if (by_paper) how.estimator = "auto";
  AuditReport report = Audit(dataset, rows, how, execution).run();
  report.scope = by_paper && options.scope.empty() && !report.groups.empty()
                     ? "group"
                     : scope_of(options.scope, report);
  if (by_paper && report.giveaway)
    throw Error(ErrorKind::impossible, giveaway_text(*report.giveaway));
  if (by_paper) {
    ask_paper(looked_at, options.audit,
              options.method == "paper" ? PaperVariant::original : PaperVariant::rebalanced, report,
              execution);
    if (!report.paper->successful) {
      throw Error(ErrorKind::impossible,
                  "unsuccessful: " + report.paper->why + "; try --method closed-form");
    }
  } else {
    report.plan = options.force ? plan_of_estimates(report) : plan_of_claims(report);
  }
  dataset.features.throw_if_changed();
  report.forced = forced_plan(report);
  report.advice = advise(report);
  return apply_plan(std::move(report), dataset, options.audit.seed);
}

}  // namespace noiseplus
