// By which rates groups are balanced.
#include "pipeline/plans.h"

#include <gtest/gtest.h>

#include "fair/fair_support.h"
#include "noiseplus/report.h"
#include "pipeline/fair_noise.h"

namespace noiseplus {
namespace {

using testing_support::expect_error;

constexpr double tiny = 1e-12;

// P(label | clean) for two classes with these noise rates.
std::vector<double> rates_of(double first, double second) {
  return {1 - first, first, second, 1 - second};
}

// Of a group without a symmetric rate the classes are known to differ.
GroupNoise known_group(const std::string& name, std::vector<double> transition,
                       std::optional<double> symmetric = std::nullopt) {
  GroupNoise group;
  group.name = name;
  group.rows = 1000;
  group.estimate.identified = true;
  group.estimate.transition = std::move(transition);
  group.rate = {.2, .1, .3};
  if (symmetric) {
    group.symmetric_rate = {*symmetric, *symmetric - .01, *symmetric + .01};
  } else {
    group.estimate.noisier = 1;
    group.estimate.cleaner = 0;
  }
  return group;
}

AuditReport report_of(std::vector<GroupNoise> groups, std::size_t classes = 2) {
  AuditReport report;
  report.classes.assign({"a", "b", "c"});
  report.classes.resize(classes);
  report.scope = "group";
  report.groups = std::move(groups);
  return report;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tiny) << i;
}

TEST(PlanForGroups, GoesByTheClassesWhereTheyAreKnownToDiffer) {
  const std::vector<double> left = rates_of(.05, .2), right = rates_of(.2, .3);
  AuditReport report = report_of({known_group("left", left), known_group("right", right)});
  report.plan = plan_of_estimates(report);
  expect_near(report.plan.after(left, 0), right);
  EXPECT_EQ(report.plan.of_group(1)[1], 0);
  EXPECT_EQ(report.plan.of_group(1)[2], 0);
  for (const LabelNoise& noise : noise_left(report)) {
    EXPECT_NEAR(noise.negative, .2, tiny);
    EXPECT_NEAR(noise.positive, .3, tiny);
  }
  const std::vector<LabelNoise> before = noise_left(report, Flips::before);
  EXPECT_NEAR(before[0].negative, .05, tiny);
  EXPECT_NEAR(before[0].positive, .2, tiny);
}

TEST(PlanForGroups, MakesEachClassAsNoisyAsWhereItIsNoisiest) {
  const std::vector<double> left = rates_of(.05, .3), right = rates_of(.2, .1);
  const FlipPlan plan =
      plan_of_estimates(report_of({known_group("left", left), known_group("right", right)}));
  expect_near(plan.after(left, 0), rates_of(.2, .3));
  expect_near(plan.after(right, 1), rates_of(.2, .3));
}

TEST(PlanForGroups, GoesByOneRateWhereAllHaveOne) {
  const AuditReport report = report_of(
      {known_group("left", rates_of(.08, .12), .1), known_group("right", rates_of(.31, .29), .3)});
  const FlipPlan expected = equal_groups_plan(std::vector<double>{.1, .3}, 2);
  expect_near(plan_of_estimates(report).flip, expected.flip);
}

TEST(PlanForGroups, GoesByTheShareOfWrongLabelsWhereNoDifferenceOfTheClassesIsKnown) {
  AuditReport report =
      report_of({known_group("left", rates_of(.05, .2)), known_group("right", rates_of(.2, .4))});
  for (GroupNoise& group : report.groups) group.estimate.noisier = group.estimate.cleaner = -1;
  report.groups[0].rate.value = .1;
  report.groups[1].rate.value = .3;
  report.plan = plan_of_estimates(report);
  expect_near(report.plan.flip, equal_groups_plan(std::vector<double>{.1, .3}, 2).flip);
  for (const LabelNoise& noise : noise_left(report)) {
    EXPECT_NEAR(noise.negative, .3, tiny);
    EXPECT_NEAR(noise.positive, .3, tiny);
  }
}

TEST(PlanForGroups, TakesTheRateOfAGroupThatHasOneBesideClassesOfOthers) {
  const FlipPlan plan = plan_of_estimates(report_of(
      {known_group("left", rates_of(.08, .12), .1), known_group("right", rates_of(.2, .4))}));
  expect_near(plan.after(rates_of(.1, .1), 0), rates_of(.2, .4));
}

TEST(PlanForGroups, LeavesAGroupOfWhichNothingIsKnownAlone) {
  GroupNoise few = known_group("few", {});
  few.too_small = "12 rows";
  const FlipPlan plan = plan_of_estimates(report_of(
      {known_group("left", rates_of(.05, .2)), few, known_group("right", rates_of(.2, .3))}));
  EXPECT_EQ(plan.of_group(1)[1], 0);
  EXPECT_EQ(plan.of_group(1)[2], 0);
  EXPECT_GT(plan.of_group(0)[1], 0);
}

TEST(PlanForGroups, RefusesClassesThatWouldKeepNothing) {
  expect_error(ErrorKind::impossible, "keeps no more of its labels", [&] {
    plan_of_estimates(report_of(
        {known_group("left", rates_of(.05, .6)), known_group("right", rates_of(.5, .1))}));
  });
}

TEST(PlanForGroups, OfManyClassesMakesAllAlike) {
  const std::vector<double> left = {.9, .05, .05, .1, .8, .1, .1, .1, .8};
  const std::vector<double> right = {.8, .1, .1, .1, .8, .1, .2, .1, .7};
  const FlipPlan plan =
      plan_of_estimates(report_of({known_group("left", left), known_group("right", right)}, 3));
  const std::vector<double> a = plan.after(left, 0), b = plan.after(right, 1);
  for (std::size_t c = 0; c < 3; ++c) {
    EXPECT_NEAR(a[4 * c], b[4 * c], tiny);
    EXPECT_NEAR(a[4 * c], a[0], tiny);
  }
}

TEST(NoiseBeforeFlips, IsTheMeanOfTheClassesRatesWhereNothingIsFlipped) {
  AuditReport report =
      report_of({known_group("left", rates_of(.05, .2)), known_group("right", rates_of(.15, .4))});
  report.groups[1].rows = 3000;
  report.plan = FlipPlan::nothing(2);
  for (const LabelNoise& noise : noise_left(report)) {
    EXPECT_NEAR(noise.negative, .125, tiny);
    EXPECT_NEAR(noise.positive, .35, tiny);
  }
}

TEST(DefaultScope, IsWhatTheFindingsSupport) {
  AuditReport report;
  EXPECT_EQ(scope_of("", report), "class");
  report = report_of(
      {known_group("left", rates_of(.1, .1), .1), known_group("right", rates_of(.3, .3), .3)});
  EXPECT_EQ(scope_of("", report), "class");
  report.comparison.class_claims = {{0, 1, 0}};
  EXPECT_EQ(scope_of("", report), "group");
  report.groups[1].estimate.noisier = 1;
  EXPECT_EQ(scope_of("", report), "class-in-group");
  report.comparison.class_claims.clear();
  EXPECT_EQ(scope_of("", report), "class");
  EXPECT_EQ(scope_of("group", report), "group");
}

}  // namespace
}  // namespace noiseplus
