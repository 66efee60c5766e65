#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "noise/groups/unproved_rates.h"

namespace noiseplus {
namespace {

NoiseEstimate two_rates(EstimateWithInterval first, EstimateWithInterval second) {
  NoiseEstimate estimate;
  estimate.estimator = "latent-class";
  estimate.identified = true;
  estimate.noise = {first, second};
  estimate.prior = {.5, .5};
  estimate.transition = {1 - first.value, first.value, second.value, 1 - second.value};
  return estimate;
}

GroupNoise group(const std::string& name, double rate, double half_width = .02) {
  const EstimateWithInterval each{rate, rate - half_width, rate + half_width};
  return noise_of_group(name, 1000, two_rates(each, each), nullptr);
}

// A group whose classes have these rates, and this share of clean positives.
GroupNoise group_of_classes(const std::string& name, double e_negative, double e_positive,
                            double positives, double half_width = .01) {
  const auto around = [&](double rate) {
    return EstimateWithInterval{rate, std::max(rate - half_width, 0.0), rate + half_width};
  };
  NoiseEstimate estimate = two_rates(around(e_negative), around(e_positive));
  estimate.prior = {1 - positives, positives};
  return noise_of_group(name, 5000, estimate, nullptr);
}

// Class noise .30/.05 in two groups of a census table with base rates .63 and .32.
TEST(Groups, RateIsTheShareOfWrongLabels) {
  const GroupNoise male = group_of_classes("male", .05, .30, .63);
  const GroupNoise female = group_of_classes("female", .05, .30, .32);
  EXPECT_NEAR(male.rate.value, .2075, 1e-9);
  EXPECT_NEAR(female.rate.value, .13, 1e-9);
  const std::vector<GroupNoise> groups = {male, female};
  const GroupComparison found = compare_groups(groups);
  EXPECT_EQ(found.noisier, 0);
  EXPECT_NEAR(found.gap.value, .0775, 1e-9);
  // The same class is equally noisy in both.
  EXPECT_TRUE(found.class_claims.empty());
  EXPECT_EQ(found.beyond_class_p_value, 1);
}

TEST(Groups, SameClassNoisierInOneGroupIsClaimed) {
  const std::vector<GroupNoise> groups = {group_of_classes("a", .05, .30, .5),
                                          group_of_classes("b", .05, .10, .5)};
  const GroupComparison found = compare_groups(groups);
  ASSERT_EQ(found.class_claims.size(), 1U);
  EXPECT_EQ(found.class_claims[0].label, 1);
  EXPECT_EQ(found.class_claims[0].noisier, 0);
  EXPECT_EQ(found.class_claims[0].cleaner, 1);
  EXPECT_LT(found.beyond_class_p_value, 1e-6);
}

TEST(Groups, ADoubtedClassIsNotClaimedToDiffer) {
  std::vector<GroupNoise> groups = {group_of_classes("a", .05, .30, .5),
                                    group_of_classes("b", .05, .10, .5)};
  groups[0].class_doubts[1] = .2;
  EXPECT_TRUE(compare_groups(groups).class_claims.empty());
}

TEST(Groups, OneRateForAllClassesOnlyWhereTheyAreAlike) {
  NoiseEstimate alike = two_rates({.2, .19, .21}, {.21, .2, .22});
  alike.p_value = .4;
  alike.gap = {.01, -.02, .04};
  const GroupNoise found = noise_of_group("a", 5000, alike, nullptr);
  ASSERT_TRUE(found.symmetric_rate.has_value());
  EXPECT_NEAR(found.symmetric_rate->value, .205, 1e-9);
  NoiseEstimate unknown = alike;
  unknown.gap = {.01, -.15, .2};
  EXPECT_FALSE(noise_of_group("a", 5000, unknown, nullptr).symmetric_rate.has_value());
  NoiseEstimate different = alike;
  different.p_value = .001;
  EXPECT_FALSE(noise_of_group("a", 5000, different, nullptr).symmetric_rate.has_value());
}

TEST(Groups, AutoGivesTheShareWithItsDoubt) {
  ChosenEstimate chosen;
  chosen.estimate = two_rates({.1, .08, .12}, {.4, .08, .42});
  chosen.doubts = {0, .3};
  chosen.covariance = {.0001, 0, 0, .0001};
  chosen.upper_bound_only = {0, 1};
  chosen.wrong_share = {.25, .1, .27};
  chosen.wrong_share_error = .01;
  chosen.wrong_share_doubt = .13;
  const GroupNoise found = noise_of_group("a", 1000, chosen.estimate, &chosen);
  EXPECT_EQ(found.rate.value, .25);
  EXPECT_EQ(found.rate.low, .1);
  EXPECT_EQ(found.error, .01);
  EXPECT_EQ(found.doubt, .13);
  EXPECT_EQ(found.class_doubts, chosen.doubts);
  EXPECT_TRUE(found.is_upper_bound());
  chosen.upper_bound_only = {0, 0};
  EXPECT_FALSE(noise_of_group("a", 1000, chosen.estimate, &chosen).is_upper_bound());
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

// Intervals that are apart would be a claim of their own.
TEST(Groups, IntervalsSayNoMoreThanTheClaims) {
  std::vector<GroupNoise> groups = {group("a", .1), group("b", .3), group("c", .5)};
  std::vector<GroupNoise> silent = groups;
  silent[1].doubt = .3;  // so that nothing is claimed of b, and all of c
  let_unproved_rates_overlap(groups, {});
  EXPECT_GT(groups[1].rate.low, groups[0].rate.high);
  let_unproved_rates_overlap(silent, {});
  EXPECT_EQ(silent[1].rate.low, silent[0].rate.high);
  EXPECT_EQ(silent[2].rate.low, groups[2].rate.low);
  const GroupComparison found = compare_groups(std::span(silent).first(2));
  EXPECT_EQ(found.noisier, -1);
  EXPECT_LE(found.gap.low, 0);
}

// The clearest pair is not the one with the largest gap, whose interval reaches below 0.
TEST(Groups, TheGapIsNoSmallerThanTheClearestClaim) {
  const std::vector<GroupNoise> groups = {group("a", .1, .01), group("b", .3, .01),
                                          group("c", .35, .4)};
  const GroupComparison found = compare_groups(groups);
  EXPECT_EQ(found.noisier, 1);
  EXPECT_NEAR(found.gap.value, .25, 1e-9);
  EXPECT_GT(found.gap.low, .15);
  EXPECT_LT(found.p_value, 1e-6);
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
