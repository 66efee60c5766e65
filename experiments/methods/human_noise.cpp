#include "experiments/methods/human_noise.h"

#include "experiments/methods/auto_claims.h"
#include "noiseplus/balance.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

constexpr std::size_t searched_for_each_anchor = 8;

NoiseEstimate estimated(const HumanNoiseCase& one, const Execution& execution) {
  const KnownRows& training = one.training;
  EvidenceOptions options;
  options.seed = one.seed;
  std::vector<std::uint32_t> anchors;
  const bool is_large = training.rows.rows() > one.most_searched;
  if (is_large) {
    anchors = sample_rows(training.rows.rows(), one.most_searched / searched_for_each_anchor,
                          one.seed, Stream::anchors);
    options.anchors = anchors;
  }
  Evidence evidence(training.rows.view(), one.given, training.classes, options, execution);
  if (!is_large && training.graph.k > 0) evidence.use(training.graph);
  return evidence.estimate(is_large ? EstimatorKind::latent_class : EstimatorKind::automatic);
}

}  // namespace

CellResult human_noise_cell(const HumanNoiseCase& one, const Execution& execution) {
  const KnownRows& training = one.training;
  const std::size_t classes = training.classes.size();
  const NoiseEstimate found = estimated(one, execution);
  CellResult result;
  const auto add = [&](const std::string& method, LossKind loss,
                       std::span<const std::int32_t> codes) {
    TrainOptions options = one.train;
    options.loss = loss;
    options.transition = found.transition;
    options.seed = options.mlp.seed = one.seed;
    options.class_names = training.classes;
    const Trained trained = train(training.rows.view(), {codes, classes}, options, execution);
    const Matrix answers = probabilities(trained.training.model, one.test.rows.view(), execution);
    result.add(method, "accuracy", 100 * accuracy(answers.view(), one.test.clean));
  };
  const auto possible = [](const auto& work) {
    try {
      work();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::impossible) throw;
    }
  };
  possible([&] { add("ce", LossKind::ce, one.given); });
  possible([&] { add("forward", LossKind::forward, one.given); });
  possible([&] { add("co-teaching", LossKind::co_teaching, one.given); });
  possible([&] {
    const std::vector<std::int32_t> balanced =
        found.identified ? apply(closed_form_plan(found, training.classes), one.given, one.seed)
                         : std::vector<std::int32_t>(one.given.begin(), one.given.end());
    add("balanced-ce", LossKind::ce, balanced);
  });
  if (one.clean.empty()) {
    result.facts["not identified"] = found.identified ? 0 : 1;
  } else {
    result.facts = claim_of_auto(found, true_transition(one.clean, one.given, classes), classes);
  }
  return result;
}

}  // namespace noiseplus
