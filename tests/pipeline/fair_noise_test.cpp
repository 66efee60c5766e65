#include "pipeline/fair_noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "fair/fair_support.h"

namespace noiseplus {
namespace {

using testing_support::expect_error;

constexpr double tiny = 1e-12;

GroupNoise known_group(const std::string& name, std::size_t rows, double rate) {
  GroupNoise group;
  group.name = name;
  group.rows = rows;
  group.rate = {rate, rate - .01, rate + .01};
  group.estimate.identified = true;
  group.estimate.transition = symmetric_transition(2, rate);
  return group;
}

// As an audit of groups that are noisy at these rates leaves it, with the plan that evens them.
AuditReport balanced_groups(double left, double right, std::size_t rows = 1000) {
  AuditReport report;
  report.classes = {"no", "yes"};
  report.scope = "group";
  report.estimate.estimator = "moments";
  report.groups = {known_group("left", rows, left), known_group("right", rows, right)};
  report.plan = equal_groups_plan(std::vector<double>{left, right}, 2);
  return report;
}

// Labels of two groups with these many positives each.
struct Given {
  std::vector<std::int32_t> codes, groups;
  Given(std::size_t rows, std::size_t left, std::size_t right) {
    for (std::size_t z = 0; z < 2; ++z) {
      for (std::size_t n = 0; n < rows; ++n) {
        codes.push_back(n < (z == 0 ? left : right) ? 1 : 0);
        groups.push_back(static_cast<std::int32_t>(z));
      }
    }
  }
};

void expect_noise(const std::vector<LabelNoise>& noise,
                  const std::vector<std::pair<double, double>>& expected) {
  ASSERT_EQ(noise.size(), expected.size());
  for (std::size_t z = 0; z < noise.size(); ++z) {
    EXPECT_NEAR(noise[z].negative, expected[z].first, tiny) << z;
    EXPECT_NEAR(noise[z].positive, expected[z].second, tiny) << z;
  }
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(NoiseLeft, GroupsHaveTheRateOfTheNoisiest) {
  expect_noise(noise_left(balanced_groups(.1, .3)), {{.3, .3}, {.3, .3}});
}

TEST(NoiseLeft, WhereNothingIsFlippedAllHaveTheMean) {
  AuditReport report = balanced_groups(.1, .2);
  report.groups[1].rows = 3000;
  report.plan = FlipPlan::nothing(2);
  expect_noise(noise_left(report), {{.175, .175}, {.175, .175}});
}

TEST(NoiseLeft, OfClassesIsThatOfAllRows) {
  AuditReport report = balanced_groups(.1, .3);
  report.scope = "class";
  report.estimate.identified = true;
  report.estimate.transition = {.9, .1, .3, .7};
  report.plan = FlipPlan::of_two(0, .25);
  const double negative = .1 + .9 * .25, positive = .3 * .75;
  expect_noise(noise_left(report), {{negative, positive}, {negative, positive}});
  report.positive = 0;
  expect_noise(noise_left(report), {{positive, negative}, {positive, negative}});
  report.estimate.identified = false;
  EXPECT_TRUE(noise_left(report).empty());
}

TEST(NoiseLeft, OfClassesInGroups) {
  AuditReport report = balanced_groups(.2, .25);
  report.scope = "class-in-group";
  report.groups[0].estimate.transition = {.9, .1, .3, .7};
  report.groups[0].estimate.noisier = 1;
  std::vector<double> both = {.9, .1, .3, .7};
  both.insert(both.end(), {.75, .25, .25, .75});
  report.plan = equal_classes_in_groups_plan(both, 2);
  const std::vector<LabelNoise> noise = noise_left(report);
  ASSERT_EQ(noise.size(), 2U);
  for (const LabelNoise& one : noise) {
    EXPECT_NEAR(one.negative, noise[0].positive, tiny);
    EXPECT_NEAR(one.positive, noise[0].positive, tiny);
    EXPECT_GT(one.positive, .2);
  }
}

TEST(NoiseLeft, AGroupOfWhichNothingIsKnownIsAsTheOthers) {
  AuditReport report = balanced_groups(.1, .3);
  report.groups.push_back(known_group("few", 12, .2));
  report.groups.back().too_small = "12 rows";
  report.plan = equal_groups_plan(std::vector<double>{.1, .3, .3}, 2);
  expect_noise(noise_left(report), {{.3, .3}, {.3, .3}, {.3, .3}});
  for (GroupNoise& group : report.groups) group.too_small = "too small";
  EXPECT_TRUE(noise_left(report).empty());
}

TEST(NoiseAfterBalancing, EqualBaseRatesAreJudgedByGivenLabels) {
  const Given given(1000, 500, 510);
  const ConstraintNoise found =
      noise_after_balancing(balanced_groups(.1, .3), given.codes, given.groups);
  EXPECT_TRUE(found.noise.empty());
  EXPECT_TRUE(holds(found.why, "after balancing all groups are equally noisy")) << found.why;
  EXPECT_TRUE(found.warnings.empty());
}

TEST(NoiseAfterBalancing, UnequalBaseRatesAreCorrectedAtTheCommonRate) {
  const Given given(1000, 560, 400);
  const ConstraintNoise found =
      noise_after_balancing(balanced_groups(.1, .3), given.codes, given.groups);
  expect_noise(found.noise, {{.3, .3}, {.3, .3}});
  // (.56 - .3) / .4 and (.4 - .3) / .4
  EXPECT_TRUE(holds(found.why, "base rates differ ('right' 0.25 to 'left' 0.65)")) << found.why;
  EXPECT_TRUE(holds(found.why, "at the common rate 0.300")) << found.why;
}

TEST(NoiseAfterBalancing, ThePositiveClassDecidesTheBaseRates) {
  const Given given(1000, 550, 400);
  AuditReport report = balanced_groups(.1, .3);
  report.positive = 0;
  const ConstraintNoise found = noise_after_balancing(report, given.codes, given.groups);
  EXPECT_TRUE(holds(found.why, "('left' 0.38 to 'right' 0.75)")) << found.why;
}

TEST(NoiseAfterBalancing, NothingFlippedIsSaid) {
  AuditReport report = balanced_groups(.2, .2);
  report.plan = FlipPlan::nothing(2);
  const Given given(1000, 550, 400);
  const ConstraintNoise found = noise_after_balancing(report, given.codes, given.groups);
  EXPECT_TRUE(holds(found.why, "nothing was flipped, and base rates differ")) << found.why;
}

// A difference of .03 is chance in 1000 rows and none in 20000.
TEST(NoiseAfterBalancing, MoreRowsTellSmallerDifferences) {
  for (const std::size_t rows : {1000U, 20000U}) {
    const Given given(rows, rows * 50 / 100, rows * 53 / 100);
    const ConstraintNoise found =
        noise_after_balancing(balanced_groups(.1, .3, rows), given.codes, given.groups);
    EXPECT_EQ(found.noise.empty(), rows == 1000) << rows;
  }
}

TEST(NoiseAfterBalancing, WhatIsNotKnownIsWarnedOf) {
  const Given given(1000, 550, 400);
  AuditReport report = balanced_groups(.1, .3);
  report.groups[0].estimate.identified = false;
  const ConstraintNoise one = noise_after_balancing(report, given.codes, given.groups);
  ASSERT_EQ(one.warnings.size(), 1U);
  EXPECT_TRUE(holds(one.warnings[0], "group 'left': its noise is not known"));
  report.groups[1].estimate.identified = false;
  const ConstraintNoise none = noise_after_balancing(report, given.codes, given.groups);
  EXPECT_TRUE(none.noise.empty());
  EXPECT_TRUE(holds(none.why, "not identified")) << none.why;
  ASSERT_EQ(none.warnings.size(), 1U);
  EXPECT_TRUE(holds(none.warnings[0], "that of the given labels"));
}

TEST(EstimatedNoise, IsThatOfEachGroup) {
  AuditReport report = balanced_groups(.1, .3);
  report.groups[1].estimate.transition = {.9, .1, .4, .6};
  report.groups[1].estimate.noisier = 1;  // its classes are shown to differ
  const ConstraintNoise found = estimated_noise(report);
  expect_noise(found.noise, {{.1, .1}, {.1, .4}});
  EXPECT_TRUE(holds(found.why, "moments")) << found.why;
  report.positive = 0;
  expect_noise(estimated_noise(report).noise, {{.1, .1}, {.4, .1}});
  report.groups[0].too_small = "12 rows";
  expect_error(ErrorKind::impossible, "group 'left': its noise is not known (12 rows)",
               [&] { estimated_noise(report); });
  report.groups[0].too_small.clear();
  report.groups[0].estimate.identified = false;
  expect_error(ErrorKind::impossible, "not identified", [&] { estimated_noise(report); });
}

TEST(PositiveShares, AndTheirCleanOnes) {
  const std::vector<std::int32_t> codes = {0, 1, 1, 1, 0}, groups = {0, 0, 0, 1, 1};
  const std::vector<double> shares = positive_shares(codes, groups, 3, 1);
  EXPECT_EQ(shares, (std::vector<double>{2. / 3, .5, 0}));
  EXPECT_NEAR(clean_share(.526, {.4, .4}), .63, tiny);
  EXPECT_NEAR(clean_share(.3 * .8 + .7 * .1, {.1, .2}), .3, tiny);
}

}  // namespace
}  // namespace noiseplus
