#include "balance/even_flips.h"

#include "core/checks.h"

namespace noiseplus {

std::string name_of(const std::string& kind, std::span<const std::string> names, std::size_t i) {
  return kind + " " + (i < names.size() ? names[i] : std::to_string(i));
}

std::vector<double> evenly(const std::vector<double>& epsilons) {
  const std::size_t classes = epsilons.size();
  std::vector<double> flip(classes * classes);
  for (std::size_t c = 0; c < classes; ++c) {
    for (std::size_t j = 0; j < classes; ++j) {
      flip[c * classes + j] =
          j == c ? 1 - epsilons[c] : epsilons[c] / static_cast<double>(classes - 1);
    }
  }
  return flip;
}

FlipPlan even_groups(const std::vector<double>& epsilons, std::size_t classes) {
  FlipPlan plan{classes, {}, epsilons.size()};
  for (const double epsilon : epsilons) {
    const std::vector<double> flip = evenly(std::vector<double>(classes, epsilon));
    plan.flip.insert(plan.flip.end(), flip.begin(), flip.end());
  }
  return plan;
}

void check_classes(std::size_t classes) {
  if (classes < 2)
    throw Error(ErrorKind::impossible, "one class only; there is nothing to balance");
  check_class_count(classes);
}

}  // namespace noiseplus
