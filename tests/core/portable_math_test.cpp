#include "core/portable_math.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "noiseplus/core.h"

namespace noiseplus {
namespace {

using Reference = std::function<long double(long double)>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double least = std::numeric_limits<double>::denorm_min();

// The distance from a number to the next in size; of a denormal result that of denormals.
long double last_place(long double x) {
  const auto size = static_cast<double>(std::abs(x));
  return static_cast<long double>(std::nextafter(size, infinity)) - static_cast<long double>(size);
}

double error_of(double found, long double wanted) {
  if (static_cast<long double>(found) == wanted) return 0;
  return static_cast<double>(std::abs(static_cast<long double>(found) - wanted) /
                             last_place(wanted));
}

// Long doubles have at least 11 bits more than the result.
void check(double (*function)(double), const Reference& reference, double low, double high,
           double most) {
  static_assert(std::numeric_limits<long double>::digits >= 64);
  double worst = 0, worst_at = 0;
  for (std::uint64_t n = 0; n < 20000; ++n) {
    const double x = low + (high - low) * uniform(1, Stream::generate, n);
    const double error = error_of(function(x), reference(static_cast<long double>(x)));
    if (!(error <= worst)) {
      worst = error;
      worst_at = x;
    }
  }
  EXPECT_LE(worst, most) << "at " << worst_at;
}

long double exp_reference(long double x) {
  return std::exp(x);
}
long double expm1_reference(long double x) {
  return std::expm1(x);
}
long double log_reference(long double x) {
  return std::log(x);
}
long double log1p_reference(long double x) {
  return std::log1p(x);
}
long double erfc_reference(long double x) {
  return std::erfc(x);
}
long double cos_pi_reference(long double x) {
  // Close to a zero of the cosine, pi as a long double would not do; the sine of the rest does.
  const long double y = std::abs(std::remainder(x, 2.0L));
  return y > .25L && y < .75L ? std::sin(std::numbers::pi_v<long double> * (.5L - y))
                              : std::cos(std::numbers::pi_v<long double> * y);
}

TEST(PortableMath, ExpIsWithinOneLastPlace) {
  check(portable::exp, exp_reference, -1, 1, 1);
  check(portable::exp, exp_reference, -708, 709.7, 1);
  check(portable::exp, exp_reference, -745, -708, 1);  // denormal results
}

TEST(PortableMath, Expm1IsWithinTwoLastPlaces) {
  check(portable::expm1, expm1_reference, -1e-9, 1e-9, 2);
  check(portable::expm1, expm1_reference, -1, 1, 2);
  check(portable::expm1, expm1_reference, -45, 45, 2);
  check(portable::expm1, expm1_reference, 40, 709.7, 2);
}

TEST(PortableMath, LogIsWithinOneLastPlace) {
  check(portable::log, log_reference, .5, 2, 1);
  check(portable::log, log_reference, 1 - 1e-7, 1 + 1e-7, 1);
  check(portable::log, log_reference, 0, 1e-3, 1);
  check(portable::log, log_reference, 1, 1e300, 1);
  check(portable::log, log_reference, least, 2e-308, 1);
}

TEST(PortableMath, Log1pIsWithinOneLastPlace) {
  check(portable::log1p, log1p_reference, -1e-9, 1e-9, 1);
  check(portable::log1p, log1p_reference, -.9999, 1, 1);
  check(portable::log1p, log1p_reference, -1, -.9999, 1);
  check(portable::log1p, log1p_reference, 1, 1e17, 1);
}

TEST(PortableMath, ErfcIsWithinFourLastPlaces) {
  check(portable::erfc, erfc_reference, -7, 0, 4);
  check(portable::erfc, erfc_reference, 0, 1, 4);
  check(portable::erfc, erfc_reference, 1, 7, 4);
  check(portable::erfc, erfc_reference, 7, 26.5, 4);
  check(portable::erfc, erfc_reference, 26.5, 27.3, 4);  // denormal results
}

TEST(PortableMath, CosPiIsWithinTwoLastPlaces) {
  check(portable::cos_pi, cos_pi_reference, 0, 2, 2);
  check(portable::cos_pi, cos_pi_reference, -5, 5, 2);
  check(portable::cos_pi, cos_pi_reference, .5 - 1e-9, .5 + 1e-9, 2);
  EXPECT_EQ(portable::cos_pi(0), 1);
  EXPECT_EQ(portable::cos_pi(.5), 0);
  EXPECT_EQ(portable::cos_pi(1), -1);
  EXPECT_EQ(portable::cos_pi(1.5), 0);
  EXPECT_EQ(portable::cos_pi(2), 1);
  EXPECT_EQ(portable::cos_pi(0x1p60), 1);
  EXPECT_TRUE(std::isnan(portable::cos_pi(infinity)));
}

TEST(PortableMath, PowErrsByNoMoreThanItsExponent) {
  for (std::uint64_t n = 0; n < 20000; ++n) {
    const double x = 20 * uniform(1, Stream::generate, n, 0);
    const double y = 40 * uniform(1, Stream::generate, n, 1) - 20;
    const long double wanted = std::pow(static_cast<long double>(x), static_cast<long double>(y));
    EXPECT_LE(error_of(portable::pow(x, y), wanted), 2 + 2 * std::abs(y * std::log(x)))
        << x << " " << y;
  }
  EXPECT_EQ(portable::pow(0, 2), 0);
  EXPECT_EQ(portable::pow(0, 0), 1);
  EXPECT_EQ(portable::pow(0, -1), infinity);
  EXPECT_TRUE(std::isnan(portable::pow(-2, 2)));
}

TEST(PortableMath, HypotIsWithinTwoLastPlacesOfAnySize) {
  for (std::uint64_t n = 0; n < 20000; ++n) {
    const double size = std::ldexp(1, static_cast<int>(n % 2000) - 1000);
    const double x = size * (uniform(1, Stream::generate, n, 0) - .5);
    const double y = size * (uniform(1, Stream::generate, n, 1) - .5);
    const long double wanted = std::hypot(static_cast<long double>(x), static_cast<long double>(y));
    EXPECT_LE(error_of(portable::hypot(x, y), wanted), 2) << x << " " << y;
  }
  EXPECT_EQ(portable::hypot(0, 0), 0);
  EXPECT_EQ(portable::hypot(-3, 0), 3);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(portable::hypot(nan, -infinity), infinity);
  EXPECT_TRUE(std::isnan(portable::hypot(3, nan)));
  EXPECT_TRUE(std::isnan(portable::hypot(nan, 3)));
}

// By the C standard, what <cmath> does with them is exact.
TEST(PortableMath, EdgesAreThoseOfTheStandard) {
  const struct {
    const char* name;
    double (*ours)(double);
    double (*standard)(double);
  } functions[] = {{"exp", portable::exp, std::exp},
                   {"expm1", portable::expm1, std::expm1},
                   {"log", portable::log, std::log},
                   {"log1p", portable::log1p, std::log1p},
                   {"erfc", portable::erfc, std::erfc}};
  for (const auto& function : functions) {
    for (const double x : {0.0, -0.0, infinity, -infinity, 1e308, -1e308, -1.0,
                           std::numeric_limits<double>::quiet_NaN()}) {
      const double wanted = function.standard(x);
      const double found = function.ours(x);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(found)) << function.name << " of " << x;
      } else {
        EXPECT_LE(error_of(found, static_cast<long double>(wanted)), 2)
            << function.name << " of " << x;
        EXPECT_EQ(std::signbit(found), std::signbit(wanted)) << function.name << " of " << x;
      }
    }
  }
  for (const double x : {least, -least, 1e-300, -1e-300}) {
    EXPECT_EQ(portable::expm1(x), x);
    EXPECT_EQ(portable::log1p(x), x);
    EXPECT_EQ(portable::exp(x), 1);
    EXPECT_EQ(portable::erfc(x), 1);
  }
  EXPECT_EQ(portable::exp(709.782712893384), std::exp(709.782712893384));
  EXPECT_EQ(portable::exp(709.7827128933841), infinity);
  EXPECT_EQ(portable::exp(-745.1332191019411), least);
  EXPECT_EQ(portable::exp(-745.1332191019413), 0);
  EXPECT_EQ(portable::erfc(27.3), 0);
}

// The bits themselves: no compiler, CPU or C library may change them. Written by this library; that
// they are near the truth is what the tests above say.
TEST(PortableMath, BitsAreTheSameEverywhere) {
  std::uint64_t sum = 0;
  const auto add = [&](double value) {
    sum = sum * 0x9e3779b97f4a7c15ULL + std::bit_cast<std::uint64_t>(value);
  };
  for (std::uint64_t n = 0; n < 10000; ++n) {
    const double u = uniform(2, Stream::generate, n);
    add(portable::exp(1400 * u - 700));
    add(portable::expm1(4 * u - 2));
    add(portable::log(u));
    add(portable::log1p(10 * u - 1));
    add(portable::erfc(29 * u - 2));
    add(portable::cos_pi(4 * u));
    add(portable::pow(u, 3 * u));
    add(portable::hypot(u, .7));
    add(vector_exp(60 * u - 30));
    add(sigmoid(60 * u - 30));
    add(normal(2, Stream::generate, n, 0));
  }
  EXPECT_EQ(sum, 7295229510717731248U);
}

}  // namespace
}  // namespace noiseplus
