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
  const std::vector<double> kept = nothing(classes).flip;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::span<const double> of_rows = of_group(g);
    if (!std::equal(kept.begin(), kept.end(), of_rows.begin(), of_rows.end())) return false;
  }
  return true;
}

std::vector<double> FlipPlan::after(std::span<const double> transition, std::size_t group) const {
  const std::span<const double> of_rows = of_group(group);
  std::vector<double> product(classes * classes);
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = 0; j < classes; ++j) {
      for (std::size_t between = 0; between < classes; ++between) {
        product[i * classes + j] +=
            transition[i * classes + between] * of_rows[between * classes + j];
      }
    }
  }
  return product;
}

FlipPlan closed_form_plan(const NoiseEstimate& estimate, std::span<const std::string> class_names) {
  const std::size_t classes = estimate.noise.size();
  // Of two classes s is known unclamped, and says more than T.
  if (classes != 2) return equal_classes_plan(estimate.transition, classes, class_names);
  const double s = estimate.s;
  if (s > 1) return FlipPlan::of_two(1, 1 - 1 / s);
  if (s < 1) return FlipPlan::of_two(0, (1 - s) / (2 - s));
  return FlipPlan::nothing(2);
}

std::vector<std::int32_t> apply(const FlipPlan& plan, std::span<const std::int32_t> codes,
                                std::uint64_t seed) {
  if (plan.groups != 1) {
    throw Error(ErrorKind::usage, "the plan is for " + std::to_string(plan.groups) +
                                      " groups; say which group each row is in");
  }
  return draw_labels(codes, plan.classes, plan.flip, seed, Stream::flip);
}

std::vector<std::int32_t> apply(const FlipPlan& plan, std::span<const std::int32_t> codes,
                                std::span<const std::int32_t> groups, std::uint64_t seed) {
  if (plan.groups == 1) return apply(plan, codes, seed);
  return draw_labels(codes, groups, plan.classes, plan.flip, seed, Stream::flip);
}

}  // namespace noiseplus
