#include "core/intervals.h"

#include <gtest/gtest.h>

#include <cmath>

namespace noiseplus {
namespace {

TEST(Intervals, NormalQuantiles) {
  EXPECT_NEAR(two_sided_normal_quantile(.05), usual_quantile, 1e-12);
  EXPECT_NEAR(two_sided_normal_quantile(.01), 2.5758293035489004, 1e-12);
  EXPECT_NEAR(two_sided_normal_quantile(.5), 0.6744897501960817, 1e-12);
  EXPECT_NEAR(two_sided_normal_quantile(2e-9), 5.9978070150076865, 1e-10);
  EXPECT_NEAR(two_sided_normal_quantile(1), 0, 1e-12);
  for (const double p : {1e-300, 1e-30, 1e-5, .9, .999999}) {
    EXPECT_NEAR(std::erfc(two_sided_normal_quantile(p) / std::sqrt(2.0)) / p, 1, 1e-9) << p;
  }
}

// Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
TEST(Intervals, WilsonAsPublished) {
  const EstimateWithInterval share = wilson_interval(81, 263);
  EXPECT_NEAR(share.value, .3080, 5e-5);
  EXPECT_NEAR(share.low, .2553, 5e-5);
  EXPECT_NEAR(share.high, .3662, 5e-5);
  EXPECT_NEAR(wilson_interval(15, 148).low, .0624, 5e-5);
  EXPECT_NEAR(wilson_interval(15, 148).high, .1605, 5e-5);
  EXPECT_EQ(wilson_interval(0, 20).low, 0);
  EXPECT_NEAR(wilson_interval(0, 20).high, .1611, 5e-5);
  EXPECT_NEAR(wilson_interval(1, 29).low, .0061, 5e-5);
  EXPECT_NEAR(wilson_interval(1, 29).high, .1718, 5e-5);
}

TEST(Intervals, WilsonAtTheEndsAndWithoutTrials) {
  EXPECT_EQ(wilson_interval(20, 20).high, 1);
  EXPECT_NEAR(wilson_interval(20, 20).low, 1 - .1611, 5e-5);
  const EstimateWithInterval unknown = wilson_interval(0, 0);
  EXPECT_EQ(unknown.low, 0);
  EXPECT_EQ(unknown.high, 1);
}

EstimateWithInterval difference(double a, double m, double b, double n) {
  return newcombe_interval(wilson_interval(a, m), wilson_interval(b, n));
}

// Newcombe 1998, "Interval estimation for the difference between independent proportions", table
// II, method 10.
TEST(Intervals, NewcombeAsPublished) {
  const EstimateWithInterval a = difference(56, 70, 48, 80);
  EXPECT_NEAR(a.value, .2, 1e-12);
  EXPECT_NEAR(a.low, .0524, 5e-5);
  EXPECT_NEAR(a.high, .3339, 5e-5);
  const EstimateWithInterval b = difference(9, 10, 3, 10);
  EXPECT_NEAR(b.low, .1705, 5e-5);
  EXPECT_NEAR(b.high, .8090, 5e-5);
  const EstimateWithInterval c = difference(5, 56, 0, 29);
  EXPECT_NEAR(c.low, -.0381, 5e-5);
  EXPECT_NEAR(c.high, .1926, 5e-5);
  const EstimateWithInterval d = difference(10, 10, 0, 10);
  EXPECT_NEAR(d.low, .6075, 5e-5);
  EXPECT_NEAR(d.high, 1, 5e-5);
}

TEST(Intervals, TheSizeOfADifference) {
  EXPECT_EQ(absolute({-.3, -.4, -.1}).low, .1);
  EXPECT_EQ(absolute({-.3, -.4, -.1}).high, .4);
  EXPECT_EQ(absolute({.1, -.3, .2}).low, 0);
  EXPECT_EQ(absolute({.1, -.3, .2}).high, .3);
  EXPECT_EQ(absolute({.3, .1, .4}).low, .1);
}

}  // namespace
}  // namespace noiseplus
