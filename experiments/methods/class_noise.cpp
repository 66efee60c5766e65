#include "experiments/methods/class_noise.h"

#include <algorithm>

#include "experiments/methods/auto_claims.h"
#include "experiments/methods/comparison.h"
#include "noiseplus/balance.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

// A class with too few rows to count agreements on is no success either.
PaperPlan search(const ClassNoiseCase& one, PaperVariant variant, const Execution& execution) {
  PaperSearch search;
  search.variant = variant;
  search.seed = one.seed;
  search.options.gamma = one.gamma;
  const std::vector<std::string>& classes = one.training.classes;
  std::optional<PaperPlan> found = possible([&] {
    return paper_classes_plan(one.training.rows.view(), one.training.graph, one.given, classes,
                              search, execution);
  });
  if (found) return std::move(*found);
  return {{}, FlipPlan::nothing(classes.size())};
}

// Highest minus lowest, in points.
double gap_of(const std::vector<double>& rates) {
  const auto [lowest, highest] = std::minmax_element(rates.begin(), rates.end());
  return 100 * (*highest - *lowest);
}

}  // namespace

CellResult class_noise_cell(const ClassNoiseCase& one, const Execution& execution) {
  const KnownRows& training = one.training;
  const std::size_t classes = training.classes.size();
  NoiseEstimatorOptions options;
  options.seed = one.seed;
  NoiseEstimator evidence(training.rows.view(), one.given, training.classes, options, execution);
  evidence.use(training.graph);
  const NoiseEstimate confident = evidence.estimate(EstimatorKind::confident);
  const NoiseEstimate found = evidence.estimate(EstimatorKind::automatic);
  const PaperPlan paper = search(one, PaperVariant::original, execution);
  const PaperPlan rebalanced = search(one, PaperVariant::rebalanced, execution);

  const auto flipped = [&](const FlipPlan& plan) { return apply(plan, one.given, one.seed); };
  const Codes by_paper = flipped(paper.plan);
  const std::optional<Codes> by_auto = balanced_by(found, one.given, training.classes, one.seed);
  const std::optional<Codes> by_truth = possible(
      [&] { return flipped(equal_classes_plan(one.transition, classes, training.classes)); });
  Comparison methods(training, one.test, one.train, one.seed, execution);
  methods.add("mis-sl", LossKind::backward, one.given,
              misspecified_transition(one.transition, classes, one.seed));
  methods.add("est-sl", LossKind::backward, one.given, confident.transition);
  methods.add("ce", LossKind::ce, one.given);
  methods.add("peer", LossKind::peer, one.given);
  methods.add("paper-ce", LossKind::ce, by_paper);
  methods.add("paper-peer", LossKind::peer, by_paper);
  methods.add("balanced-ce", LossKind::ce, by_auto);
  methods.add("balanced-peer", LossKind::peer, by_auto);
  methods.add("oracle-ce", LossKind::ce, by_truth);
  methods.add("clean-ce", LossKind::ce, training.clean);
  methods.add("rebalanced-ce", LossKind::ce, flipped(rebalanced.plan));
  methods.add("auto-sl", LossKind::backward, one.given, found.transition);

  std::map<std::string, double>& facts = methods.result.facts;
  facts = claim_of_auto(found, one.transition, classes);
  if (by_auto) facts["gap left"] = gap_of(true_rates(training.clean, *by_auto, classes));
  facts["paper unsuccessful"] = paper.search.successful ? 0 : 1;
  facts["rebalanced unsuccessful"] = rebalanced.search.successful ? 0 : 1;
  return std::move(methods.result);
}

}  // namespace noiseplus
