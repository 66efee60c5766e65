// The paper's search over classes and groups on exact agreements, biases and all: these numbers are
// what it gives, so that nobody "fixes" it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "balance/class_population.h"
#include "noise/moments/population.h"
#include "noiseplus/balance.h"

namespace noiseplus {
namespace {

using testing_support::ClassPopulation;
using testing_support::Population;

PaperOptions precise() {
  PaperOptions options;
  options.gamma = 1e-6;
  return options;
}

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back("part " + std::to_string(i));
  return all;
}

// Two classes, equally frequent, one rate a group.
PartAgreements groups_of_rates(const std::vector<double>& rates) {
  return [rates](std::span<const double> epsilons) {
    std::vector<double> agreements;
    for (std::size_t g = 0; g < rates.size(); ++g) {
      const double rate = rates[g] + (1 - 2 * rates[g]) * epsilons[g];
      agreements.push_back(std::pow(1 - rate, 3) + std::pow(rate, 3));
    }
    return agreements;
  };
}

PartAgreements classes_of(const ClassPopulation& given, PaperVariant variant) {
  return [given, variant](std::span<const double> epsilons) {
    return variant == PaperVariant::original ? given.balanced().flipped(epsilons).agreements()
                                             : given.flipped(epsilons).balanced().agreements();
  };
}

// Highest minus lowest rate after the flips found.
double spread_after(const std::vector<double>& rates, PaperVariant variant) {
  const ClassPopulation given = ClassPopulation::of(rates);
  const PaperParts found = search_flips(classes_of(given, variant), names(rates.size()), precise());
  EXPECT_TRUE(found.successful) << found.why;
  return given.flipped(found.epsilons()).spread();
}

TEST(PaperParts, GroupsGetTheFlipsOfTheClosedForm) {
  const std::vector<double> rates = {.1, .3, .2, .25};
  const PaperParts found = search_flips(groups_of_rates(rates), names(4), precise());
  ASSERT_TRUE(found.successful) << found.why;
  EXPECT_EQ(found.noisiest, 1);
  EXPECT_EQ(found.parts[1].epsilon, 0);
  const FlipPlan closed = equal_groups_plan(rates, 2);
  for (std::size_t g = 0; g < 4; ++g) {
    EXPECT_NEAR(found.parts[g].epsilon, closed.of_group(g)[1], 1e-5) << g;
  }
}

TEST(PaperParts, OfTwoClassesItIsTheSearchOfTwo) {
  const ClassPopulation given = ClassPopulation::of({.2, .4});
  const Population same{.5, .4, .2};
  const AgreementGap original = [&](int label, double epsilon) {
    return agreements_of(same.balanced().flipped(label, epsilon).shares(2)).gap();
  };
  const AgreementGap rebalanced = [&](int label, double epsilon) {
    return agreements_of(same.flipped(label, epsilon).balanced().shares(2)).gap();
  };
  for (const auto& [variant, gap] : {std::pair{PaperVariant::original, original},
                                     std::pair{PaperVariant::rebalanced, rebalanced}}) {
    const PaperResult two = search_flip(gap, precise());
    const PaperParts parts = search_flips(classes_of(given, variant), names(2), precise());
    ASSERT_TRUE(two.successful);
    ASSERT_TRUE(parts.successful);
    EXPECT_EQ(parts.noisiest, 1 - two.flipped);
    EXPECT_NEAR(parts.parts[static_cast<std::size_t>(two.flipped)].epsilon, two.epsilon, 1e-9);
    EXPECT_EQ(parts.parts[static_cast<std::size_t>(two.flipped)].steps, two.steps);
  }
}

TEST(PaperParts, RanksClassesByTheirNoise) {
  const ClassPopulation given = ClassPopulation::of({.25, .1, .3, .2});
  const PaperParts found =
      search_flips(classes_of(given, PaperVariant::original), names(4), precise());
  EXPECT_EQ(found.noisiest, 2);
  EXPECT_GT(found.parts[1].agreement, found.parts[3].agreement);
  EXPECT_GT(found.parts[3].agreement, found.parts[0].agreement);
  EXPECT_GT(found.parts[0].agreement, found.parts[2].agreement);
  EXPECT_GT(found.parts[1].epsilon, found.parts[3].epsilon);
  EXPECT_GT(found.parts[3].epsilon, found.parts[0].epsilon);
}

TEST(PaperParts, BringsTheRatesOfClassesNearerButNotTogether) {
  EXPECT_NEAR(spread_after({.1, .2, .3}, PaperVariant::original), .059, .0005);
  EXPECT_NEAR(spread_after({.1, .2, .3, .4}, PaperVariant::original), .073, .0005);
  const std::vector<double> ten = {.6, .6, .6, .6, .6, .6, .6, .4, .4, .4};
  EXPECT_NEAR(spread_after(ten, PaperVariant::original), .012, .0005);
  EXPECT_NEAR(spread_after({.4, .2}, PaperVariant::rebalanced), 0, .0005);
  EXPECT_NEAR(spread_after({.1, .2, .3}, PaperVariant::rebalanced), .175, .0005);
}

TEST(PaperParts, RebalancingFailsWhereClassesAreMany) {
  const ClassPopulation four = ClassPopulation::of({.1, .2, .3, .4});
  const PaperParts found =
      search_flips(classes_of(four, PaperVariant::rebalanced), names(4), precise());
  EXPECT_FALSE(found.successful);
  EXPECT_FALSE(found.parts[0].successful);
  EXPECT_FALSE(found.parts[1].successful);
  EXPECT_GT(found.parts[2].epsilon, 0);
}

TEST(PaperParts, OnePassMeetsTheLastPartAndLeavesThoseBeforeItNear) {
  const ClassPopulation given = ClassPopulation::of({.1, .2, .3});
  const PartAgreements agreements = classes_of(given, PaperVariant::original);
  const PaperParts found = search_flips(agreements, names(3), precise());
  const std::vector<double> after = agreements(found.epsilons());
  EXPECT_NEAR(after[1], after[2], 1e-6);
  EXPECT_NEAR(after[0], after[2], .01);
  EXPECT_GT(std::abs(after[0] - after[2]), .001);
}

TEST(PaperParts, AFailureIsNamedAndTheOthersAreStillSearched) {
  // Group 0 would need .48, beyond the grid's last right end; group 2 needs .3.
  const PaperParts found = search_flips(groups_of_rates({0, .48, .45}), names(3), precise());
  EXPECT_FALSE(found.successful);
  EXPECT_FALSE(found.parts[0].successful);
  EXPECT_EQ(found.parts[0].epsilon, 0);
  EXPECT_NE(found.parts[0].why.find("part 0"), std::string::npos) << found.parts[0].why;
  EXPECT_EQ(found.why, found.parts[0].why);
  EXPECT_TRUE(found.parts[2].successful);
  EXPECT_NEAR(found.parts[2].epsilon, .3, 1e-3);
}

TEST(PaperParts, NeedsAGapSomewhere) {
  const PaperParts none = search_flips(groups_of_rates({.2, .2, .2}), names(3), precise());
  EXPECT_FALSE(none.successful);
  EXPECT_FALSE(none.why.empty());
  EXPECT_EQ(none.noisiest, 0);
  const PaperParts one = search_flips(groups_of_rates({.2, .1, .2}), names(3), precise());
  EXPECT_TRUE(one.successful) << one.why;
  EXPECT_EQ(one.parts[2].epsilon, 0);
  EXPECT_NEAR(one.parts[1].epsilon, .125, 1e-5);
}

TEST(PaperParts, APartThatOthersHaveMadeNoisierIsUnsuccessful) {
  const PartAgreements agreements = [](std::span<const double> epsilons) {
    return std::vector<double>{.8 - 2 * epsilons[0], .6 - epsilons[0], .5};
  };
  const PaperParts found = search_flips(agreements, names(3));
  EXPECT_NEAR(found.parts[0].epsilon, .15, .001);
  EXPECT_FALSE(found.successful);
  EXPECT_NE(found.parts[1].why.find("part 1 is left"), std::string::npos) << found.parts[1].why;
}

TEST(PaperParts, WhatCannotBeCountedIsNotTheNoisiest) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const PartAgreements agreements = [nan](std::span<const double> epsilons) {
    return std::vector<double>{nan, .8 - epsilons[1], .7};
  };
  const PaperParts found = search_flips(agreements, names(3));
  EXPECT_FALSE(found.successful);
  EXPECT_EQ(found.noisiest, 2);
  EXPECT_TRUE(std::isnan(found.parts[0].agreement));
  EXPECT_NE(found.why.find("part 0"), std::string::npos) << found.why;
  EXPECT_NEAR(found.parts[1].epsilon, .1, .002);
  const PaperParts nothing = search_flips(
      [nan](auto) {
        return std::vector<double>{nan, nan};
      },
      names(2));
  EXPECT_FALSE(nothing.successful);
  EXPECT_EQ(nothing.noisiest, -1);
}

}  // namespace
}  // namespace noiseplus
