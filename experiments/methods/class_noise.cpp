#include "experiments/methods/class_noise.h"

#include <algorithm>

#include "experiments/methods/auto_claims.h"
#include "noiseplus/balance.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

class Comparison {
 public:
  Comparison(const ClassNoiseCase& one, const Execution& execution)
      : case_(one), execution_(execution) {}

  // Whatever `labels` makes, trained with `loss`. Impossible: no value.
  template <typename Labels>
  void add(const std::string& method, LossKind loss, Labels labels,
           const std::vector<double>& transition = {}) try {
    TrainOptions options = case_.train;
    options.loss = loss;
    options.transition = transition;
    options.seed = options.mlp.seed = case_.seed;
    options.class_names = case_.training.classes;
    const std::vector<std::int32_t> codes = labels();
    const Trained trained = train(case_.training.rows.view(),
                                  {codes, case_.training.classes.size()}, options, execution_);
    const Matrix answers =
        probabilities(trained.training.model, case_.test.rows.view(), execution_);
    result_.add(method, "accuracy", 100 * accuracy(answers.view(), case_.test.clean));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::impossible) throw;
  }

  CellResult& result() { return result_; }

 private:
  const ClassNoiseCase& case_;
  const Execution& execution_;
  CellResult result_;
};

// A class with too few rows to count agreements on is no success either.
PaperPlan search(const ClassNoiseCase& one, PaperVariant variant, const Execution& execution) try {
  PaperSearch search;
  search.variant = variant;
  search.seed = one.seed;
  search.options.gamma = one.gamma;
  return paper_classes_plan(one.training.rows.view(), one.training.graph, one.given,
                            one.training.classes, search, execution);
} catch (const Error& error) {
  if (error.kind() != ErrorKind::impossible) throw;
  return {{}, FlipPlan::nothing(one.training.classes.size())};
}

// Labels flipped by the estimate, claimed or not; as they are where it is not identified; nothing
// where a class is at or below chance, and no flip could balance it.
std::optional<std::vector<std::int32_t>> balanced_by(const NoiseEstimate& found,
                                                     const ClassNoiseCase& one) try {
  if (!found.identified) return one.given;
  return apply(closed_form_plan(found, one.training.classes), one.given, one.seed);
} catch (const Error& error) {
  if (error.kind() != ErrorKind::impossible) throw;
  return std::nullopt;
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
  EvidenceOptions options;
  options.seed = one.seed;
  Evidence evidence(training.rows.view(), one.given, training.classes, options, execution);
  evidence.use(training.graph);
  const NoiseEstimate confident = evidence.estimate(EstimatorKind::confident);
  const NoiseEstimate found = evidence.estimate(EstimatorKind::automatic);
  const PaperPlan paper = search(one, PaperVariant::original, execution);
  const PaperPlan rebalanced = search(one, PaperVariant::rebalanced, execution);

  const auto flipped = [&](const FlipPlan& plan) { return apply(plan, one.given, one.seed); };
  const auto given = [&] { return one.given; };
  const auto by_paper = [&] { return flipped(paper.plan); };
  const std::optional<std::vector<std::int32_t>> balanced = balanced_by(found, one);
  Comparison methods(one, execution);
  methods.add("mis-sl", LossKind::backward, given,
              misspecified_transition(one.transition, classes, one.seed));
  methods.add("est-sl", LossKind::backward, given, confident.transition);
  methods.add("ce", LossKind::ce, given);
  methods.add("peer", LossKind::peer, given);
  methods.add("paper-ce", LossKind::ce, by_paper);
  methods.add("paper-peer", LossKind::peer, by_paper);
  if (balanced) {
    methods.add("balanced-ce", LossKind::ce, [&] { return *balanced; });
    methods.add("balanced-peer", LossKind::peer, [&] { return *balanced; });
  }
  methods.add("oracle-ce", LossKind::ce, [&] {
    return flipped(equal_classes_plan(one.transition, classes, training.classes));
  });
  methods.add("clean-ce", LossKind::ce, [&] { return training.clean; });
  methods.add("rebalanced-ce", LossKind::ce, [&] { return flipped(rebalanced.plan); });
  methods.add("auto-sl", LossKind::backward, given, found.transition);
  methods.result().facts = claim_of_auto(found, one.transition, classes);
  if (balanced) {
    methods.result().facts["gap left"] = gap_of(true_rates(training.clean, *balanced, classes));
  }
  methods.result().facts["paper unsuccessful"] = paper.search.successful ? 0 : 1;
  methods.result().facts["rebalanced unsuccessful"] = rebalanced.search.successful ? 0 : 1;
  return std::move(methods.result());
}

}  // namespace noiseplus
