// The paper's algorithm, biases and all: these numbers are what it gives, so that nobody "fixes"
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "noise/moments/population.h"
#include "noiseplus/balance.h"
#include "support.h"

namespace noiseplus {
namespace {

using testing_support::Population;

double gap_of(const Population& population) {
  return agreements_of(population.shares(2)).gap();
}

AgreementGap original(const Population& given) {
  return [given](int label, double epsilon) {
    return gap_of(given.balanced().flipped(label, epsilon));
  };
}

AgreementGap rebalanced(const Population& given) {
  return [given](int label, double epsilon) {
    return gap_of(given.flipped(label, epsilon).balanced());
  };
}

PaperOptions precise() {
  PaperOptions options;
  options.gamma = 1e-6;
  return options;
}

TEST(Paper, AgreementGapHasFactorFourNotTwo) {
  // At clean prior 1/2 and rates that leave the noisy labels balanced, the theorem's own setting.
  const Population p{.5, .2, .2};
  EXPECT_NEAR(gap_of(p), 0, 1e-15);
  for (const auto& [a, b] : {std::pair{.1, .3}, std::pair{.4, .2}}) {
    const Population balanced = Population{.5, a, b}.balanced();
    const double e1 = balanced.e_positive;
    const double e0 = balanced.e_negative;
    EXPECT_NEAR(gap_of(balanced), 4 * (.5 - e1) * (.5 - e0) * (e0 - e1), 1e-12);
  }
}

TEST(Paper, FindsFarTooSmallAFlipWithoutRebalancing) {
  const Population p{.5, .4, .2};
  const PaperResult result = search_flip(original(p), precise());
  ASSERT_TRUE(result.successful);
  EXPECT_EQ(result.flipped, 0);
  EXPECT_NEAR(result.epsilon, .0060, .00005);
  const PaperResult again = search_flip(rebalanced(p), precise());
  ASSERT_TRUE(again.successful);
  EXPECT_EQ(again.flipped, 0);
  EXPECT_NEAR(again.epsilon, .1667, .00005);
  // The closed form, from the same exact cells.
  const MomentSolution solution = solve(moments_of(p.shares(2), 2));
  EXPECT_NEAR((1 - solution.s) / (2 - solution.s), .1667, .00005);
}

TEST(Paper, TakesTheWrongDirectionWhereCleanClassesAreUnbalanced) {
  const PaperResult result = search_flip(original({.3, .2, .1}), precise());
  EXPECT_NEAR(result.first_gap, .047, .0005);
  EXPECT_EQ(result.flipped, 1);  // it calls label 1 the cleaner one; its rate is twice the other's
  // The closed form at the same population is right.
  const MomentSolution solution = solve(moments_of(Population{.3, .2, .1}.shares(2), 2));
  EXPECT_NEAR(solution.s, .9, 1e-12);
}

TEST(Paper, BothDirectionsAreSymmetric) {
  const PaperResult a = search_flip(rebalanced({.5, .4, .2}), precise());
  const PaperResult b = search_flip(rebalanced({.5, .2, .4}), precise());
  EXPECT_EQ(a.flipped, 0);
  EXPECT_EQ(b.flipped, 1);
  EXPECT_NEAR(a.epsilon, b.epsilon, 1e-9);
  EXPECT_NEAR(a.first_gap, -b.first_gap, 1e-12);
}

TEST(Paper, UnsuccessfulWithoutAGap) {
  const PaperResult result = search_flip(original({.5, .2, .2}), precise());
  EXPECT_FALSE(result.successful);
  EXPECT_EQ(result.flipped, -1);
  EXPECT_FALSE(result.why.empty());
}

TEST(Paper, TheGridServesWhereTheFirstRightEndFails) {
  // The gap falls below zero between .15 and .25 only: .3 and .1 fail, .2 serves.
  const AgreementGap gap = [](int, double epsilon) {
    return epsilon < .15 ? .1 : epsilon < .25 ? -.1 : .1;
  };
  const PaperResult result = search_flip(gap);
  ASSERT_TRUE(result.successful);
  EXPECT_NEAR(result.epsilon, .15, 1e-9);
  EXPECT_LE(result.steps, 60);  // a jump over zero ends the search all the same
  const PaperResult never = search_flip([](int, double) { return .1; });
  EXPECT_FALSE(never.successful);
  EXPECT_EQ(never.flipped, 1);
}

TEST(Paper, BalancedSampleHasEquallyManyOfEach) {
  std::vector<std::int32_t> ones(1000);
  for (std::size_t n = 0; n < 120; ++n) ones[n * 7] = 1;
  const std::vector<char> keep = balanced_sample(ones, 1);
  int kept[2] = {0, 0};
  for (std::size_t n = 0; n < ones.size(); ++n) kept[ones[n]] += keep[n];
  EXPECT_EQ(kept[0], 120);
  EXPECT_EQ(kept[1], 120);
  EXPECT_NE(keep, balanced_sample(ones, 2));
}

TEST(Paper, BalancedSampleOfManyClassesLeavesOutRowsWithoutOne) {
  std::vector<std::int32_t> codes(1000);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    codes[n] = n % 10 == 0 ? 2 : n % 3 == 0 ? 1 : n % 7 == 0 ? -1 : 0;
  }
  const std::vector<char> keep = balanced_sample(codes, 1, 3);
  int kept[4] = {0, 0, 0, 0};
  for (std::size_t n = 0; n < codes.size(); ++n) kept[codes[n] + 1] += keep[n];
  EXPECT_EQ(kept[0], 0);
  for (int c = 0; c < 3; ++c) EXPECT_EQ(kept[c + 1], 100) << c;
}

}  // namespace
}  // namespace noiseplus
