#include <gtest/gtest.h>

#include "core/intervals.h"
#include "learn/violation.h"
#include "noiseplus/learn.h"

namespace noiseplus {
namespace {

using Codes = std::vector<std::int32_t>;

struct Rows {
  Codes predicted;
  Labels labels, groups;

  // `count` rows of class `code` predicted as `as`.
  void add(int count, std::int32_t code, std::int32_t as, std::int32_t group = 0) {
    for (int i = 0; i < count; ++i) {
      labels.codes.push_back(code);
      predicted.push_back(as);
      groups.codes.push_back(group);
    }
  }
  Evaluation evaluate(std::size_t positive = 1) const {
    return noiseplus::evaluate(predicted, labels, positive, groups);
  }
};

Rows two_classes(const std::vector<std::string>& groups) {
  Rows rows;
  rows.labels.classes = rows.labels.spellings = {"no", "yes"};
  rows.groups.classes = rows.groups.spellings = groups;
  return rows;
}

// Group a: 70 positives of which 56 are found, 100 negatives with 10 false alarms.
// Group b: 80 positives of which 48 are found, 50 negatives with 10 false alarms.
Rows two_groups() {
  Rows rows = two_classes({"a", "b"});
  rows.add(56, 1, 1, 0);
  rows.add(14, 1, 0, 0);
  rows.add(10, 0, 1, 0);
  rows.add(90, 0, 0, 0);
  rows.add(48, 1, 1, 1);
  rows.add(32, 1, 0, 1);
  rows.add(10, 0, 1, 1);
  rows.add(40, 0, 0, 1);
  return rows;
}

TEST(Evaluate, CountsAndRatesOfAllRows) {
  const Evaluation evaluation = two_groups().evaluate();
  EXPECT_EQ(evaluation.all.confusion.counts, (std::vector<double>{130, 20, 46, 104}));
  EXPECT_EQ(evaluation.all.confusion.rows(), 300);
  EXPECT_EQ(evaluation.all.confusion.rows_of(1), 150);
  EXPECT_NEAR(evaluation.all.accuracy.value, 234 / 300., 1e-12);
  EXPECT_NEAR(evaluation.all.accuracy.low, wilson_interval(234, 300).low, 1e-12);
  EXPECT_NEAR(evaluation.all.accuracy.high, wilson_interval(234, 300).high, 1e-12);
  EXPECT_NEAR(evaluation.all.tpr->value, 104 / 150., 1e-12);
  EXPECT_NEAR(evaluation.all.fpr->value, 20 / 150., 1e-12);
  EXPECT_NEAR(evaluation.all.positive_rate->value, 124 / 300., 1e-12);
  EXPECT_TRUE(evaluation.warnings.empty());
}

TEST(Evaluate, RatesOfGroups) {
  const Evaluation evaluation = two_groups().evaluate();
  ASSERT_EQ(evaluation.groups.size(), 2U);
  EXPECT_EQ(evaluation.groups[1].group, "b");
  EXPECT_EQ(evaluation.groups[1].confusion.rows(), 130);
  EXPECT_NEAR(evaluation.groups[0].tpr->value, .8, 1e-12);
  EXPECT_NEAR(evaluation.groups[0].fpr->value, .1, 1e-12);
  EXPECT_NEAR(evaluation.groups[1].tpr->value, .6, 1e-12);
  EXPECT_NEAR(evaluation.groups[1].positive_rate->value, 58 / 130., 1e-12);
}

TEST(Evaluate, TheOtherClassMayBePositive) {
  const Evaluation evaluation = two_groups().evaluate(0);
  EXPECT_NEAR(evaluation.groups[0].tpr->value, .9, 1e-12);
  EXPECT_NEAR(evaluation.groups[0].fpr->value, .2, 1e-12);
  EXPECT_NEAR(evaluation.equalized_odds_violation->value, .2, 1e-12) << "does not depend on it";
}

// Two comparisons, so each interval is of level 97.5 %; the one of tpr has both ends.
TEST(Evaluate, ViolationsAndTheirIntervals) {
  const Evaluation evaluation = two_groups().evaluate();
  const double z = two_sided_normal_quantile(.025);
  const EstimateWithInterval tpr =
      newcombe_interval(wilson_interval(56, 70, z), wilson_interval(48, 80, z));
  EXPECT_NEAR(evaluation.equalized_odds_violation->value, .2, 1e-12);
  EXPECT_NEAR(evaluation.equalized_odds_violation->low, tpr.low, 1e-12);
  EXPECT_NEAR(evaluation.equalized_odds_violation->high, tpr.high, 1e-12);
  EXPECT_LT(tpr.low, .0524) << "wider than a single interval";
  EXPECT_GT(tpr.high, .3339);
  const EstimateWithInterval parity =
      newcombe_interval(wilson_interval(58, 130), wilson_interval(66, 170));
  EXPECT_NEAR(evaluation.demographic_parity_violation->value, 58 / 130. - 66 / 170., 1e-12);
  EXPECT_NEAR(evaluation.demographic_parity_violation->low, 0, 1e-12);
  EXPECT_NEAR(evaluation.demographic_parity_violation->high, parity.high, 1e-12);
}

// Of three classes every P(predicted j | class i) counts: here P(2 | 0) is .0 in a and .5 in b.
TEST(Evaluate, ThreeClassesCompareEveryPrediction) {
  Rows rows = two_classes({"a", "b"});
  rows.labels.classes = rows.labels.spellings = {"x", "y", "z"};
  for (const std::int32_t group : {0, 1}) {
    rows.add(50, 0, 0, group);
    rows.add(50, 0, group == 0 ? 1 : 2, group);
    rows.add(40, 1, 1, group);
    rows.add(40, 2, 2, group);
  }
  const Evaluation evaluation = rows.evaluate(2);
  EXPECT_NEAR(evaluation.equalized_odds_violation->value, .5, 1e-12);
  EXPECT_NEAR(evaluation.demographic_parity_violation->value, 50 / 180., 1e-12);
  EXPECT_NEAR(evaluation.groups[1].fpr->value, 50 / 140., 1e-12);
}

TEST(Evaluate, AGroupWithoutPositivesHasNoTruePositiveRate) {
  Rows rows = two_groups();
  rows.groups.classes.emplace_back("c");
  rows.groups.spellings.emplace_back("c");
  rows.add(20, 0, 0, 2);
  const Evaluation evaluation = rows.evaluate();
  ASSERT_EQ(evaluation.groups.size(), 3U);
  EXPECT_FALSE(evaluation.groups[2].tpr);
  EXPECT_EQ(evaluation.groups[2].fpr->value, 0);
  EXPECT_NEAR(evaluation.equalized_odds_violation->value, .2, 1e-12) << "fpr of b and c, or tpr";
  EXPECT_EQ(
      evaluation.warnings,
      (std::vector<std::string>{
          "no row of class 'yes' in the group 'c': equalized odds are compared without it for "
          "that class",
          "fewer than 30 rows in the group 'c': see the intervals before relying on its "
          "rates"}));
}

TEST(Evaluate, WhereNothingCanBeCompared) {
  Rows rows = two_classes({"a", "b", "nobody"});
  rows.add(50, 0, 0, 0);
  rows.add(50, 1, 0, 1);
  const Evaluation evaluation = rows.evaluate();
  EXPECT_EQ(evaluation.groups.size(), 2U) << "a group without rows is left out";
  EXPECT_FALSE(evaluation.equalized_odds_violation);
  EXPECT_EQ(evaluation.demographic_parity_violation->value, 0);
  Rows one = two_classes({"a"});
  one.add(50, 0, 0, 0);
  EXPECT_FALSE(one.evaluate().demographic_parity_violation);
  EXPECT_EQ(one.evaluate().warnings.size(), 1U);
  EXPECT_FALSE(one.evaluate().all.tpr);
}

TEST(Evaluate, ManySmallGroupsAreNamedInOneLine) {
  Rows rows = two_classes({});
  for (std::int32_t group = 0; group < 12; ++group) {
    rows.groups.classes.push_back("g" + std::to_string(group));
    rows.add(5, 0, 0, group);
    rows.add(5, 1, 1, group);
  }
  EXPECT_EQ(rows.evaluate().warnings,
            (std::vector<std::string>{
                "fewer than 30 rows in the groups 'g0', 'g1', 'g2', 'g3', 'g4' and 7 more: see the "
                "intervals before relying on their rates"}));
}

TEST(Evaluate, WithoutGroups) {
  Rows rows = two_groups();
  rows.groups = {};
  const Evaluation evaluation = rows.evaluate();
  EXPECT_TRUE(evaluation.groups.empty());
  EXPECT_FALSE(evaluation.equalized_odds_violation);
  EXPECT_FALSE(evaluation.demographic_parity_violation);
  EXPECT_TRUE(evaluation.warnings.empty());
}

TEST(Evaluate, WrongUsage) {
  Rows rows = two_groups();
  EXPECT_THROW(rows.evaluate(2), Error);
  rows.predicted[3] = 2;
  EXPECT_THROW(rows.evaluate(), Error);
  rows.predicted.pop_back();
  EXPECT_THROW(rows.evaluate(), Error);
  rows = two_groups();
  rows.groups.codes.pop_back();
  EXPECT_THROW(rows.evaluate(), Error);
  EXPECT_THROW(two_classes({}).evaluate(), Error);
}

// Beyond so many pairs the intervals are of rates: another way to the same value, and wider.
TEST(Evaluate, ManyPairsOfGroups) {
  std::vector<std::vector<GroupShare>> rates(2);
  for (int group = 0; group < 20; ++group) {
    rates[0].push_back({500.0 + 10 * group, 1000});
    rates[1].push_back({300, 1000});
  }
  const EstimateWithInterval by_pairs = *largest_difference(rates);
  const EstimateWithInterval by_rates = *largest_difference(rates, 10);
  EXPECT_NEAR(by_pairs.value, .19, 1e-12);
  EXPECT_EQ(by_rates.value, by_pairs.value);
  EXPECT_LT(by_rates.low, by_pairs.low);
  EXPECT_GT(by_rates.high, by_pairs.high);
  EXPECT_GT(by_rates.low, 0);
}

}  // namespace
}  // namespace noiseplus
