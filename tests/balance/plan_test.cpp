#include <gtest/gtest.h>

#include "noiseplus/balance.h"
#include "support.h"

namespace noiseplus {
namespace {

NoiseEstimate with_rates(double e0, double e1) {
  NoiseEstimate estimate;
  estimate.noise = {{e0, e0, e0}, {e1, e1, e1}};
  estimate.transition = {1 - e0, e0, e1, 1 - e1};
  estimate.s = 1 - e1 + e0;
  return estimate;
}

TEST(Plan, TestVectors) {
  // p = .24, e+ = .2, e- = .1: flip 0s with 1/11.
  const FlipPlan a = closed_form_plan(with_rates(.1, .2));
  EXPECT_NEAR(a.flip[1], 1.0 / 11, 1e-12);
  EXPECT_EQ(a.flip[2], 0);
  // p = .5, e+ = .1, e- = .3: flip 1s with 1/6.
  const FlipPlan b = closed_form_plan(with_rates(.3, .1));
  EXPECT_NEAR(b.flip[2], 1.0 / 6, 1e-12);
  EXPECT_EQ(b.flip[1], 0);
  // e+ = .4, e- = .2: flip 0s with 1/6.
  EXPECT_NEAR(closed_form_plan(with_rates(.2, .4)).flip[1], 1.0 / 6, 1e-12);
  EXPECT_TRUE(closed_form_plan(with_rates(.2, .2)).flips_nothing());
}

TEST(Plan, MakesTheRatesEqual) {
  for (const double e0 : {0.0, .1, .25, .4}) {
    for (const double e1 : {0.0, .15, .3, .45}) {
      const NoiseEstimate estimate = with_rates(e0, e1);
      const FlipPlan plan = closed_form_plan(estimate);
      const std::vector<double> after = plan.after(estimate.transition);
      EXPECT_NEAR(after[0], after[3], 1e-12);
      const double s = 1 - e1 + e0;
      const double common = s >= 1 ? e0 / s : e1 / (2 - s);
      EXPECT_NEAR(1 - after[0], common, 1e-12);
    }
  }
}

TEST(Plan, AppliedFlipsAreNestedAndOfOneClass) {
  std::vector<std::int32_t> codes(20000);
  for (std::size_t n = 0; n < codes.size(); ++n) codes[n] = n % 2 == 0 ? 1 : 0;
  const auto few = apply(FlipPlan::of_two(0, .1), codes, 3);
  const auto many = apply(FlipPlan::of_two(0, .2), codes, 3);
  int flipped_few = 0;
  int flipped_many = 0;
  for (std::size_t n = 0; n < codes.size(); ++n) {
    if (codes[n] == 1) {
      ASSERT_EQ(many[n], 1);
    }
    if (few[n] != codes[n]) {
      ASSERT_NE(many[n], codes[n]);
    }
    flipped_few += few[n] != codes[n] ? 1 : 0;
    flipped_many += many[n] != codes[n] ? 1 : 0;
  }
  EXPECT_NEAR(flipped_few, 1000, 4 * 30);
  EXPECT_NEAR(flipped_many, 2000, 4 * 40);
}

TEST(Plan, NothingFlipsNothing) {
  const std::vector<std::int32_t> codes = {0, 1, 2, 1};
  EXPECT_EQ(apply(FlipPlan::nothing(3), codes, 3), codes);
}

}  // namespace
}  // namespace noiseplus
