#include <algorithm>
#include <cmath>

#include "core/portable_math.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

constexpr double min_degrees = 4;

}  // namespace

// The expansion of Abramowitz and Stegun, 26.7.5, about the normal quantile.
double student_quantile(double degrees) {
  const double n = std::max(degrees, min_degrees);
  const double z = 1.959963984540054;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  const double z9 = z7 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * n * n * n) +
         (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / (92160 * n * n * n * n);
}

// Turned into the normal statistic of the same probability (Wallace 1959), then looked up.
double student_p_value(double statistic, double degrees) {
  const double n = std::max(degrees, min_degrees);
  if (std::isinf(n)) return portable::erfc(std::abs(statistic) / std::sqrt(2.0));
  const double z =
      (8 * n + 1) / (8 * n + 3) * std::sqrt(n * portable::log1p(statistic * statistic / n));
  return portable::erfc(z / std::sqrt(2.0));
}

}  // namespace noiseplus
