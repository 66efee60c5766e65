// From a data set with noisy groups to a model that keeps a promise.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fair/fair_support.h"
#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "pipeline/population.h"

namespace noiseplus {
namespace {

using testing_support::expect_error;
using testing_support::Population;
using testing_support::violation_by_clean_labels;

TrainModelOptions fair_model(Constraint constraint = Constraint::equalized_odds) {
  TrainModelOptions options;
  options.fair = constraint;
  return options;
}

TEST(FairTrainResult, BalancedGroupsOfUnequalBaseRates) {
  const Population population({{"left", 2000, .6, .1}, {"right", 2000, .3, .3}});
  TrainModelOptions options = fair_model();
  const SavedModel plain = train_model(population.dataset, options).saved;
  options.balance = true;
  const TrainModelResult trained = train_model(population.dataset, options);
  ASSERT_TRUE(trained.report.fair);
  const FairReport& fair = *trained.report.fair;
  EXPECT_EQ(fair.judged_by, "clean labels");
  EXPECT_NE(fair.why.find("the noise of each"), std::string::npos) << fair.why;
  // The constraint is counted on the labels as they were before the flips, which count in
  // expectation.
  ASSERT_EQ(fair.noise.size(), 2U);
  EXPECT_NEAR(fair.noise[0].negative, .1, .04);
  EXPECT_NEAR(fair.noise[0].positive, .1, .04);
  EXPECT_NEAR(fair.noise[1].negative, .3, .04);
  EXPECT_NEAR(fair.noise[1].positive, .3, .04);
  EXPECT_NEAR(fair.base_rates[0], .6, .06);
  EXPECT_NEAR(fair.base_rates[1], .3, .06);
  EXPECT_EQ(fair.group_rows, (std::vector<std::size_t>{2000, 2000}));
  EXPECT_LE(fair.violation, 2 * fair.tolerance + 1e-6);
  ASSERT_TRUE(trained.report.balanced);
  EXPECT_EQ(trained.report.balanced->scope, "group");
  EXPECT_LT(violation_by_clean_labels(population, trained.saved),
            violation_by_clean_labels(population, plain) - .05);

  ASSERT_TRUE(trained.saved.fair);
  const FairnessMetadata& promise = *trained.saved.fair;
  EXPECT_EQ(promise.constraint, "equalized-odds");
  EXPECT_EQ(promise.tolerance, .01);
  EXPECT_EQ(promise.group_name, "side");
  EXPECT_EQ(promise.groups, (std::vector<std::string>{"left", "right"}));
  EXPECT_EQ(promise.negative_noise,
            (std::vector<double>{fair.noise[0].negative, fair.noise[1].negative}));
  EXPECT_EQ(promise.positive_noise.size(), 2U);
  EXPECT_TRUE(trained.saved.mixture.is_one());
  EXPECT_TRUE(trained.saved.model.layers.empty());
}

TEST(FairTrainResult, BalancedGroupsOfEqualBaseRates) {
  const Population population({{"left", 2000, .5, .1}, {"right", 2000, .5, .3}});
  TrainModelOptions options = fair_model();
  options.balance = true;
  const TrainModelResult trained = train_model(population.dataset, options);
  EXPECT_EQ(trained.report.fair->judged_by, "clean labels");
  EXPECT_EQ(trained.report.fair->noise.size(), 2U);
}

// Peers depend on all labels, so that flips must be drawn; then all groups are equally noisy.
TEST(FairTrainResult, DrawnFlipsLeaveGroupsOfEqualBaseRatesAlike) {
  const Population population({{"left", 2000, .5, .1}, {"right", 2000, .5, .3}});
  TrainModelOptions options = fair_model();
  options.balance = true;
  options.scope = "group";
  options.train.loss = LossKind::peer;
  options.train.alpha = .2;
  const TrainModelResult trained = train_model(population.dataset, options);
  EXPECT_EQ(trained.report.fair->judged_by, "given labels");
  EXPECT_TRUE(trained.report.fair->noise.empty());
  EXPECT_NE(trained.report.fair->why.find("equally noisy"), std::string::npos);
  EXPECT_TRUE(trained.saved.fair->negative_noise.empty());
}

TEST(FairTrainResult, NoiseIsGivenOrEstimated) {
  const Population population({{"left", 1500, .6, .1}, {"right", 1500, .35, .25}});
  TrainModelOptions options = fair_model(Constraint::equal_opportunity);
  EXPECT_EQ(train_model(population.dataset, options).report.fair->judged_by, "given labels");
  options.noise_aware = true;
  const FairReport estimated = *train_model(population.dataset, options).report.fair;
  EXPECT_EQ(estimated.judged_by, "clean labels");
  EXPECT_NEAR(estimated.noise[0].positive, .1, .05);
  EXPECT_NEAR(estimated.noise[1].positive, .25, .05);
  options.group_noise = {{.05, .1}, {.2, .25}};
  const FairReport given = *train_model(population.dataset, options).report.fair;
  EXPECT_EQ(given.noise[0].negative, .05);
  EXPECT_EQ(given.noise[1].positive, .25);
  EXPECT_NE(given.why.find("given for each group"), std::string::npos);
}

TEST(FairTrainResult, DemographicParityTakesNoLabels) {
  const Population population({{"left", 800, .6, .1}, {"right", 800, .35, .3}});
  TrainModelOptions options = fair_model(Constraint::demographic_parity);
  options.balance = true;
  const TrainModelResult trained = train_model(population.dataset, options);
  EXPECT_EQ(trained.report.fair->judged_by, "given labels");
  const Matrix shares = probabilities(trained.saved, population.dataset.features.view());
  const Evaluation judged =
      evaluate(shares.view(), population.dataset.labels, 1, population.dataset.groups);
  EXPECT_LE(judged.demographic_parity_violation->value, .02 + 1e-6);
}

TEST(FairTrainResult, WhatDoesNotGoTogether) {
  const auto refuses = [](const std::string& part, auto spoil) {
    Population population({{"left", 100, .6, 0}, {"right", 100, .4, 0}});
    Dataset& dataset = population.dataset;
    TrainModelOptions options = fair_model();
    spoil(dataset, options);
    expect_error(ErrorKind::usage, part, [&] { train_model(dataset, options); });
  };
  refuses("needs groups", [](Dataset& data, TrainModelOptions&) { data.groups = {}; });
  refuses("is for two classes", [](Dataset& data, TrainModelOptions&) {
    data.labels.classes.emplace_back("z");
    data.labels.spellings.emplace_back("z");
  });
  refuses("all rows are of one: 'all'", [](Dataset& data, TrainModelOptions&) {
    data.groups = {std::vector<std::int32_t>(200), {"all"}, {"all"}};
  });
  refuses("goes with the losses",
          [](Dataset&, TrainModelOptions& with) { with.train.loss = LossKind::forward; });
  refuses("leave --weights out",
          [](Dataset&, TrainModelOptions& with) { with.row_weights.assign(200, 1); });
  refuses("leave --hold-out out",
          [](Dataset&, TrainModelOptions& with) { with.train.held_out = .1; });
  refuses("leave --sampled-peers out",
          [](Dataset&, TrainModelOptions& with) { with.train.sampled_peers = true; });
  refuses("does nothing for demographic-parity", [](Dataset&, TrainModelOptions& with) {
    with.fair = Constraint::demographic_parity;
    with.noise_aware = true;
  });
}

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0, length = 0;
  for (const char c : text) {
    const bool continues = (static_cast<unsigned char>(c) & 0xc0) == 0x80;
    length = c == '\n' ? 0 : length + (continues ? 0 : 1);
    longest = std::max(longest, length);
  }
  return longest;
}

TEST(FairTrainResult, TextFitsATerminalAndJsonHasAllKeys) {
  const std::string long_name(40, 'x');
  const Population population({{long_name, 1000, .6, .1}, {"right", 1000, .3, .3}});
  for (const Constraint constraint : {Constraint::equalized_odds, Constraint::demographic_parity}) {
    TrainModelOptions options = fair_model(constraint);
    options.balance = true;
    TrainReport report = train_model(population.dataset, options).report;
    report.warnings.clear();  // of any length, one a line
    EXPECT_LE(longest_line(to_text(report)), 80U) << to_text(report);
    const auto json = nlohmann::json::parse(to_json(report));
    for (const char* key :
         {"constraint", "tolerance", "judged_by", "why", "groups", "violation", "error",
          "unconstrained_error", "shares", "rounds", "models_trained", "converged"}) {
      EXPECT_TRUE(json["fair"].contains(key)) << key;
    }
    const bool is_parity = constraint == Constraint::demographic_parity;
    for (const auto& group : json["fair"]["groups"]) {
      for (const char* key : {"group", "rows", "base_rate"}) EXPECT_TRUE(group.contains(key));
      EXPECT_EQ(group.contains("positive_rate_spread"), is_parity);
      EXPECT_EQ(group.contains("tpr_spread"), !is_parity);
      EXPECT_EQ(group.contains("negative_noise"), !is_parity);
    }
    EXPECT_EQ(json["balanced"]["scope"], "class");
  }
}

}  // namespace
}  // namespace noiseplus
