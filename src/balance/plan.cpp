#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "noiseplus/balance.h"
#include "noiseplus/data.h"

namespace noiseplus {

FlipPlan FlipPlan::nothing(std::size_t classes) {
  check_class_count(classes);
  FlipPlan plan{classes, std::vector<double>(classes * classes)};
  for (std::size_t c = 0; c < classes; ++c) plan.flip[c * classes + c] = 1;
  return plan;
}

FlipPlan FlipPlan::of_two(std::size_t flipped_class, double epsilon) {
  check_that(flipped_class < 2, "the flipped class of two is neither 0 nor 1");
  check_number(epsilon, 0, 1, "the probability of a flip");
  FlipPlan plan = nothing(2);
  plan.flip[flipped_class * 2 + flipped_class] = 1 - epsilon;
  plan.flip[flipped_class * 2 + (1 - flipped_class)] = epsilon;
  return plan;
}

bool FlipPlan::flips_nothing() const {
  check_square(flip.size(), classes, groups, "the plan");
  const std::vector<double> kept = nothing(classes).flip;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::span<const double> of_rows = of_group(g);
    if (!std::equal(kept.begin(), kept.end(), of_rows.begin(), of_rows.end())) return false;
  }
  return true;
}

std::span<const double> FlipPlan::of_group(std::size_t group) const {
  check_square(flip.size(), classes, groups, "the plan");
  check_that(group < groups, "the plan has no such group; count groups from 0");
  return {flip.data() + group * classes * classes, classes * classes};
}

std::vector<double> FlipPlan::after(std::span<const double> transition, std::size_t group) const {
  const std::span<const double> of_rows = of_group(group);
  check_square(transition.size(), classes, 1, "the transition matrix");
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
  check_that(std::isfinite(s), "s of the estimate is not a number; estimate the noise first");
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
  check_square(plan.flip.size(), plan.classes, 1, "the plan");
  return draw_labels(codes, plan.classes, plan.flip, seed, Stream::flip);
}

std::vector<std::int32_t> apply(const FlipPlan& plan, std::span<const std::int32_t> codes,
                                std::span<const std::int32_t> groups, std::uint64_t seed) {
  if (plan.groups == 1) return apply(plan, codes, seed);
  check_square(plan.flip.size(), plan.classes, plan.groups, "the plan");
  return draw_labels(codes, groups, plan.classes, plan.flip, seed, Stream::flip);
}

}  // namespace noiseplus
