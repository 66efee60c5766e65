#include <algorithm>
#include <chrono>

#include "data/checks.h"
#include "data/memory_limit.h"
#include "learn/checks.h"
#include "noiseplus/pipeline.h"
#include "noiseplus/version.h"
#include "pipeline/fair_noise.h"
#include "pipeline/fair_training.h"
#include "pipeline/giveaway.h"
#include "pipeline/group_rows.h"
#include "pipeline/options.h"
#include "pipeline/plans.h"
#include "pipeline/training.h"

namespace noiseplus {
namespace {

class ModelTraining {
 public:
  ModelTraining(const Dataset& dataset, const TrainModelOptions& options,
                const AuditReport* audited, const Execution& execution)
      : dataset_(dataset),
        options_(options),
        audited_(audited),
        execution_(execution),
        train_(options.train) {
    train_.seed = options.seed;
    train_.class_names = dataset.labels.classes;
    report_.label = dataset.label_name;
    report_.loss = to_string(train_.loss);
    report_.model = to_string(train_.model);
    report_.rows = dataset.features.view().rows;
    report_.features = dataset.features.view().columns;
    report_.classes = dataset.labels.classes;
    report_.missing_labels = dataset.missing_labels;
    report_.warnings = dataset.warnings;
    for (std::string& similar : similar_names_in(dataset)) {
      report_.warnings.push_back(std::move(similar));
    }
    const bool uses_groups = train_.loss == LossKind::group_peer || options.fair || options.balance;
    if (!dataset.groups.classes.empty() && !uses_groups) {
      report_.warnings.emplace_back(
          "groups are there for --fair, --balance and --loss group-peer; this model was trained "
          "without them");
    }
  }

  TrainModelResult run() {
    const auto start = std::chrono::steady_clock::now();
    check_classes();
    if (dataset_.features.view().rows == 0 && options_.audit.probabilities.rows != 0) {
      throw Error(ErrorKind::usage, "a model is trained on features; probabilities are none");
    }
    check_dataset(dataset_);
    if (options_.audit.probabilities.rows != 0) {
      check_class_probabilities(options_.audit.probabilities, dataset_.labels.codes.size(),
                                dataset_.labels.classes);
    }
    positive_ = dataset_.labels.positive(options_.positive);
    if (options_.fair) check_fair(dataset_, options_);
    codes_ = dataset_.labels.codes;
    if (options_.balance) balance_labels();
    if (train_.loss == LossKind::group_peer) find_deltas();
    if (needs_transition()) find_transition();
    SavedModel result = saved_frame();
    if (options_.fair) {
      train_with_constraint(result);
    } else {
      const TrainResult trained = train(dataset_.features.view(), labels(), train_, execution_);
      describe(trained);
      result.model = trained.training.model;
    }
    add_notes(result);
    report_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return {std::move(result), report_};
  }

 private:
  GivenLabels labels() const {
    return {codes_, dataset_.labels.classes.size(), options_.row_weights};
  }

  void balance_labels() {
    BalanceOptions with;
    with.audit = options_.audit;
    with.audit.seed = options_.seed;
    with.audit.positive = options_.positive;
    with.audit.estimator = options_.transition == "given" ? "auto" : options_.transition;
    with.scope = options_.scope;
    with.force = options_.force;
    BalanceResult balanced =
        audited_ != nullptr ? balance_as_audited() : balance(dataset_, with, execution_);
    balanced_codes_ = std::move(balanced.codes);
    codes_ = balanced_codes_;
    report_.warnings = balanced.report.warnings;
    report_.balanced = std::move(balanced.report);
  }

  BalanceResult balance_as_audited() const {
    AuditReport report = *audited_;
    report.plan = plan_of_claims(report);
    return apply_plan(std::move(report), dataset_, options_.seed);
  }

  void train_with_constraint(SavedModel& result) {
    const FairProblem problem{dataset_, options_,  train_,
                              codes_,   positive_, report_.balanced ? &*report_.balanced : nullptr,
                              audited_};
    FairTrainResult training = train_with_constraint_on(problem, report_, execution_);
    result.mixture = std::move(training.mixture);
    result.fair = promise_of(problem, *report_.fair);
  }

  void check_classes() const {
    const std::size_t classes = dataset_.labels.classes.size();
    check_class_memory(dataset_.source + ": the label '" + dataset_.label_name + '\'',
                       dataset_.labels.codes.size(), classes);
    if (classes >= 2) return;
    throw Error(ErrorKind::impossible, dataset_.source + ": one class only ('" +
                                           (classes == 0 ? "" : dataset_.labels.classes.front()) +
                                           "'), so there is nothing to learn; give rows of two");
  }

  bool needs_transition() const {
    return train_.loss == LossKind::backward || train_.loss == LossKind::forward ||
           (train_.loss == LossKind::co_teaching && train_.forget < 0);
  }

  EstimatorKind estimator() const {
    const std::optional<EstimatorKind> kind = parse_estimator(options_.transition);
    if (!kind) {
      throw Error(ErrorKind::usage,
                  "--transition " + options_.transition +
                      ": there are auto, curve, moments, latent-class, edges, overlap, confident, "
                      "or a file");
    }
    return *kind;
  }

  // Rates from such features would be those of a rule, not of mistakes.
  void refuse_giveaway() const {
    const std::optional<Giveaway> found = find_giveaway(dataset_, options_.seed, execution_);
    if (!found) return;
    throw Error(ErrorKind::impossible, "the loss needs the noise rates: " + giveaway_text(*found) +
                                           "; or use a loss without rates, such as peer");
  }

  NoiseEstimate estimate(RowsView rows, std::span<const std::int32_t> codes,
                         MatrixView probabilities) const {
    AuditOptions audit = options_.audit;
    audit.seed = options_.seed;
    NoiseEstimatorOptions with = evidence_options(audit, positive_);
    with.folds = options_.folds;
    with.probabilities = probabilities;
    try {
      return NoiseEstimator(rows, codes, dataset_.labels.classes, with, execution_)
          .estimate(estimator());
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      throw Error(ErrorKind::data, "--transition " + options_.transition + ": " + error.what());
    }
  }

  void find_transition() {
    report_.transition_from = options_.transition;
    if (options_.transition == "given") {
      check_transition(train_.transition, dataset_.labels.classes.size());
    } else {
      refuse_giveaway();
      adopt(estimate(dataset_.features.view(), codes_, options_.audit.probabilities));
    }
    if (options_.misspecify) {
      train_.transition =
          misspecified_transition(train_.transition, dataset_.labels.classes.size(), options_.seed);
      report_.transition_from += ", misspecified";
    }
    report_.transition = train_.transition;
    if (report_.transition_from == "given") warn_of_wrong_order();
  }

  // A file with its rows in another order turns labels around, and nothing else would show it.
  void warn_of_wrong_order() {
    const std::vector<std::string>& classes = dataset_.labels.classes;
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const auto row = report_.transition.begin() + static_cast<std::ptrdiff_t>(i * classes.size());
      const auto most = static_cast<std::size_t>(
          std::max_element(row, row + static_cast<std::ptrdiff_t>(classes.size())) - row);
      if (row[static_cast<std::ptrdiff_t>(most)] <= row[static_cast<std::ptrdiff_t>(i)]) continue;
      report_.warnings.push_back("by the transition matrix rows of class '" + classes[i] +
                                 "' are labeled '" + classes[most] +
                                 "' more often than right; is row " + std::to_string(i + 1) +
                                 " the one of '" + classes[i] + "'?");
      return;
    }
  }

  void adopt(const NoiseEstimate& estimate) {
    take_warnings(estimate);
    if (!estimate.identified) {
      throw Error(ErrorKind::impossible, "the loss needs the noise rates: " + why_not(estimate) +
                                             "; give --transition FILE, or use --loss ce or peer");
    }
    train_.transition = estimate.transition;
  }

  // Groups are estimated one by one, and say the same.
  void take_warnings(const NoiseEstimate& estimate) {
    std::vector<std::string>& all = report_.warnings;
    for (const std::string& warning : estimate.warnings) {
      if (std::find(all.begin(), all.end(), warning) == all.end()) all.push_back(warning);
    }
  }

  static std::string why_not(const NoiseEstimate& estimate) {
    std::string reason = "not identified";
    for (const std::string& warning : estimate.warnings) {
      if (warning.starts_with(reason)) return warning;
    }
    return reason;
  }

  // delta = (trace T - 1) / (K - 1), which is 1 - e+ - e- of two classes.
  void find_deltas() {
    if (dataset_.groups.classes.empty()) {
      throw Error(ErrorKind::usage, "group-peer needs groups; name their column with --group");
    }
    report_.groups = dataset_.groups.classes;
    train_.groups = dataset_.groups.codes;
    if (options_.transition == "given") {
      report_.deltas = train_.deltas;
      return;
    }
    refuse_giveaway();
    const std::size_t classes = dataset_.labels.classes.size();
    train_.deltas.clear();
    if (report_.balanced && classes == 2) {
      for (const LabelNoise& noise : noise_left(*report_.balanced)) {
        train_.deltas.push_back(1 - noise.negative - noise.positive);
      }
    }
    const RowsByGroup by_group(dataset_, codes_);
    for (std::size_t g = train_.deltas.size(); g < dataset_.groups.classes.size(); ++g) {
      const GroupRows part = by_group.of(g);
      Matrix probabilities;
      if (options_.audit.probabilities.rows != 0) {
        probabilities = by_group.pick(options_.audit.probabilities, g);
      }
      const NoiseEstimate found =
          estimate_of_group(part, probabilities.view(), dataset_.groups.classes[g]);
      take_warnings(found);
      double trace = 0;
      for (std::size_t c = 0; c < classes; ++c) trace += found.transition[c * classes + c];
      train_.deltas.push_back((trace - 1) / static_cast<double>(classes - 1));
    }
    report_.transition_from = options_.transition;
    report_.deltas = train_.deltas;
  }

  NoiseEstimate estimate_of_group(const GroupRows& part, MatrixView probabilities,
                                  const std::string& name) const {
    NoiseEstimate found;
    try {
      found = estimate(part.rows.view(), part.codes, probabilities);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::data) throw;
      throw Error(ErrorKind::data, "group '" + name + "': " + error.what());
    }
    if (found.identified) return found;
    throw Error(ErrorKind::impossible, "group '" + name + "': " + why_not(found) +
                                           "; give --group-rate, or use --loss peer");
  }

  void describe(const TrainResult& trained) {
    const FitResult& training = trained.training;
    report_.alpha.reset();
    if (train_.loss == LossKind::peer || train_.loss == LossKind::group_peer) {
      report_.alpha = trained.alpha;
    }
    report_.trials = trained.trials;
    report_.steps = training.steps;
    report_.converged = training.converged;
    report_.objective = training.loss;
    report_.held_out_accuracy = training.held_out_accuracy;
    report_.noisy_accuracy = accuracy(
        probabilities(training.model, dataset_.features.view(), {execution_.threads, {}}).view(),
        codes_);
    if (train_.loss == LossKind::backward && training.loss < 0) {
      report_.warnings.push_back(
          "the corrected loss ended at " + format_number(training.loss) +
          ", and that of clean labels is never below 0: the transition matrix claims more noise "
          "than there is, or rows are learned by heart; check the matrix, or use more " +
          (train_.model == ModelKind::linear  ? "--ridge"
           : train_.model == ModelKind::trees ? "--leaf-ridge or --hold-out"
                                              : "--weight-decay or --hold-out"));
    }
    if (!training.converged && !training.held_out_accuracy) {
      report_.warnings.push_back("the optimizer did not converge in " +
                                 std::to_string(training.steps) +
                                 " steps; scale the columns, or raise --ridge or --steps");
    }
  }

  SavedModel saved_frame() const {
    SavedModel result;
    result.classes = dataset_.labels.classes;
    result.spellings = dataset_.labels.spellings;
    result.label = dataset_.label_name;
    result.positive = positive_;
    result.recipe = dataset_.recipe;
    return result;
  }

  void add_notes(SavedModel& result) const {
    result.notes = {{"version", version()},
                    {"loss", report_.loss},
                    {"rows", std::to_string(report_.rows)},
                    {"seed", std::to_string(options_.seed)}};
    if (report_.alpha) result.notes.emplace_back("alpha", format_number(*report_.alpha));
    if (!report_.transition_from.empty()) {
      result.notes.emplace_back("transition", report_.transition_from);
    }
    if (report_.balanced) result.notes.emplace_back("balanced", report_.balanced->scope);
  }

  const Dataset& dataset_;
  const TrainModelOptions& options_;
  const AuditReport* audited_;
  const Execution& execution_;
  TrainOptions train_;
  TrainReport report_;
  std::size_t positive_ = 0;
  std::vector<std::int32_t> balanced_codes_;
  std::span<const std::int32_t> codes_;  // labels it is trained on
};

}  // namespace

TrainModelResult train_as_told(const Dataset& dataset, const TrainModelOptions& options,
                               const AuditReport* audited, const Execution& execution) {
  TrainModelResult trained = ModelTraining(dataset, options, audited, execution).run();
  dataset.features.throw_if_changed();
  return trained;
}

}  // namespace noiseplus
