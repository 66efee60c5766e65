#include "neighbours/bound.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "neighbours/kernel.h"

namespace noiseplus {
namespace {

float round_down(double value) {
  const float rounded = static_cast<float>(value);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  return static_cast<double>(rounded) > value ? std::nextafter(rounded, -infinity) : rounded;
}

// g for the rows themselves.
double lost_by_rounding(std::size_t columns) {
  const std::size_t sum_length = std::min(columns, columns_per_sum);
  const std::size_t sums = (columns + columns_per_sum - 1) / columns_per_sum;
  const double roundings = static_cast<double>(sum_length + 2 * sums + 9) * 0x1.0p-24;
  return roundings / (1 - roundings);
}

}  // namespace

ScoreBound::ScoreBound(std::size_t columns, double scale) {
  const auto d = static_cast<double>(columns);
  const double g = lost_by_rounding(columns);
  stretch_ = 1 + (d + 16) * 0x1.0p-52;
  half_stretched_ = 0.5 * scale * scale * stretch_;
  absolute_ = 8 * (d + 1) * 0x1.0p-126;
  uncertain_ = (2 * g + 5 * 0x1.0p-24) / (1 - g);
}

float ScoreBound::limit(double kth_distance) const {
  const double limit = -half_stretched_ * kth_distance - absolute_;
  return round_down(std::max<double>(limit, std::numeric_limits<float>::lowest()));
}

float ScoreBound::implied_limit(float score, double starts) const {
  // A clipped value alone makes a squared norm of 2^96, half of which is the start.
  if (starts <= -0x1.0p94) return std::numeric_limits<float>::lowest();
  const double nearest_score = score + uncertain_ * starts - 2 * absolute_;
  return round_down(std::min(nearest_score, 0.0) * stretch_ * stretch_ - absolute_);
}

float score_start(double squared_norm, std::size_t columns, double storing_error) {
  return -round_down(0.5 * (1 - lost_by_rounding(columns) - storing_error) * squared_norm);
}

}  // namespace noiseplus
