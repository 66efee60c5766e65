#include "core/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace noiseplus {
namespace {

constexpr unsigned all_halves = 0x10000;

// The definition of binary16 by arithmetic, not by moving bits. Not for NaN.
double value_of(unsigned half) {
  const double sign = half < 0x8000 ? 1 : -1;
  const int exponent = static_cast<int>(half % 0x8000 / 0x400);
  const double fraction = half % 0x400 / 1024.0;
  if (exponent == 31) return sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -14);
  return sign * std::ldexp(1 + fraction, exponent - 15);
}

bool is_nan_half(unsigned half) {
  return half % 0x8000 > 0x7c00;
}

TEST(Half, EveryHalfBecomesTheFloatOfItsValue) {
  for (unsigned half = 0; half < all_halves; ++half) {
    if (is_nan_half(half)) continue;
    const float widened = widen_half(static_cast<std::uint16_t>(half));
    ASSERT_EQ(static_cast<double>(widened), value_of(half)) << half;
    ASSERT_EQ(std::signbit(widened), half >= 0x8000) << half;  // of zero too
  }
}

TEST(Half, EveryNanStaysThatNan) {
  int seen = 0;
  for (unsigned half = 0; half < all_halves; ++half) {
    if (!is_nan_half(half)) continue;
    const float widened = widen_half(static_cast<std::uint16_t>(half));
    ASSERT_TRUE(std::isnan(widened)) << half;
    ASSERT_EQ(std::signbit(widened), half >= 0x8000) << half;
    ASSERT_EQ(std::bit_cast<std::uint32_t>(widened) % 0x800000, half % 0x400 * 0x2000) << half;
    ++seen;
  }
  EXPECT_EQ(seen, 2 * 1023);
}

}  // namespace
}  // namespace noiseplus
