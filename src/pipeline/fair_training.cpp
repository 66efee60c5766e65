#include "pipeline/fair_training.h"

#include <algorithm>

#include "noise/scores.h"
#include "pipeline/fair_noise.h"

namespace noiseplus {
namespace {

constexpr std::size_t usual_folds = 5;

// Flips that are drawn add their chance to the constraint, so where the loss allows it they count
// in expectation.
bool flips_in_expectation(const FairProblem& problem) {
  return problem.balanced != nullptr && problem.train.loss == LossKind::ce;
}

std::span<const std::int32_t> labels_of(const FairProblem& problem) {
  return flips_in_expectation(problem) ? std::span<const std::int32_t>(problem.dataset.labels.codes)
                                       : problem.codes;
}

// One matrix per group.
std::vector<double> flips_of(const FlipPlan& plan, std::size_t groups) {
  std::vector<double> flips;
  for (std::size_t z = 0; z < groups; ++z) {
    const std::span<const double> own = plan.of_group(plan.groups > 1 ? z : 0);
    flips.insert(flips.end(), own.begin(), own.end());
  }
  return flips;
}

ConstraintNoise noise_for(const FairProblem& problem, const Execution& execution) {
  const TrainModelOptions& options = problem.options;
  if (!looks_at_labels(*options.fair)) {
    return {{}, false, "demographic parity does not look at labels"};
  }
  if (problem.balanced != nullptr) {
    return noise_after_balancing(*problem.balanced, labels_of(problem),
                                 problem.dataset.groups.codes, options.noise_aware,
                                 flips_in_expectation(problem) ? Flips::before : Flips::after);
  }
  if (!options.noise_aware)
    return {{}, false, "labels are taken as given; --noise-aware accounts for their noise"};
  if (!options.group_noise.empty()) {
    return {options.group_noise, true, "rates are corrected with the noise given for each group"};
  }
  if (problem.audited != nullptr) return estimated_noise(*problem.audited);
  AuditOptions audit = options.audit;
  audit.seed = options.seed;
  audit.positive = options.positive;
  audit.estimator = options.transition;
  audit.compare_routes = false;
  return estimated_noise(noiseplus::audit(problem.dataset, audit, execution));
}

void describe_groups(const FairProblem& problem, FairReport& fair) {
  const Labels& groups = problem.dataset.groups;
  fair.groups = groups.classes;
  fair.group_rows = count_labels(groups.codes, groups.classes.size());
  fair.base_rates =
      positive_shares(labels_of(problem), groups.codes, groups.classes.size(), problem.positive);
  for (std::size_t z = 0; z < fair.noise.size(); ++z) {
    fair.base_rates[z] = clean_share(fair.base_rates[z], fair.noise[z]);
  }
}

}  // namespace

bool looks_at_labels(Constraint constraint) {
  return constraint != Constraint::demographic_parity;
}

void check_fair(const Dataset& dataset, const TrainModelOptions& options) {
  const auto refuse = [](bool is_wrong, const std::string& message) {
    if (is_wrong) throw Error(ErrorKind::usage, message);
  };
  const TrainOptions& train = options.train;
  refuse(dataset.groups.classes.empty(), "--fair needs groups; name their column with --group");
  refuse(dataset.labels.classes.size() != 2, "--fair is for two classes, and the label '" +
                                                 dataset.label_name + "' has " +
                                                 std::to_string(dataset.labels.classes.size()));
  refuse(dataset.groups.classes.size() < 2, "--fair compares groups, and all rows are of one: '" +
                                                dataset.groups.classes.front() + "'");
  refuse(train.loss == LossKind::forward || train.loss == LossKind::co_teaching,
         "--fair goes with the losses ce, backward, peer and group-peer");
  refuse(train.model == ModelKind::trees,
         "--fair goes with the models linear and mlp; give one of them in place of trees");
  refuse(!options.row_weights.empty(), "--fair counts every row once; leave --weights out");
  refuse(train.held_out > 0, "--fair trains on all rows; leave --hold-out out");
  refuse(train.sampled_peers, "--fair takes the expectation over peers; leave --sampled-peers out");
  refuse(options.noise_aware && !looks_at_labels(*options.fair),
         "--noise-aware does nothing for demographic-parity, which does not look at labels");
}

FairTrainResult train_with_constraint_on(const FairProblem& problem, TrainReport& report,
                                         const Execution& execution) {
  const ConstraintNoise noise = noise_for(problem, execution);
  FairOptions options;
  options.constraint = *problem.options.fair;
  options.tolerance = problem.options.tolerance;
  options.noise = noise.noise;
  options.positive = problem.positive;
  options.group_names = problem.dataset.groups.classes;
  options.folds = problem.options.fair_folds;
  if (options.folds == 0 && noise.is_known) options.folds = usual_folds;
  if (flips_in_expectation(problem)) {
    options.expected_flips = flips_of(problem.balanced->plan, options.group_names.size());
  }
  FairTrainResult training =
      train_fair(problem.dataset.features.view(), {labels_of(problem), 2, {}},
                 problem.dataset.groups.codes, problem.train, options, execution);

  FairReport fair;
  fair.constraint = to_string(options.constraint);
  fair.tolerance = options.tolerance;
  fair.judged_by = noise.noise.empty() ? "given labels" : "clean labels";
  fair.why = noise.why;
  fair.noise = noise.noise;
  describe_groups(problem, fair);
  fair.rates = training.rates;
  fair.violation = training.violation;
  fair.error = training.error;
  fair.unconstrained_error = training.free_error;
  fair.unconstrained_violation = training.free_violation;
  fair.shares = training.mixture.shares;
  fair.rounds = training.rounds;
  fair.models_trained = training.models_trained;
  fair.converged = training.converged;
  fair.folds = options.folds;
  report.fair = std::move(fair);
  report.converged = training.converged;
  report.noisy_accuracy = 1 - training.error;
  if (problem.train.loss == LossKind::peer || problem.train.loss == LossKind::group_peer) {
    report.alpha = training.alpha;
    report.trials = training.trials;
  }
  report.warnings.insert(report.warnings.end(), noise.warnings.begin(), noise.warnings.end());
  report.warnings.insert(report.warnings.end(), training.warnings.begin(), training.warnings.end());
  return training;
}

FairnessMetadata promise_of(const FairProblem& problem, const FairReport& fair) {
  FairnessMetadata promise{
      fair.constraint, fair.tolerance, problem.dataset.group_name, fair.groups, {}, {}};
  for (const LabelNoise& noise : fair.noise) {
    promise.negative_noise.push_back(noise.negative);
    promise.positive_noise.push_back(noise.positive);
  }
  return promise;
}

}  // namespace noiseplus
