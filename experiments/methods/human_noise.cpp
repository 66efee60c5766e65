#include "experiments/methods/human_noise.h"

#include "experiments/methods/auto_claims.h"
#include "experiments/methods/comparison.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

constexpr std::size_t searched_for_each_anchor = 8;

NoiseEstimate estimated(const HumanNoiseCase& one, const Execution& execution) {
  const KnownRows& training = one.training;
  NoiseEstimatorOptions options;
  options.seed = one.seed;
  std::vector<std::uint32_t> anchors;
  const bool is_large = training.rows.rows() > one.max_searched;
  if (is_large) {
    anchors = sample_rows(training.rows.rows(), one.max_searched / searched_for_each_anchor,
                          one.seed, Stream::anchors);
    options.anchors = anchors;
  }
  NoiseEstimator evidence(training.rows.view(), one.given, training.classes, options, execution);
  if (!is_large && training.graph.k > 0) evidence.use(training.graph);
  return evidence.estimate(is_large ? EstimatorKind::latent_class : EstimatorKind::automatic);
}

}  // namespace

CellResult human_noise_cell(const HumanNoiseCase& one, const Execution& execution) {
  const KnownRows& training = one.training;
  const std::size_t classes = training.classes.size();
  const NoiseEstimate found = estimated(one, execution);
  Comparison methods(training, one.test, one.train, one.seed, execution);
  methods.add("ce", LossKind::ce, one.given);
  methods.add("forward", LossKind::forward, one.given, found.transition);
  methods.add("co-teaching", LossKind::co_teaching, one.given, found.transition);
  methods.add("balanced-ce", LossKind::ce,
              balanced_by(found, one.given, training.classes, one.seed));
  if (one.clean.empty()) {
    methods.result.facts["not identified"] = found.identified ? 0 : 1;
  } else {
    methods.result.facts =
        claim_of_auto(found, true_transition(one.clean, one.given, classes), classes);
  }
  return std::move(methods.result);
}

}  // namespace noiseplus
