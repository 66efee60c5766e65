#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

NoiseEstimate two_rates(Estimated first, Estimated second) {
  NoiseEstimate estimate;
  estimate.estimator = "latent-class";
  estimate.identified = true;
  estimate.noise = {first, second};
  estimate.prior = {.5, .5};
  estimate.transition = {1 - first.value, first.value, second.value, 1 - second.value};
  return estimate;
}

GroupNoise group(const std::string& name, double rate, double half_width = .02) {
  const Estimated each{rate, rate - half_width, rate + half_width};
  return noise_of_group(name, 1000, two_rates(each, each), nullptr);
}

TEST(Groups, OneRateForAllClassesFollowsTheBetterKnown) {
  const GroupNoise alike = noise_of_group("a", 10, two_rates({.1, .0, .2}, {.3, .2, .4}), nullptr);
  EXPECT_NEAR(alike.rate.value, .2, 1e-9);
  // A third of the error has nine times the weight.
  const GroupNoise unlike =
      noise_of_group("a", 10, two_rates({.1, .07, .13}, {.3, .21, .39}), nullptr);
  EXPECT_NEAR(unlike.rate.value, .12, 1e-3);
  EXPECT_LT(unlike.rate.high - unlike.rate.value, .03);
}

TEST(Groups, DoubtLowersTheWeightAndTheLowEnd) {
  ChosenEstimate chosen;
  chosen.estimate = two_rates({.1, .08, .12}, {.4, .08, .42});
  chosen.doubts = {0, .3};
  chosen.covariance = {.0001, 0, 0, .0001};
  const GroupNoise found = noise_of_group("a", 1000, chosen.estimate, &chosen);
  EXPECT_NEAR(found.rate.value, .1, .01);
  EXPECT_GT(found.doubt, 0);
  EXPECT_LT(found.doubt, .01);
}

TEST(Groups, RatesThatErrTogetherMakeUpForEachOther) {
  ChosenEstimate chosen;
  chosen.estimate = two_rates({.1, 0, .3}, {.4, .2, .6});
  chosen.doubts = {0, 0};
  chosen.covariance = {.01, -.0099, -.0099, .01};
  const GroupNoise found = noise_of_group("a", 1000, chosen.estimate, &chosen);
  EXPECT_NEAR(found.rate.value, .25, 1e-6);
  EXPECT_LT(found.error, .01);
}

TEST(Groups, ClaimsAreThoseBeyondChance) {
  const std::vector<GroupNoise> groups = {group("a", .1), group("b", .3), group("c", .31)};
  const GroupComparison found = compare_groups(groups);
  EXPECT_EQ(found.noisier, 2);
  EXPECT_EQ(found.cleaner, 0);
  EXPECT_EQ(found.claims.size(), 2U);
  EXPECT_EQ(found.claims_total, 2U);
  EXPECT_NEAR(found.gap.value, .21, 1e-12);
  EXPECT_LT(found.p_value, 1e-6);
  EXPECT_EQ(found.leaning, -1);
}

TEST(Groups, OnlyTheClearestOfVeryManyClaimsAreKept) {
  std::vector<GroupNoise> groups;
  const std::size_t half = 60;
  for (std::size_t i = 0; i < half; ++i) {
    groups.push_back(group("clean", .1 + .0001 * static_cast<double>(i)));
  }
  for (std::size_t i = 0; i < half; ++i) {
    groups.push_back(group("noisy", .4 + .0001 * static_cast<double>(i)));
  }
  const GroupComparison found = compare_groups(groups);
  EXPECT_EQ(found.claims_total, half * half);
  ASSERT_EQ(found.claims.size(), max_group_claims);
  EXPECT_EQ(found.noisier, static_cast<int>(2 * half - 1));
  EXPECT_EQ(found.cleaner, 0);
  // The clearest are those of the largest difference, here of positions.
  int smallest = static_cast<int>(groups.size());
  for (std::size_t i = 0; i < found.claims.size(); ++i) {
    const ClassPair pair = found.claims[i];
    smallest = std::min(smallest, pair.noisier - pair.cleaner);
    if (i == 0) continue;
    const ClassPair before = found.claims[i - 1];
    EXPECT_LT(std::pair(before.noisier, before.cleaner), std::pair(pair.noisier, pair.cleaner));
  }
  std::size_t clearer = 0;
  for (int noisier = half; noisier < static_cast<int>(2 * half); ++noisier) {
    for (int cleaner = 0; cleaner < static_cast<int>(half); ++cleaner) {
      clearer += noisier - cleaner > smallest ? 1 : 0;
    }
  }
  EXPECT_LT(clearer, max_group_claims);
}

TEST(Groups, ManyPairsNeedMoreEvidence) {
  // By chance alone .05 differ; of two groups that is a claim, of twelve one among 66 pairs.
  std::vector<GroupNoise> groups = {group("a", .1), group("b", .15)};
  EXPECT_EQ(compare_groups(groups).noisier, 1);
  const double alone = compare_groups(groups).p_value;
  for (int i = 0; i < 10; ++i) groups.push_back(group("g", .12));
  EXPECT_EQ(compare_groups(groups).noisier, -1);
  EXPECT_NEAR(compare_groups(groups).p_value, 66 * alone, 1e-9);
}

TEST(Groups, ADoubtedGroupIsNotAccused) {
  std::vector<GroupNoise> groups = {group("a", .1), group("b", .3)};
  groups[1].doubt = .25;
  const GroupComparison found = compare_groups(groups);
  EXPECT_EQ(found.noisier, -1);
  EXPECT_EQ(found.leaning, 1);
  EXPECT_LT(found.gap.low, 0);
}

TEST(Groups, UnknownOnesTakeNoPart) {
  const NoiseEstimate all = two_rates({.2, .1, .3}, {.4, .3, .5});
  const GroupNoise small = unknown_group("tiny", 3, all, "3 rows");
  EXPECT_FALSE(small.known());
  EXPECT_TRUE(small.estimate.transition.empty());
  EXPECT_NEAR(small.rate.value, .3, 1e-12);
  EXPECT_EQ(small.rate.low, 0);
  EXPECT_EQ(small.rate.high, 1);
  const std::vector<GroupNoise> groups = {group("a", .1), small};
  const GroupComparison found = compare_groups(groups);
  EXPECT_EQ(found.noisier, -1);
  EXPECT_EQ(found.p_value, 1);
  EXPECT_EQ(compare_groups({}).noisier, -1);
}

TEST(Groups, WhoMayNotClaimLeans) {
  std::vector<GroupNoise> groups = {group("a", .1), group("b", .3)};
  groups[1].claims = false;
  EXPECT_EQ(compare_groups(groups).noisier, -1);
  EXPECT_EQ(compare_groups(groups).leaning, 1);
}

}  // namespace
}  // namespace noiseplus
