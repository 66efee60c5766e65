#include "experiments/methods/fair_case.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "learn/held_out.h"
#include "pipeline/fair_noise.h"
#include "pipeline/plans.h"

namespace noiseplus {
namespace {

constexpr std::size_t positive = 1;
constexpr double tolerance = .01;

Labels named(const std::vector<std::int32_t>& codes, const std::vector<std::string>& names) {
  return {codes, names, names};
}

FairResult tested(const FairSet& set, const Mixture& mixture, const Execution& execution) {
  const KnownRows& test = set.rows.test;
  const Matrix answers = probabilities(mixture, test.rows.view(), execution);
  const Evaluation found = evaluate(answers.view(), named(test.clean, test.classes), positive,
                                    named(test.groups, test.group_names));
  return {found.all.accuracy.value, found.equalized_odds_violation->value, 0, false};
}

double worst_spread(const std::vector<ConstrainedRate>& rates) {
  std::map<std::string, double> variances;
  double worst = 0;
  for (const ConstrainedRate& rate : rates) {
    worst = std::max(worst, variances[rate.rate] += rate.spread * rate.spread);
  }
  return std::sqrt(worst);
}

TrainOptions train_options(const FairSet& set, LossKind loss) {
  TrainOptions options;
  options.loss = loss;
  options.alpha_folds = 1;
  options.seed = set.seed;
  options.class_names = set.rows.training.classes;
  return options;
}

FairResult trained(const FairSet& set, std::span<const std::int32_t> codes,
                   const TrainOptions& train, const ConstraintNoise& noise, CountedRows rows,
                   const Execution& execution) {
  const KnownRows& training = set.rows.training;
  FairOptions fair;
  fair.tolerance = tolerance;
  fair.noise = noise.noise;
  fair.positive = positive;
  fair.folds = rows == CountedRows::own ? 0 : 5;
  fair.group_names = training.group_names;
  const FairTrainResult found =
      train_fair(training.rows.view(), {codes, 2, {}}, training.groups, train, fair, execution);
  FairResult result = tested(set, found.mixture, execution);
  result.spread = worst_spread(found.rates);
  result.by_clean_labels = !fair.noise.empty();
  return result;
}

}  // namespace

FairSet fair_set(Split rows, std::uint64_t seed, const Execution& execution) {
  FairSet set{std::move(rows), {}, {}, {}, seed};
  const KnownRows& training = set.rows.training;
  set.group_rows.resize(training.group_names.size());
  for (std::size_t n = 0; n < training.groups.size(); ++n) {
    set.group_rows[static_cast<std::size_t>(training.groups[n])].push_back(
        static_cast<std::uint32_t>(n));
  }
  for (const std::vector<std::uint32_t>& which : set.group_rows) {
    set.group_features.push_back(gather(training.rows.view(), which));
    NeighborOptions options;
    options.k = NoiseEstimatorOptions().voters;
    options.seed = seed;
    set.group_graphs.push_back(
        find_neighbors(set.group_features.back().view(), options, execution));
  }
  return set;
}

FairResult without_constraint(const FairSet& set, std::span<const std::int32_t> codes,
                              const Execution& execution) {
  const TrainResult found = train(set.rows.training.rows.view(), {codes, 2, {}}, {}, execution);
  return tested(set, {{1}, {found.training.model}}, execution);
}

FairResult with_constraint(const FairSet& set, std::span<const std::int32_t> codes,
                           const Execution& execution) {
  return trained(set, codes, train_options(set, LossKind::ce), {}, CountedRows::unseen, execution);
}

FairCase::FairCase(const FairSet& set, const std::vector<double>& rates, std::uint64_t seed,
                   Execution execution)
    : set_(set),
      rates_(rates),
      seed_(seed),
      execution_(std::move(execution)),
      noisy_(with_group_noise(set.rows.training, rates, seed)) {}

// What audit and `balance --scope group --force` do, but for the search of neighbors.
const AuditReport& FairCase::balanced() {
  if (balanced_) return *balanced_;
  const KnownRows& training = set_.rows.training;
  AuditReport report;
  report.classes = training.classes;
  report.scope = "group";
  report.positive = positive;
  report.estimate.estimator = to_string(EstimatorKind::automatic);
  for (std::size_t z = 0; z < training.group_names.size(); ++z) {
    std::vector<std::int32_t> codes;
    for (const std::uint32_t n : set_.group_rows[z]) codes.push_back(noisy_[n]);
    NoiseEstimatorOptions options;
    options.seed = set_.seed;
    NoiseEstimator evidence(set_.group_features[z].view(), codes, training.classes, options,
                            execution_);
    evidence.use(set_.group_graphs[z]);
    const NoiseEstimate estimate = evidence.estimate(EstimatorKind::automatic);
    report.groups.push_back(
        noise_of_group(training.group_names[z], codes.size(), estimate, evidence.chosen()));
  }
  const auto is_known = [](const GroupNoise& group) { return group.known(); };
  if (std::any_of(report.groups.begin(), report.groups.end(), is_known)) {
    report.plan = plan_of_estimates(report);
  }
  balanced_ = std::move(report);
  return *balanced_;
}

AuditReport FairCase::balanced_with(const std::vector<double>& rates) const {
  const KnownRows& training = set_.rows.training;
  AuditReport report;
  report.classes = training.classes;
  report.scope = "group";
  report.positive = positive;
  for (std::size_t z = 0; z < rates.size(); ++z) {
    GroupNoise group;
    group.name = training.group_names[z];
    group.rows = set_.group_rows[z].size();
    group.estimate.identified = true;
    group.rate.value = rates[z];
    report.groups.push_back(group);
  }
  report.plan = plan_of_estimates(report);
  return report;
}

FairResult FairCase::trained_after(const AuditReport& balanced, LossKind loss, JudgedBy judged_by,
                                   CountedRows rows) const {
  const std::vector<std::int32_t>& groups = set_.rows.training.groups;
  const std::vector<std::int32_t> codes = apply(balanced.plan, noisy_, groups, seed_);
  if (judged_by == JudgedBy::given_labels) return constrained(codes, loss, {}, rows);
  return constrained(codes, loss, noise_after_balancing(balanced, codes, groups), rows);
}

FairResult FairCase::constrained(std::span<const std::int32_t> codes, LossKind loss,
                                 const ConstraintNoise& noise, CountedRows rows) const {
  TrainOptions train = train_options(set_, loss);
  if (loss == LossKind::group_peer) {
    train.groups = set_.rows.training.groups;
    for (const double rate : rates_) train.deltas.push_back(1 - 2 * rate);
  }
  return trained(set_, codes, train, noise, rows, execution_);
}

std::optional<FairResult> FairCase::run(FairMethod method, CountedRows rows) try {
  ConstraintNoise truth;
  for (const double rate : rates_) truth.noise.push_back({rate, rate});
  switch (method) {
    case FairMethod::free:
      return without_constraint(set_, noisy_, execution_);
    case FairMethod::lr:
      return constrained(noisy_, LossKind::ce, {}, rows);
    case FairMethod::group_peer:
      return constrained(noisy_, LossKind::group_peer, {}, rows);
    case FairMethod::balanced:
      return trained_after(balanced(), LossKind::ce, JudgedBy::best_labels, rows);
    case FairMethod::balanced_plain:
      return trained_after(balanced(), LossKind::ce, JudgedBy::given_labels, rows);
    case FairMethod::balanced_peer:
      return trained_after(balanced(), LossKind::peer, JudgedBy::best_labels, rows);
    case FairMethod::balanced_truth:
      return trained_after(balanced_with(rates_), LossKind::ce, JudgedBy::best_labels, rows);
    case FairMethod::noise_aware:
      return constrained(noisy_, LossKind::ce, truth, rows);
    case FairMethod::noise_aware_estimate:
      return constrained(noisy_, LossKind::ce, estimated_noise(balanced()), rows);
  }
  return std::nullopt;
} catch (const Error& error) {
  if (error.kind() != ErrorKind::impossible) throw;
  return std::nullopt;
}

}  // namespace noiseplus
