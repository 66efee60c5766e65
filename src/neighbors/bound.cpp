#include "neighbors/bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "neighbors/kernel.h"

namespace noiseplus {
namespace {

float round_down(double value) {
  const float rounded = static_cast<float>(value);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  return static_cast<double>(rounded) > value ? std::nextafter(rounded, -infinity) : rounded;
}

// g for the rows themselves.
double lost_by_rounding(std::size_t columns) {
  const std::size_t sum_length = std::min(columns, max_columns_per_sum);
  const std::size_t sums = (columns + min_columns_per_sum - 1) / min_columns_per_sum;
  const double roundings = static_cast<double>(2 * sum_length + 2 * sums + 9) * 0x1.0p-24;
  return roundings / (1 - roundings);
}

}  // namespace

ScoreBound::ScoreBound(std::size_t columns, double scale) {
  const auto d = static_cast<double>(columns);
  const double g = lost_by_rounding(columns);
  const double stretch = 1 + (d + 16) * 0x1.0p-52;
  half_stretched_ = 0.5 * scale * scale * stretch;
  absolute_ = 8 * (d + 1) * 0x1.0p-126;
  uncertain_ = static_cast<float>((2 * g + 12 * 0x1.0p-24) / (1 - g));
  implied_stretch_ = static_cast<float>(stretch * stretch + 6 * 0x1.0p-24);
  implied_absolute_ = static_cast<float>(4 * absolute_);
}

float ScoreBound::limit(double kth_distance) const {
  const double limit = -half_stretched_ * kth_distance - absolute_;
  return round_down(std::max<double>(limit, std::numeric_limits<float>::lowest()));
}

float score_start(double squared_norm, std::size_t columns, double storing_error) {
  return -round_down(0.5 * (1 - lost_by_rounding(columns) - storing_error) * squared_norm);
}

}  // namespace noiseplus
