// Class rates of all rows where noise depends on the group.
#include "pipeline/group_mixture.h"

#include <gtest/gtest.h>

namespace noiseplus {
namespace {

EstimateWithInterval within(double value, double half) {
  return {value, std::max(value - half, 0.0), value + half};
}

GroupNoise group(std::size_t rows, double first, double second, double half) {
  GroupNoise made;
  made.rows = rows;
  made.estimate.identified = true;
  made.estimate.prior = {.5, .5};
  made.estimate.noise = {within(first, half), within(second, half)};
  made.rate = within((first + second) / 2, half);
  return made;
}

// All rows together look as if the second class were noisier.
AuditReport report_of(std::vector<GroupNoise> groups) {
  AuditReport report;
  report.classes = {"no", "yes"};
  report.estimate.identified = true;
  report.estimate.noise = {within(.05, .02), within(.2, .02)};
  report.estimate.noisier = 1;
  report.estimate.cleaner = 0;
  report.estimate.gap = {.15, .1, .2};
  report.claims = {{1, 0}};
  report.wrong_share = within(.12, .02);
  report.groups = std::move(groups);
  report.comparison.beyond_class_p_value = .001;
  return report;
}

TEST(NoiseBeyondTheClass, WithdrawsAClaimThatTheGroupsDoNotProve) {
  AuditReport report = report_of({group(1000, .3, .3, .03), group(3000, .1, .1, .03)});
  account_for_groups(report);
  EXPECT_TRUE(report.claims.empty());
  EXPECT_EQ(report.estimate.noisier, -1);
  EXPECT_EQ(report.estimate.cleaner, -1);
  EXPECT_EQ(report.estimate.leans, 1);
  EXPECT_LE(report.estimate.gap.low, 0);
  // (1000 * .3 + 3000 * .1) / 4000
  for (const EstimateWithInterval& rate : report.estimate.noise) {
    EXPECT_LE(rate.low, .15 - .03 + 1e-12);
    EXPECT_GE(rate.high, .15 + .03 - 1e-12);
  }
  EXPECT_NEAR(report.wrong_share->value, .15, 1e-12);
  EXPECT_NEAR(report.wrong_share->high, .18, 1e-12);
}

TEST(NoiseBeyondTheClass, KeepsAClaimThatTheGroupsProveToo) {
  AuditReport report = report_of({group(1000, .1, .4, .03), group(3000, .05, .2, .03)});
  account_for_groups(report);
  EXPECT_EQ(report.claims.size(), 1U);
  EXPECT_EQ(report.estimate.noisier, 1);
  EXPECT_GT(report.estimate.gap.low, 0);
}

TEST(NoiseBeyondTheClass, ChangesNothingWhereNoiseIsNotKnownToDependOnTheGroup) {
  AuditReport report = report_of({group(1000, .3, .3, .03), group(3000, .1, .1, .03)});
  report.comparison.beyond_class_p_value = .2;
  account_for_groups(report);
  EXPECT_EQ(report.claims.size(), 1U);
  EXPECT_EQ(report.wrong_share->value, .12);
}

TEST(NoiseBeyondTheClass, ChangesNothingWhereAGroupIsNotKnown) {
  AuditReport report = report_of({group(1000, .3, .3, .03), group(3000, .1, .1, .03)});
  report.groups[0].too_small = "12 rows";
  account_for_groups(report);
  EXPECT_EQ(report.claims.size(), 1U);
}

}  // namespace
}  // namespace noiseplus
