#include "noise/class_claims.h"

#include <gtest/gtest.h>

namespace noiseplus {
namespace {

NoiseEstimate estimate_of(std::vector<EstimateWithInterval> rates, int noisier, int cleaner,
                          EstimateWithInterval gap) {
  NoiseEstimate estimate;
  estimate.noise = std::move(rates);
  estimate.noisier = noisier;
  estimate.cleaner = cleaner;
  estimate.gap = gap;
  estimate.identified = true;
  return estimate;
}

TEST(SettledClaims, WithoutOneIntervalsMeetAndTheGapReachesZero) {
  NoiseEstimate estimate = estimate_of({{.1, .08, .12}, {.3, .28, .32}}, -1, -1, {.2, .17, .23});
  EXPECT_TRUE(settle_claims(estimate).empty());
  EXPECT_EQ(estimate.noise[1].low, .12);
  EXPECT_EQ(estimate.noise[0].low, .08);
  EXPECT_EQ(estimate.gap.low, 0);
}

TEST(SettledClaims, OfTwoClassesAreTheEstimatorsOwn) {
  NoiseEstimate estimate = estimate_of({{.1, .08, .12}, {.3, .28, .32}}, 1, 0, {.2, .17, .23});
  const std::vector<ClassPair> claims = settle_claims(estimate);
  ASSERT_EQ(claims.size(), 1U);
  EXPECT_EQ(claims[0].noisier, 1);
  EXPECT_EQ(claims[0].cleaner, 0);
  EXPECT_EQ(estimate.noise[1].low, .28);
  EXPECT_EQ(estimate.gap.low, .17);
}

// Class 1 is apart from class 0 by a little: more than one comparison explains, and less than
// three do.
TEST(SettledClaims, OfManyClassesAreAllThatChanceDoesNotExplain) {
  NoiseEstimate estimate =
      estimate_of({{.10, .09, .11}, {.1205, .1105, .1305}, {.3, .29, .31}}, 2, 0, {.2, .17, .23});
  const std::vector<ClassPair> claims = settle_claims(estimate);
  ASSERT_EQ(claims.size(), 2U);
  EXPECT_EQ(claims[0].cleaner, 0);
  EXPECT_EQ(claims[1].noisier, 2);
  EXPECT_EQ(claims[1].cleaner, 1);
  EXPECT_EQ(estimate.noise[1].low, .11);
  EXPECT_EQ(estimate.noise[2].low, .29);
}

// Rates that were both solved below 0 are shown alike.
TEST(SettledClaims, ThatTheShownRatesDoNotSupportBecomeLeans) {
  NoiseEstimate alike = estimate_of({{0, 0, .01}, {0, 0, .01}}, 1, 0, {0, 0, .05});
  EXPECT_TRUE(settle_claims(alike).empty());
  EXPECT_EQ(alike.noisier, -1);
  EXPECT_EQ(alike.cleaner, -1);
  EXPECT_EQ(alike.leans, 1);
  NoiseEstimate by_a_hair = estimate_of({{.1, .08, .12}, {.13, .1, .15}}, 1, 0, {.03, 0, .06});
  EXPECT_TRUE(settle_claims(by_a_hair).empty());
  EXPECT_EQ(by_a_hair.leans, 1);
}

TEST(SettledClaims, AreNoneWhereRatesAreNotIdentified) {
  NoiseEstimate estimate = estimate_of({{.1, .05, .15}, {.3, .25, .35}}, -1, -1, {.2, -1, 1});
  estimate.identified = false;
  EXPECT_TRUE(settle_claims(estimate).empty());
  EXPECT_EQ(estimate.gap.low, -1);
  EXPECT_EQ(estimate.noise[0].high, 1);
  EXPECT_EQ(estimate.noise[1].low, 0);
}

}  // namespace
}  // namespace noiseplus
