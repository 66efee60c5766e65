#include "experiments/methods/comparison.h"

#include "noiseplus/balance.h"

namespace noiseplus {

std::optional<Codes> balanced_by(const NoiseEstimate& found, const Codes& given,
                                 std::span<const std::string> class_names, std::uint64_t seed) {
  if (!found.identified) return given;
  return possible([&] { return apply(closed_form_plan(found, class_names), given, seed); });
}

Comparison::Comparison(const KnownRows& training, const KnownRows& test, const TrainOptions& train,
                       std::uint64_t seed, const Execution& execution)
    : training_(training), test_(test), train_(train), seed_(seed), execution_(execution) {}

double Comparison::accuracy_after(LossKind loss, const Codes& labels,
                                  const std::vector<double>& transition) const {
  TrainOptions options = train_;
  options.loss = loss;
  options.transition = transition;
  options.seed = options.mlp.seed = seed_;
  options.class_names = training_.classes;
  const TrainResult trained =
      train(training_.rows.view(), {labels, training_.classes.size()}, options, execution_);
  const Matrix answers = probabilities(trained.training.model, test_.rows.view(), execution_);
  return accuracy(answers.view(), test_.clean);
}

void Comparison::add(const std::string& method, LossKind loss, const std::optional<Codes>& labels,
                     const std::vector<double>& transition) {
  if (!labels) return;
  const auto share = possible([&] { return accuracy_after(loss, *labels, transition); });
  if (share) result.add(method, "accuracy", 100 * *share);
}

}  // namespace noiseplus
