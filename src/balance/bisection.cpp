#include "balance/bisection.h"

#include "core/checks.h"

namespace noiseplus {
namespace {

using FallingGap = std::function<double(double epsilon)>;

std::optional<double> find_right_end(const FallingGap& falling_gap, const PaperOptions& options) {
  if (falling_gap(options.first_right) < -options.gamma) return options.first_right;
  for (const double epsilon : options.other_right) {
    if (falling_gap(epsilon) < -options.gamma) return epsilon;
  }
  return std::nullopt;
}

FoundFlip bisect(const FallingGap& falling_gap, double right, const PaperOptions& options) {
  double left = 0;
  int steps = 0;
  while (steps < options.max_steps) {
    ++steps;
    const double middle = (left + right) / 2;
    const double gap = falling_gap(middle);
    if (gap < -options.gamma) {
      right = middle;
    } else if (gap > options.gamma) {
      left = middle;
    } else {
      break;
    }
  }
  return {(left + right) / 2, steps};
}

}  // namespace

void check_search(const PaperOptions& options) {
  check_number(options.gamma, 0, 1, "gamma");
  check_number(options.first_right, 0, 1, "the first right end");
  for (const double right : options.other_right) check_number(right, 0, 1, "a right end");
  check_that(options.max_steps >= 0, "the number of bisections must be 0 or above");
}

std::optional<FoundFlip> find_flip(const FallingGap& falling_gap, const PaperOptions& options) {
  const std::optional<double> right = find_right_end(falling_gap, options);
  if (!right) return std::nullopt;
  return bisect(falling_gap, *right, options);
}

}  // namespace noiseplus
