#include <algorithm>

#include "noiseplus/balance.h"
#include "noiseplus/data.h"

namespace noiseplus {

FlipPlan FlipPlan::nothing(std::size_t classes) {
  FlipPlan plan{classes, std::vector<double>(classes * classes)};
  for (std::size_t c = 0; c < classes; ++c) plan.flip[c * classes + c] = 1;
  return plan;
}

FlipPlan FlipPlan::of_two(std::size_t flipped_class, double epsilon) {
  FlipPlan plan = nothing(2);
  plan.flip[flipped_class * 2 + flipped_class] = 1 - epsilon;
  plan.flip[flipped_class * 2 + (1 - flipped_class)] = epsilon;
  return plan;
}

bool FlipPlan::flips_nothing() const {
  return flip == nothing(classes).flip;
}

std::vector<double> FlipPlan::after(std::span<const double> transition) const {
  std::vector<double> product(classes * classes);
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = 0; j < classes; ++j) {
      for (std::size_t between = 0; between < classes; ++between) {
        product[i * classes + j] += transition[i * classes + between] * flip[between * classes + j];
      }
    }
  }
  return product;
}

FlipPlan closed_form_plan(const NoiseEstimate& estimate) {
  if (estimate.noise.size() != 2) {
    throw Error(ErrorKind::usage, "the closed form is for two classes");
  }
  const double s = estimate.s;
  if (s > 1) return FlipPlan::of_two(1, 1 - 1 / s);
  if (s < 1) return FlipPlan::of_two(0, (1 - s) / (2 - s));
  return FlipPlan::nothing(2);
}

std::vector<std::int32_t> apply(const FlipPlan& plan, std::span<const std::int32_t> codes,
                                std::uint64_t seed) {
  return draw_labels(codes, plan.classes, plan.flip, seed, Stream::flip);
}

}  // namespace noiseplus
