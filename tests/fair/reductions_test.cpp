#include <gtest/gtest.h>

#include <algorithm>

#include "fair/fair_support.h"
#include "fair/group_sample.h"
#include "learn/learn_support.h"

namespace noiseplus {
namespace {

using namespace testing_support;  // NOLINT(google-build-using-namespace)

constexpr double rounding = 1e-6;  // of shares that are floats
const std::vector<double> unequal = {.63, .33};
const Constraint all_constraints[] = {Constraint::equalized_odds, Constraint::equal_opportunity,
                                      Constraint::demographic_parity, Constraint::fpr_parity,
                                      Constraint::error_parity};

Mixture unconstrained(const GroupSample& sample) {
  return {{1}, {train(sample.rows.view(), sample.labels()).training.model}};
}

double best_constant_error(const GroupSample& sample) {
  const auto positives = std::count(sample.codes.begin(), sample.codes.end(), 1);
  const double share = static_cast<double>(positives) / static_cast<double>(sample.codes.size());
  return std::min(share, 1 - share);
}

// By the answers' own probabilities, not by what the report says.
void expect_constraint_holds(const GroupSample& sample, Constraint constraint) {
  const FairOptions options = fair_options(sample, constraint);
  const FairTrainResult training = train_fairly(sample, options);
  const CountedRates rates = counted_rates(training.mixture, sample, sample.codes);
  EXPECT_LE(furthest(constraint, rates), options.tolerance + rounding) << to_string(constraint);
  EXPECT_LE(training.violation, 2 * options.tolerance + rounding);
  EXPECT_NEAR(rates.error.back(), training.error, rounding);
  EXPECT_LE(training.error, best_constant_error(sample) + rounding) << to_string(constraint);
  EXPECT_GE(training.error, training.free_error - .01);
  const CountedRates free = counted_rates(unconstrained(sample), sample, sample.codes);
  EXPECT_NEAR(free.error.back(), training.free_error, .005);
}

TEST(Reductions, EveryConstraintHoldsForTwoGroups) {
  const GroupSample sample = group_sample(1500, unequal);
  for (const Constraint constraint : all_constraints) expect_constraint_holds(sample, constraint);
}

TEST(Reductions, EveryConstraintHoldsForFiveGroups) {
  const GroupSample sample = group_sample(2000, {.2, .7, .4, .55, .3});
  for (const Constraint constraint : all_constraints) expect_constraint_holds(sample, constraint);
}

TEST(Reductions, WithoutAConstraintGroupsDifferByMuchMore) {
  const GroupSample sample = group_sample(1500, unequal);
  const CountedRates free = counted_rates(unconstrained(sample), sample, sample.codes);
  for (const Constraint constraint : {Constraint::equalized_odds, Constraint::equal_opportunity,
                                      Constraint::demographic_parity, Constraint::fpr_parity}) {
    EXPECT_GT(furthest(constraint, free), .08) << to_string(constraint);
  }
}

TEST(Reductions, ReportsTheRatesOfTheMixture) {
  const GroupSample sample = group_sample(1500, unequal);
  const FairTrainResult training = train_fairly(sample, fair_options(sample));
  const CountedRates rates = counted_rates(training.mixture, sample, sample.codes);
  ASSERT_EQ(training.rates.size(), 4U);
  for (const ConstrainedRate& rate : training.rates) {
    const std::vector<double>& counted = rate.rate == "tpr" ? rates.tpr : rates.fpr;
    EXPECT_NEAR(rate.value, counted[rate.group], rounding) << rate.rate;
    EXPECT_GT(rate.spread, .005);
    EXPECT_LT(rate.spread, .05);
  }
  EXPECT_GT(training.violation, 0);
  EXPECT_GE(training.models_trained, training.rounds);
  EXPECT_TRUE(training.converged);
  EXPECT_TRUE(training.warnings.empty());
}

// A looser constraint costs less, and the loosest nothing.
TEST(Reductions, TheToleranceTradesAccuracy) {
  const GroupSample sample = group_sample(1500, unequal);
  FairOptions options = fair_options(sample, Constraint::demographic_parity);
  double last = 1;
  for (const double tolerance : {0.0, .05, 1.0}) {
    options.tolerance = tolerance;
    const FairTrainResult training = train_fairly(sample, options);
    const CountedRates rates = counted_rates(training.mixture, sample, sample.codes);
    EXPECT_LE(furthest(rates.positive), tolerance + rounding);
    EXPECT_LT(training.error, last - .005) << tolerance;
    last = training.error;
    if (tolerance == 1) {
      EXPECT_LE(training.error, training.free_error + rounding);
    }
  }
}

TEST(Reductions, ThePositiveClassMayBeEither) {
  const GroupSample sample = group_sample(1200, unequal);
  GroupSample mirrored = sample;
  for (std::int32_t& code : mirrored.codes) code = 1 - code;
  FairOptions options = fair_options(sample, Constraint::equal_opportunity);
  const FairTrainResult ones = train_fairly(sample, options);
  options.positive = 0;
  const FairTrainResult zeros = train_fairly(mirrored, options);
  EXPECT_NEAR(ones.error, zeros.error, rounding);
  const CountedRates first = counted_rates(ones.mixture, sample, sample.codes);
  const CountedRates second = counted_rates(zeros.mixture, mirrored, mirrored.codes, 0);
  for (std::size_t z = 0; z < 3; ++z) {
    EXPECT_NEAR(first.tpr[z], second.tpr[z], rounding);
    EXPECT_NEAR(first.fpr[z], second.fpr[z], rounding);
  }
  // Of the same labels, it is the rate of the other class that is made alike.
  const CountedRates other =
      counted_rates(train_fairly(sample, options).mixture, sample, sample.codes);
  EXPECT_LE(furthest(other.fpr), options.tolerance + rounding);
  EXPECT_GT(furthest(other.tpr), options.tolerance + rounding);
}

bool are_equal(const Mixture& a, const Mixture& b) {
  return a.shares == b.shares &&
         std::equal(a.models.begin(), a.models.end(), b.models.begin(), b.models.end(),
                    [](const Model& x, const Model& y) { return x.layers == y.layers; });
}

TEST(Reductions, ThreadsDoNotChangeTheResult) {
  const GroupSample sample = group_sample(1500, unequal);
  TrainOptions network;
  network.model = ModelKind::mlp;
  network.mlp.hidden = 4;
  network.mlp.epochs = 2;
  FairOptions options = fair_options(sample);
  options.max_rounds = 8;
  for (const TrainOptions& train : {TrainOptions{}, network}) {
    const FairTrainResult one = train_fairly(sample, options, train, {.threads = 1});
    const FairTrainResult four = train_fairly(sample, options, train, {.threads = 4});
    EXPECT_TRUE(are_equal(one.mixture, four.mixture));
    EXPECT_EQ(one.error, four.error);
  }
}

TEST(Reductions, AlphaOfPeerLossesIsPassedOn) {
  const GroupSample sample = group_sample(600, unequal);
  FairOptions options = fair_options(sample);
  options.tolerance = .05;
  TrainOptions train;
  train.loss = LossKind::peer;
  train.alpha = .3;
  const FairTrainResult given = train_fairly(sample, options, train);
  EXPECT_EQ(given.alpha, .3);
  EXPECT_TRUE(given.trials.empty());
  train.alpha.reset();
  train.alphas = {-.4, .2};
  train.alpha_folds = 2;
  const FairTrainResult chosen = train_fairly(sample, options, train);
  ASSERT_EQ(chosen.trials.size(), 2U);
  const auto best = std::max_element(
      chosen.trials.begin(), chosen.trials.end(),
      [](const AlphaTrial& a, const AlphaTrial& b) { return a.accuracy < b.accuracy; });
  EXPECT_EQ(chosen.alpha, best->alpha);
}

// Equal noise at unequal base rates: what is alike by given labels is not by clean ones.
TEST(Reductions, NoiseAwareConstraintsHoldForCleanLabels) {
  const GroupSample sample = five_fold(group_sample(1500, unequal), 2);
  FairOptions options = fair_options(sample);
  const FairTrainResult plain = train_fairly(sample, options);
  options.noise = {{.4, .4}, {.4, .4}};
  const FairTrainResult aware = train_fairly(sample, options);
  const auto by_given = counted_rates(plain.mixture, sample, sample.codes);
  EXPECT_LE(furthest(Constraint::equalized_odds, by_given), options.tolerance + rounding);
  const auto left = counted_rates(plain.mixture, sample, sample.clean);
  EXPECT_GT(std::abs(left.tpr[0] - left.tpr[1]), .08);
  const auto by_clean = counted_rates(aware.mixture, sample, sample.clean);
  EXPECT_LE(furthest(Constraint::equalized_odds, by_clean), options.tolerance + rounding);
  EXPECT_LT(by_clean.error.back(), best_constant_error(sample) - .05);
  for (const ConstrainedRate& rate : aware.rates) {
    const std::vector<double>& counted = rate.rate == "tpr" ? by_clean.tpr : by_clean.fpr;
    EXPECT_NEAR(rate.value, counted[rate.group], rounding);
    EXPECT_GT(rate.spread, .02) << "wider than without noise";
  }
}

// Noise of one group only, accounted for in all constraints that look at labels.
TEST(Reductions, NoiseOfOneGroup) {
  const GroupSample once = group_sample(1000, unequal);
  GroupSample sample = five_fold(once, 1);
  for (std::size_t n = 0; n < sample.codes.size(); ++n) {
    if (sample.groups[n] == 0) sample.codes[n] = sample.clean[n];
  }
  for (const Constraint constraint :
       {Constraint::equal_opportunity, Constraint::fpr_parity, Constraint::error_parity}) {
    FairOptions options = fair_options(sample, constraint);
    options.noise = {{0, 0}, {.2, .2}};
    const FairTrainResult training = train_fairly(sample, options);
    const CountedRates rates = counted_rates(training.mixture, sample, sample.clean);
    EXPECT_LE(furthest(constraint, rates), options.tolerance + rounding) << to_string(constraint);
  }
}

// Negatives far noisier than positives: cross entropy calls too many positive.
TEST(Reductions, CorrectedLossesAreBases) {
  GroupSample sample = five_fold(group_sample(800, {.5, .4}), 2);
  for (std::size_t n = 0; n < sample.codes.size(); ++n) {
    if (sample.clean[n] == 1) sample.codes[n] = 1;
  }
  FairOptions options = fair_options(sample);
  options.tolerance = .02;
  options.noise = {{.4, 0}, {.4, 0}};
  TrainOptions backward;
  backward.loss = LossKind::backward;
  backward.transition = {.6, .4, 0, 1};
  TrainOptions group_peer;
  group_peer.loss = LossKind::group_peer;
  group_peer.groups = sample.groups;
  group_peer.deltas = {.6, .6};
  group_peer.alpha = .8;
  const double plain =
      counted_rates(train_fairly(sample, options).mixture, sample, sample.clean).error.back();
  for (const TrainOptions& train : {backward, group_peer}) {
    const FairTrainResult training = train_fairly(sample, options, train);
    const CountedRates rates = counted_rates(training.mixture, sample, sample.clean);
    EXPECT_LE(furthest(Constraint::equalized_odds, rates), options.tolerance + rounding);
    EXPECT_LT(rates.error.back(), plain - .02);
  }
}

TEST(Reductions, NetworksAreLearners) {
  const GroupSample sample = group_sample(600, unequal);
  TrainOptions train;
  train.model = ModelKind::mlp;
  train.mlp.hidden = 4;
  train.mlp.epochs = 10;
  train.mlp.batch = 32;
  train.mlp.rate = .02;
  FairOptions options = fair_options(sample);
  options.max_rounds = 15;
  const FairTrainResult training = train_fairly(sample, options, train);
  const CountedRates rates = counted_rates(training.mixture, sample, sample.codes);
  EXPECT_LE(furthest(Constraint::equalized_odds, rates), options.tolerance + rounding);
  EXPECT_LT(training.error, best_constant_error(sample) - .05);
  EXPECT_TRUE(std::any_of(training.mixture.models.begin(), training.mixture.models.end(),
                          [](const Model& model) { return model.layers.size() == 2; }));
}

}  // namespace
}  // namespace noiseplus
