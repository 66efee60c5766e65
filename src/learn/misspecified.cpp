#include <algorithm>
#include <numeric>

#include "core/checks.h"
#include "learn/checks.h"

namespace noiseplus {
namespace {

// Diagonals that add up to the trace, drawn one after the other, each evenly from what leaves room
// for those that follow; in random order, because the first has the widest choice.
std::vector<double> random_diagonal(double trace, std::size_t classes, std::uint64_t seed) {
  const double lowest = trace > 1 ? 1 / static_cast<double>(classes) : 0;
  std::vector<std::size_t> order(classes);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return hash(seed, Stream::misspecify, a, 0) < hash(seed, Stream::misspecify, b, 0);
  });
  std::vector<double> diagonal(classes);
  double left = trace;
  for (std::size_t i = 0; i < classes; ++i) {
    const auto others = static_cast<double>(classes - i - 1);
    const double low = std::max(lowest, left - others);
    const double high = std::min(1.0, left - others * lowest);
    const double value = low + (high - low) * uniform(seed, Stream::misspecify, order[i], 1);
    diagonal[order[i]] = value;
    left -= value;
  }
  return diagonal;
}

}  // namespace

std::vector<double> misspecified_transition(std::span<const double> transition, std::size_t classes,
                                            std::uint64_t seed) {
  check_that(classes >= 2, "noise needs two classes at least");
  check_transition(transition, classes);
  double trace = 0;
  for (std::size_t c = 0; c < classes; ++c) trace += transition[c * classes + c];
  const std::vector<double> diagonal = random_diagonal(trace, classes, seed);
  std::vector<double> matrix(classes * classes);
  for (std::size_t i = 0; i < classes; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < classes; ++j) {
      matrix[i * classes + j] = i == j ? 0 : uniform(seed, Stream::misspecify, i, 2 + j);
      sum += matrix[i * classes + j];
    }
    for (std::size_t j = 0; j < classes; ++j) matrix[i * classes + j] *= (1 - diagonal[i]) / sum;
    matrix[i * classes + i] = diagonal[i];
  }
  return matrix;
}

}  // namespace noiseplus
