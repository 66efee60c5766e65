#include "core/intervals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/portable_math.h"

namespace noiseplus {

// Newton's method on the logarithm of the tail. It is concave, so steps from above cannot
// overshoot, and erfc(x) <= exp(-x^2) gives a start that is above.
double two_sided_normal_quantile(double probability) {
  const double wanted = portable::log(probability);
  double z = std::sqrt(-2 * wanted);
  for (int step = 0; step < 100; ++step) {
    const double tail = portable::erfc(z / std::numbers::sqrt2);
    const double density = portable::exp(-z * z / 2) * std::numbers::sqrt2 *
                           std::numbers::inv_sqrtpi;  // of both sides
    const double change = (portable::log(tail) - wanted) * tail / density;
    z += change;
    if (std::abs(change) < 1e-14 * (1 + z)) break;
  }
  return z;
}

EstimateWithInterval wilson_interval(double successes, double trials, double quantile) {
  if (!(trials > 0)) return {0, 0, 1};
  const double share = successes / trials;
  const double square = quantile * quantile;
  const double center = (successes + square / 2) / (trials + square);
  const double half = quantile / (trials + square) *
                      std::sqrt(successes * (trials - successes) / trials + square / 4);
  // The ends are exact where no or every trial succeeds; rounding must not move them past the
  // share.
  return {share, successes > 0 ? std::clamp(center - half, 0.0, share) : 0,
          successes < trials ? std::clamp(center + half, share, 1.0) : 1};
}

double rule_of_three(double trials) {
  constexpr double successes = 3;  // -log(.05), rounded up
  return trials > successes ? successes / trials : 1;
}

EstimateWithInterval newcombe_interval(const EstimateWithInterval& first,
                                       const EstimateWithInterval& second) {
  const double difference = first.value - second.value;
  return {difference,
          difference - portable::hypot(first.value - first.low, second.high - second.value),
          difference + portable::hypot(first.high - first.value, second.value - second.low)};
}

EstimateWithInterval absolute(const EstimateWithInterval& difference) {
  const double value = std::abs(difference.value);
  if (difference.low >= 0) return {value, difference.low, difference.high};
  if (difference.high <= 0) return {value, -difference.high, -difference.low};
  return {value, 0, std::max(-difference.low, difference.high)};
}

}  // namespace noiseplus
