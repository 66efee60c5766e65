// One cell of each table on generated rows, where neighbors share their label and a linear model
// can tell most of them.
#include <gtest/gtest.h>

#include "experiments/generated_rows.h"
#include "experiments/methods/class_noise.h"
#include "experiments/methods/group_noise.h"
#include "experiments/methods/human_noise.h"

namespace noiseplus {
namespace {

Split separable_rows(std::size_t rows) {
  GeneratorOptions options;
  options.rows = rows;
  options.separation = 3;
  Generated data = generate(options);
  Split split = split_at_random(
      {"generated", std::move(data.features), std::move(data.codes), {"-", "+"}}, 0);
  find_graph(split.training);
  return split;
}

double value_of(const CellResult& result, const std::string& method,
                const std::string& metric = "accuracy") {
  for (const Measured& one : result.measured) {
    if (one.method == method && one.metric == metric) return one.value;
  }
  ADD_FAILURE() << "no " << method;
  return 0;
}

TEST(ClassNoise, BalancingByEstimatesIsAsGoodAsByTheTruth) {
  const Split split = separable_rows(3000);
  const TwoRates rates = {0, .4};
  const CellResult result = class_noise_cell({split.training,
                                              split.test,
                                              with_noise(split.training.clean, rates, 1),
                                              transition_of(rates),
                                              {},
                                              .001,
                                              1},
                                             {.threads = 1});
  EXPECT_EQ(result.measured.size(), 12U);
  EXPECT_GT(value_of(result, "balanced-ce"), value_of(result, "ce") + 1);
  EXPECT_NEAR(value_of(result, "balanced-ce"), value_of(result, "oracle-ce"), 1.5);
  EXPECT_GT(value_of(result, "clean-ce"), 95);
  EXPECT_EQ(result.facts.at("claim"), 1);
  EXPECT_LT(result.facts.at("gap left"), 5);
}

TEST(ClassNoise, TheSameSeedGivesTheSameNumbers) {
  const Split split = separable_rows(600);
  const auto cell = [&](std::uint64_t seed, unsigned threads) {
    const TwoRates rates = {.1, .3};
    return cell_text(class_noise_cell({split.training,
                                       split.test,
                                       with_noise(split.training.clean, rates, seed),
                                       transition_of(rates),
                                       {},
                                       .001,
                                       seed},
                                      {.threads = threads}),
                     0);
  };
  const std::string once = cell(1, 1);
  EXPECT_EQ(cell(1, 3), once);
  EXPECT_NE(cell(2, 1), once);
}

HumanNoiseCase human_case(const Split& split, const std::vector<std::int32_t>& given) {
  HumanNoiseCase one{split.training, split.test, given, {}, split.training.clean, 1};
  one.train.model = ModelKind::mlp;
  one.train.mlp.epochs = 30;
  one.train.mlp.hidden = 16;
  return one;
}

TEST(HumanNoise, HasItsFourMethods) {
  const Split split = separable_rows(1500);
  const std::vector<std::int32_t> given = with_noise(split.training.clean, {.05, .3}, 1);
  const CellResult result = human_noise_cell(human_case(split, given), {.threads = 1});
  for (const char* const method : {"ce", "forward", "co-teaching", "balanced-ce"}) {
    EXPECT_GT(value_of(result, method), 70) << method;
  }
  EXPECT_EQ(result.facts.at("claim"), 1);
}

// As of a million rows, where searching all neighbors would take an hour.
TEST(HumanNoise, OfManyRowsSomeAreLookedAt) {
  Split split = separable_rows(2000);
  split.training.graph = {};
  const std::vector<std::int32_t> given = with_noise(split.training.clean, {.05, .3}, 1);
  HumanNoiseCase one = human_case(split, given);
  const CellResult all = human_noise_cell(one, {.threads = 1});
  one.max_searched = 1599;
  const CellResult some = human_noise_cell(one, {.threads = 1});
  EXPECT_EQ(value_of(some, "ce"), value_of(all, "ce"));
  EXPECT_GT(value_of(some, "balanced-ce"), 70);
  EXPECT_NE(some.facts.at("largest error"), all.facts.at("largest error"));
  EXPECT_LT(some.facts.at("largest error"), 15);
}

TEST(GroupNoise, HasAccuracyAndViolationOfEachMethod) {
  Split split = separable_rows(1600);
  for (KnownRows* const part : {&split.training, &split.test}) {
    part->group_names = {"a", "b"};
    for (std::size_t n = 0; n < part->clean.size(); ++n) {
      part->groups.push_back(static_cast<std::int32_t>(n % 2));
    }
  }
  const FairSet set = fair_set(split, 1, {.threads = 1});
  const CellResult result = group_noise_cell(set, {.05, .3}, 1, {.threads = 1});
  for (const char* const method : {"lr", "gpl", "balanced-lr", "balanced-peer", "noise-aware-lr",
                                   "noise-aware-lr-estimated", "unconstrained", "clean-lr"}) {
    EXPECT_GT(value_of(result, method), 45) << method;
    EXPECT_LT(value_of(result, method, "violation"), 40) << method;
  }
  EXPECT_GT(value_of(result, "clean-lr"), 90);
  EXPECT_GT(value_of(result, "balanced-lr"), value_of(result, "lr") + 5);
  EXPECT_EQ(result.facts.at("claim"), 1);
}

}  // namespace
}  // namespace noiseplus
