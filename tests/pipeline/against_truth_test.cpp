// What an audit says, where the truth is known: tables whose classes overlap, with noise by class,
// by group, on hard rows, or in the labels' own making. Each setting is one in which rates, bounds
// or row probabilities are easily wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/format.h"
#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "pipeline/generated.h"
#include "pipeline/truth_table.h"

namespace noiseplus {
namespace {

using namespace testing_support;

bool holds(const EstimateWithInterval& interval, double truth) {
  return interval.low <= truth && truth <= interval.high;
}

std::string shown(const EstimateWithInterval& rate) {
  return percent(rate.value) + " (" + span(rate.low, rate.high) + ')';
}

const std::string condition = "mistakes do not depend on how hard a row is";
const std::string made = "made from these features";

// Within the first lines, before any table.
void expect_condition_before_rates(const AuditReport& report) {
  std::string text = to_text(report);
  std::replace(text.begin(), text.end(), '\n', ' ');
  for (const std::string& words : {condition, made}) {
    ASSERT_NE(text.find(words), text.npos) << text;
    EXPECT_LT(text.find(words), text.find("noise rate")) << text;
  }
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_NE(json["condition"].get<std::string>().find(condition), std::string::npos);
}

// e+ = .30 and e- = .05 in both groups, base rates .63 and .32: 20.8 and 13.0 % are wrong. A mean
// of the classes by precision said 27.8 and 7.4.
TEST(AgainstTruth, GroupRatesUnderClassNoiseAreSharesOfWrongLabels) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    TruthTable table(
        {.rows = 10000, .steepness = 6, .biases = {2.1, -3}, .first_group = .6, .seed = seed});
    table.flip(wrong_by(table, seed, [&](std::size_t n) { return table.clean[n] ? .30 : .05; }));
    const AuditReport report = audit(table.dataset, {});
    for (std::size_t g = 0; g < 2; ++g) {
      const double truth =
          TruthTable::wrong_share(table.is_wrong(), table.group, static_cast<std::int32_t>(g));
      EXPECT_TRUE(holds(report.groups[g].rate, truth))
          << g << ": " << shown(report.groups[g].rate) << " for " << truth;
      EXPECT_NEAR(report.groups[g].rate.value, truth, .03) << g;
    }
    EXPECT_NE(report.comparison.noisier, 1);
    EXPECT_TRUE(report.comparison.class_claims.empty());
    EXPECT_EQ(report.scope, "class");
  }
}

// 40 % of the second group's positive labels are erased, where few rows are surely positive. The
// rate of a group with such a class is an upper bound, and says so beside the class.
TEST(AgainstTruth, AGroupWithABoundedClassIsBoundedItself) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    TruthTable table(
        {.rows = 10000, .steepness = 2, .biases = {-3.3, -3.1}, .first_group = .68, .seed = seed});
    table.flip(wrong_by(table, seed, [&](std::size_t n) {
      return table.group[n] == 1 && table.clean[n] == 1 ? .4 : 0;
    }));
    const AuditReport report = audit(table.dataset, {});
    const std::string text = to_text(report);
    const auto json = nlohmann::json::parse(to_json(report));
    for (std::size_t g = 0; g < 2; ++g) {
      const GroupNoise& group = report.groups[g];
      const double truth =
          TruthTable::wrong_share(table.is_wrong(), table.group, static_cast<std::int32_t>(g));
      EXPECT_TRUE(holds(group.rate, truth)) << shown(group.rate) << " for " << truth;
      EXPECT_EQ(group.is_upper_bound(),
                group.class_upper_bound_only[0] != 0 || group.class_upper_bound_only[1] != 0);
      EXPECT_TRUE(group.is_upper_bound()) << g;
      EXPECT_EQ(json["groups"][g]["upper_bound"], true);
      const std::size_t begin = text.find('\n' + group.name + ' ') + 1;
      const std::string line = text.substr(begin, text.find('\n', begin) - begin);
      EXPECT_NE(line.find("at most " + percent(group.rate.high)), line.npos) << text;
      EXPECT_NE(line.find(span(group.rate.low, group.rate.high)), line.npos) << text;
    }
    EXPECT_NE(text.find("At most: if inside a group noise depends on the class only"), text.npos);
    EXPECT_NE(report.comparison.noisier, 0);
    expect_condition_before_rates(report);
  }
}

// 15 and 5 % of the labels are wrong, all where the classes meet. That cannot be told from overlap:
// the rates come out far too low, so the condition must stand before them.
TEST(AgainstTruth, NoiseOnHardRowsIsToldByTheCondition) {
  TruthTable table({.rows = 6000, .steepness = 4});
  std::vector<std::size_t> order(table.clean.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::abs(table.logits[a]) < std::abs(table.logits[b]);
  });
  std::vector<char> wrong(order.size());
  double left[2] = {};
  for (const std::int32_t c : table.clean) left[c] += c == 1 ? .15 : .05;
  for (const std::size_t n : order) {
    if (left[table.clean[n]]-- >= 1) wrong[n] = 1;
  }
  table.flip(wrong);
  const AuditReport report = audit(table.dataset, {});
  ASSERT_TRUE(report.estimate.identified);
  EXPECT_FALSE(holds(report.estimate.noise[1], .15)) << "then the test shows nothing";
  expect_condition_before_rates(report);
}

// A lexicon of 12 words makes the labels, and a third of them are wrong: a smooth function of many
// columns looks clean.
TEST(AgainstTruth, WeakLabelsAreJudgedUnderTheConditionOrNotAtAll) {
  constexpr std::size_t rows = 4000, words = 40, lexicon = 12;
  Matrix features(rows, words);
  std::vector<std::int32_t> weak;
  double wrong = 0;
  for (std::size_t n = 0; n < rows; ++n) {
    const std::int32_t topic = uniform(3, Stream::generate, n, 0) < .5 ? 1 : 0;
    int found = 0;
    for (std::size_t w = 0; w < words; ++w) {
      const bool tells = w < lexicon;
      const double chance = !tells ? .2 : (w % 2 == 0) == (topic == 1) ? .24 : .16;
      const bool is_there = uniform(3, Stream::generate, n, w + 1) < chance;
      features.row(n)[w] = is_there ? 1 : 0;
      if (is_there && tells) found += w % 2 == 0 ? 1 : -1;
    }
    weak.push_back(found > 0 ? 1 : 0);
    wrong += weak[n] != topic ? 1 : 0;
  }
  ASSERT_GT(wrong / rows, .3);
  Dataset dataset;
  dataset.features = Features(std::move(features));
  dataset.labels.codes = weak;
  dataset.labels.classes = dataset.labels.spellings = {"no", "yes"};
  dataset.label_name = "y";
  const AuditReport report = audit(dataset, {});
  EXPECT_TRUE(report.claims.empty());
  if (report.giveaway) {
    EXPECT_NE(to_text(report).find("Cannot be judged"), std::string::npos);
  } else if (report.estimate.identified) {
    expect_condition_before_rates(report);
  } else {
    EXPECT_EQ(to_text(report).find("at most"), std::string::npos);
  }
}

// Credit cards in small: no row is surely of either class, 22 % are positive, rates 5 and 30 %.
TEST(AgainstTruth, IntervalsHoldWithoutAPureRegion) {
  int held = 0, intervals = 0;
  for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
    TruthTable table({.rows = 6000, .steepness = 1, .biases = {-1.5}, .seed = seed});
    table.flip(wrong_by(table, seed, [&](std::size_t n) { return table.clean[n] ? .30 : .05; }));
    const AuditReport report = audit(table.dataset, {});
    for (std::size_t c = 0; c < 2; ++c) {
      const double truth =
          TruthTable::wrong_share(table.is_wrong(), table.clean, static_cast<std::int32_t>(c));
      const bool is_held = holds(report.estimate.noise[c], truth);
      if (!is_held)
        std::printf("%zu: %s for %.3f\n", c, shown(report.estimate.noise[c]).c_str(), truth);
      held += is_held ? 1 : 0;
      ++intervals;
    }
    EXPECT_NE(report.estimate.noisier, 0);
  }
  EXPECT_GE(held, intervals - 1);  // 93 %
}

TEST(AgainstTruth, RowProbabilitiesAreCalibratedOrCalledARanking) {
  AuditOptions options;
  options.judge_rows = true;
  TruthTable table({.rows = 6000, .steepness = 1.5, .biases = {-1.5}});
  table.flip(wrong_by(table, 5, [&](std::size_t n) { return table.clean[n] ? .30 : .05; }));
  const AuditReport overlapping = audit(table.dataset, options);
  EXPECT_FALSE(overlapping.rows_are_calibrated);
  EXPECT_EQ(nlohmann::json::parse(to_json(overlapping))["row_probabilities"], "ranking");

  GeneratorOptions clusters;
  clusters.rows = 6000;
  const std::vector<std::int32_t> clean = generate(clusters).codes;
  const Dataset dense = generated(.5, .3, .1, 6000);
  std::vector<char> is_wrong;
  for (std::size_t n = 0; n < clean.size(); ++n)
    is_wrong.push_back(dense.labels.codes[n] != clean[n]);
  const AuditReport report = audit(dense, options);
  EXPECT_TRUE(report.rows_are_calibrated);
  EXPECT_EQ(nlohmann::json::parse(to_json(report))["row_probabilities"], "calibrated");
  EXPECT_LE(worst_tenth(report.quality.right, is_wrong), .05);
}

// Noise .3 and .1 by a group whose column is among the features: models then learn the noise.
TEST(AgainstTruth, AGroupColumnAmongTheFeaturesDoesNotHideWrongLabels) {
  double found[2] = {};
  for (const bool keeps : {false, true}) {
    TruthTable table({.rows = 6000,
                      .steepness = 6,
                      .biases = {-6, -6},
                      .first_group = .3,
                      .keeps_group_column = keeps,
                      .seed = 4});
    table.flip(wrong_by(table, 6, [&](std::size_t n) { return table.group[n] == 0 ? .3 : .1; }));
    AuditOptions options;
    options.judge_rows = true;
    found[keeps ? 1 : 0] = auroc(audit(table.dataset, options).quality.right, table.is_wrong());
  }
  EXPECT_GE(found[0], .9);
  EXPECT_GE(found[1], found[0] - .01);
}

}  // namespace
}  // namespace noiseplus
