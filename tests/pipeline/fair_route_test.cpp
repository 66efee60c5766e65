// Which route to a fair model is taken, without a clean label.
#include "pipeline/fair_route.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fair/fair_support.h"
#include "pipeline/population.h"

namespace noiseplus {
namespace {

using testing_support::expect_error;
using testing_support::Population;
using testing_support::violation_by_clean_labels;

TrainModelOptions by_route(const std::string& route) {
  TrainModelOptions options;
  options.fair = Constraint::equalized_odds;
  options.route = route;
  return options;
}

TEST(FairRoute, UnequalNoiseAndBaseRatesAreAccountedFor) {
  const Population population({{"left", 2000, .6, .05}, {"right", 2000, .3, .35}});
  const TrainModelResult plain = train_model(population.dataset, by_route("plain"));
  const TrainModelResult chosen = train_model(population.dataset, by_route("auto"));
  const FairAdvice& advice = *chosen.report.fair->advice;
  EXPECT_NE(advice.route, "plain") << advice.why;
  EXPECT_EQ(chosen.report.fair->judged_by, "clean labels");
  EXPECT_LT(violation_by_clean_labels(population, chosen.saved),
            violation_by_clean_labels(population, plain.saved) - .05);
  // What is foreseen without a clean label is about what happens.
  const auto taken = std::ranges::find(advice.trials, advice.route, &RouteTrial::route);
  ASSERT_NE(taken, advice.trials.end());
  EXPECT_TRUE(taken->why_not.empty());
  EXPECT_NEAR(taken->removed.value,
              violation_by_clean_labels(population, plain.saved) -
                  violation_by_clean_labels(population, chosen.saved),
              .08);
  EXPECT_LE(taken->removed.low, taken->removed.value);
  EXPECT_GE(taken->lower_in, .84);
  EXPECT_NE(advice.why.find("points"), std::string::npos);
}

TEST(FairRoute, WhereNothingIsToBeGainedTheConstraintIsPlain) {
  const auto advice_for = [](double left_base, double left, double right_base, double right) {
    const Population population(
        {{"left", 2000, left_base, left}, {"right", 2000, right_base, right}});
    const TrainModelResult chosen = train_model(population.dataset, by_route("auto"));
    const TrainModelResult plain = train_model(population.dataset, by_route("plain"));
    EXPECT_EQ(chosen.saved.mixture.shares, plain.saved.mixture.shares);
    return *chosen.report.fair->advice;
  };
  const FairAdvice clean = advice_for(.6, 0, .3, 0);
  EXPECT_EQ(clean.route, "plain");
  EXPECT_NE(clean.why.find("no noise is proved"), std::string::npos) << clean.why;
  const FairAdvice equal = advice_for(.5, .2, .5, .2);
  EXPECT_EQ(equal.route, "plain") << equal.why;
  EXPECT_FALSE(equal.trials.empty());
  for (const RouteTrial& trial : equal.trials) EXPECT_FALSE(trial.why_not.empty());
}

TEST(FairRoute, WhatIsNotKnownIsNotActedOn) {
  const Population population({{"left", 1000, .6, .05}, {"tiny", 45, .4, .3}});
  const FairAdvice advice = *train_model(population.dataset, by_route("auto")).report.fair->advice;
  EXPECT_EQ(advice.route, "plain");
  EXPECT_NE(advice.why.find("'tiny'"), std::string::npos) << advice.why;
  EXPECT_TRUE(advice.trials.empty());
}

TEST(FairRoute, DemographicParityIsPlain) {
  const Population population({{"left", 500, .6, .05}, {"right", 500, .3, .3}});
  TrainModelOptions options = by_route("auto");
  options.fair = Constraint::demographic_parity;
  const FairAdvice advice = *train_model(population.dataset, options).report.fair->advice;
  EXPECT_EQ(advice.route, "plain");
  EXPECT_NE(advice.why.find("does not look at labels"), std::string::npos);
}

TEST(FairRoute, GivenRatesNeedNoAudit) {
  const Population population({{"left", 2000, .6, .05}, {"right", 2000, .3, .35}});
  TrainModelOptions options = by_route("auto");
  options.group_noise = {{.05, .05}, {.35, .35}};
  const FairAdvice advice = *train_model(population.dataset, options).report.fair->advice;
  ASSERT_EQ(advice.trials.size(), 1U);
  EXPECT_EQ(advice.route, "noise-aware") << advice.why;
  EXPECT_EQ(advice.trials[0].removed.low, advice.trials[0].removed.high);
}

TEST(FairRoute, NamedRoutesAreWhatTheFlagsDo) {
  const Population population({{"left", 1000, .6, .05}, {"right", 1000, .3, .3}});
  TrainModelOptions flags = by_route("");
  flags.balance = true;
  const TrainModelResult by_flag = train_model(population.dataset, flags);
  const TrainModelResult by_name = train_model(population.dataset, by_route("balance"));
  EXPECT_EQ(by_name.saved.mixture.shares, by_flag.saved.mixture.shares);
  EXPECT_FALSE(by_name.report.fair->advice);
  flags.balance = false;
  flags.noise_aware = true;
  EXPECT_EQ(train_model(population.dataset, by_route("noise-aware")).saved.mixture.shares,
            train_model(population.dataset, flags).saved.mixture.shares);
}

TEST(FairRoute, SameBytesOnOneThreadAndTwo) {
  const Population population({{"left", 1000, .6, .05}, {"right", 1000, .3, .3}});
  std::vector<std::string> texts;
  for (const unsigned threads : {1U, 2U}) {
    TrainModelResult trained = train_model(population.dataset, by_route("auto"), {threads, {}});
    trained.report.seconds = 0;
    texts.push_back(to_json(trained.report));
  }
  EXPECT_EQ(texts[0], texts[1]);
}

TEST(FairRoute, WhatDoesNotGoTogether) {
  const Population population({{"left", 100, .6, 0}, {"right", 100, .4, 0}});
  const auto refuses = [&](const std::string& part, const std::string& route, auto spoil) {
    TrainModelOptions options = by_route(route);
    spoil(options);
    expect_error(ErrorKind::usage, part, [&] { train_model(population.dataset, options); });
  };
  const auto nothing = [](TrainModelOptions&) {};
  refuses("there are auto, plain, noise-aware and balance", "clean", nothing);
  refuses("it is for --fair", "auto", [](TrainModelOptions& with) { with.fair.reset(); });
  refuses("give one of them", "auto", [](TrainModelOptions& with) { with.balance = true; });
  refuses("give one of them", "plain", [](TrainModelOptions& with) { with.noise_aware = true; });
  refuses("--scope is for", "auto", [](TrainModelOptions& with) { with.scope = "group"; });
  refuses("--force is for", "plain", [](TrainModelOptions& with) { with.force = true; });
}

GroupNoise group_of(double low) {
  GroupNoise group;
  group.name = "a";
  group.rate = {.1, low, .2};
  group.estimate.noise = {{.1, low, .2}, {.1, 0, .2}};
  group.estimate.identified = true;
  return group;
}

TEST(FairRoute, NoiseMustBeKnownAndProved) {
  AuditReport audit;
  audit.groups = {group_of(0), group_of(.05)};
  EXPECT_EQ(why_only_plain(audit), "");
  audit.groups[1] = group_of(0);
  EXPECT_EQ(why_only_plain(audit), "no noise is proved in any group");
  audit.groups[1] = group_of(.05);
  audit.groups[0].estimate.identified = false;
  EXPECT_NE(why_only_plain(audit).find("'a' is not known (not identified)"), std::string::npos);
}

RouteTrial trial_of(const std::string& route, double removed, const std::string& why_not = "") {
  RouteTrial trial;
  trial.route = route;
  trial.removed = {removed, removed, removed};
  trial.why_not = why_not;
  return trial;
}

TEST(FairRoute, TheRouteThatRemovesMostIsTaken) {
  const FairAdvice both = advise_route({trial_of("noise-aware", .1), trial_of("balance", .2)});
  EXPECT_EQ(both.route, "balance");
  EXPECT_NE(both.trials[0].why_not.find("10.0 points only"), std::string::npos);
  EXPECT_TRUE(both.trials[1].why_not.empty());
  const FairAdvice one =
      advise_route({trial_of("noise-aware", .1), trial_of("balance", .2, "it costs")});
  EXPECT_EQ(one.route, "noise-aware");
  const FairAdvice none = advise_route({trial_of("noise-aware", .1, "it is not shown")});
  EXPECT_EQ(none.route, "plain");
  EXPECT_EQ(none.why, "noise-aware: it is not shown");
}

// Answers that agree with all given labels in one group, and with a share of them in the other.
struct Answers {
  Dataset dataset;
  std::vector<double> even = {100, 400, 100, 400};  // of 500 rows a cell
  std::vector<double> uneven = {100, 400, 200, 300};

  Answers() {
    dataset.labels.classes = {"no", "yes"};
    dataset.groups.classes = {"a", "b"};
    for (std::int32_t n = 0; n < 2000; ++n) {
      dataset.groups.codes.push_back(n / 1000);
      dataset.labels.codes.push_back(n % 2);
    }
  }

  RouteTrial compare(const UncertainRate& rate, const std::vector<double>& plain,
                     const std::vector<double>& other) const {
    const RouteProblem problem{dataset, 1, Constraint::equalized_odds,
                               std::vector<UncertainNoise>(2, {rate, rate}), 0};
    return compare_with_plain(problem, "balance", plain, other);
  }
};

TEST(FairRoute, ViolationAndAccuracyFollowFromTheNoise) {
  const Answers answers;
  const RouteTrial clean = answers.compare({0, 0, 0}, answers.uneven, answers.even);
  EXPECT_NEAR(clean.removed.value, .2, 1e-9);
  EXPECT_NEAR(clean.gained.value, .1, 1e-9);
  EXPECT_EQ(clean.lower_in, 1);
  EXPECT_TRUE(clean.why_not.empty());
  // At e = .2 a difference of given rates is 1 / (1 - 2e) of clean ones, with classes of a half.
  const RouteTrial noisy = answers.compare({.2, 0, 0}, answers.uneven, answers.even);
  EXPECT_NEAR(noisy.removed.value, .2 / .6, 1e-9);
  EXPECT_NEAR(noisy.gained.value, .1 / .6, 1e-9);
  EXPECT_GT(noisy.spread, clean.spread);
  // Noise that is hardly known leaves a wide range.
  const RouteTrial unsure = answers.compare({.2, .1, .1}, answers.uneven, answers.even);
  EXPECT_LT(unsure.removed.low, unsure.removed.high - .05);
  const RouteTrial worse = answers.compare({.2, 0, 0}, answers.even, answers.uneven);
  EXPECT_EQ(worse.lower_in, 0);
  EXPECT_FALSE(worse.why_not.empty());
}

TEST(FairRoute, LessViolationAtTheCostOfAccuracyDoesNotPay) {
  const Answers answers;
  const std::vector<double> constant(4, 250);
  const RouteTrial trial = answers.compare({.1, 0, 0}, answers.uneven, constant);
  EXPECT_GT(trial.removed.value, trial.spread);
  EXPECT_NE(trial.why_not.find("costs"), std::string::npos) << trial.why_not;
}

}  // namespace
}  // namespace noiseplus
