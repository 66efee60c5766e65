#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fair/fair_support.h"
#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

using testing_support::expect_error;

constexpr double tiny = 1e-12;

// Shares of all rows by clean class, label and prediction, with rates read off by adding up.
class Population {
 public:
  Population(PositiveRates clean, double prior, LabelNoise noise) {
    for (const bool y : {false, true}) {
      for (const bool label : {false, true}) {
        for (const bool predicted : {false, true}) {
          const double wrong = y ? noise.positive : noise.negative;
          const double called = y ? clean.tpr : clean.fpr;
          share_[y][label][predicted] = (y ? prior : 1 - prior) * (label == y ? 1 - wrong : wrong) *
                                        (predicted ? called : 1 - called);
        }
      }
    }
  }

  double labeled_positive() const { return labeled(true, false) + labeled(true, true); }
  PositiveRates by_label() const {
    return {labeled(true, true) / labeled_positive(),
            labeled(false, true) / (1 - labeled_positive())};
  }

 private:
  double labeled(bool label, bool predicted) const {
    return share_[false][label][predicted] + share_[true][label][predicted];
  }
  double share_[2][2][2] = {};
};

// ((1 - e) T - e F) / (1 - 2e): what the lemma means; right when clean classes are equally
// frequent.
PositiveRates special_form(PositiveRates noisy, double e) {
  return {((1 - e) * noisy.tpr - e * noisy.fpr) / (1 - 2 * e),
          ((1 - e) * noisy.fpr - e * noisy.tpr) / (1 - 2 * e)};
}

bool are_equal(PositiveRates a, PositiveRates b) {
  return std::abs(a.tpr - b.tpr) < tiny && std::abs(a.fpr - b.fpr) < tiny;
}

const std::vector<double> shares = {0, .15, .4, .7, 1};
const std::vector<double> priors = {.02, .11, .5, .63, .95};
const std::vector<LabelNoise> noises = {{0, 0},   {0, .4},  {.3, 0},   {.2, .2},
                                        {.1, .6}, {.7, .1}, {.45, .45}};

std::vector<PositiveRates> rates_grid() {
  std::vector<PositiveRates> grid;
  for (const double tpr : shares) {
    for (const double fpr : shares) grid.push_back({tpr, fpr});
  }
  return grid;
}

TEST(Rates, NoisyAndCleanAreThoseOfAPopulation) {
  for (const PositiveRates clean : rates_grid()) {
    for (const double prior : priors) {
      for (const LabelNoise noise : noises) {
        const Population population(clean, prior, noise);
        const PositiveRates noisy = noisy_rates(clean, prior, noise);
        EXPECT_NEAR(noisy.tpr, population.by_label().tpr, tiny);
        EXPECT_NEAR(noisy.fpr, population.by_label().fpr, tiny);
        const PositiveRates back = clean_rates(noisy, population.labeled_positive(), noise);
        EXPECT_NEAR(back.tpr, clean.tpr, tiny);
        EXPECT_NEAR(back.fpr, clean.fpr, tiny);
      }
    }
  }
}

TEST(Rates, TheSpecialFormNeedsEquallyFrequentClasses) {
  const Population rare({.7, .2}, .11, {.2, .2});
  EXPECT_NEAR(special_form(rare.by_label(), .2).tpr, .416, 5e-4);
  EXPECT_NEAR(clean_rates(rare.by_label(), rare.labeled_positive(), {.2, .2}).tpr, .7, tiny);

  const PositiveRates even = Population({.7, .2}, .5, {.2, .2}).by_label();
  EXPECT_NEAR(special_form(even, .2).tpr, .7, tiny);
  EXPECT_NEAR(special_form(even, .2).fpr, .2, tiny);
  // What the lemma prints as TPR is the FPR.
  EXPECT_NEAR((.5 * .2 * even.tpr - .5 * .8 * even.fpr) / (.2 - .5), .2, tiny);
}

TEST(Rates, GroupsOfEqualNoiseAndEqualBaseRates) {
  const std::vector<PositiveRates> grid = rates_grid();
  for (const double prior : priors) {
    for (const LabelNoise noise : noises) {
      for (const PositiveRates first : grid) {
        for (const PositiveRates second : grid) {
          EXPECT_EQ(are_equal(noisy_rates(first, prior, noise), noisy_rates(second, prior, noise)),
                    are_equal(first, second));
        }
      }
    }
  }
}

TEST(Rates, EqualNoiseAtUnequalBaseRatesIsNotEnough) {
  const LabelNoise noise = {.4, .4};
  const PositiveRates first = {.7, .3};
  const PositiveRates second = {1895829. / 2285470, 5688177. / 13920590};  // .830, .409
  const PositiveRates shown = Population(first, .63, noise).by_label();
  EXPECT_TRUE(are_equal(shown, Population(second, .33, noise).by_label()));
  EXPECT_TRUE(are_equal(shown, noisy_rates(second, .33, noise)));
  EXPECT_TRUE(are_equal(clean_rates(shown, .526, noise), first));
  EXPECT_TRUE(are_equal(clean_rates(shown, .466, noise), second));
}

TEST(Rates, LabelsThatNoNoiseMakes) {
  const auto back = [](double q, LabelNoise noise) {
    return [=] { return clean_rates({.5, .5}, q, noise); };
  };
  const auto shown = [](double prior, LabelNoise noise) {
    return [=] { return noisy_rates({.5, .5}, prior, noise); };
  };
  constexpr ErrorKind impossible = ErrorKind::impossible;
  expect_error(impossible, "labels of 0.1 cannot", back(.1, {.25, 0}));
  expect_error(impossible, "labels of 0.25 cannot", back(.25, {.25, 0}));
  expect_error(impossible, "below 1 - e+ = 0.75", back(.8, {0, .25}));
  expect_error(impossible, "labels of 0.75 cannot", back(.75, {0, .25}));
  expect_error(impossible, "labels of 0 cannot", back(0, {0, 0}));
  expect_error(impossible, "labels of 1 cannot", back(1, {0, 0}));
  expect_error(impossible, "no row would be labeled positive", shown(0, {0, .2}));
  expect_error(impossible, "no row would be labeled positive", shown(.3, {0, 1}));
  expect_error(impossible, "every row would be labeled positive", shown(1, {.2, 0}));
  expect_error(impossible, "every row would be labeled positive", shown(.3, {1, 0}));
  EXPECT_NO_THROW(shown(0, {.2, .2})());
  EXPECT_NO_THROW(back(.26, {.25, .73})());
}

TEST(Rates, SharesThatAreNone) {
  for (const double wrong : {-.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    const auto expect_usage = [](const std::string& part, auto call) {
      expect_error(ErrorKind::usage, part, call);
    };
    expect_usage("clean positives is", [=] { noisy_rates({}, wrong, {}); });
    expect_usage("positive labels is", [=] { clean_rates({}, wrong, {}); });
    expect_usage("e-, is", [=] { noisy_rates({}, .5, {wrong, 0}); });
    expect_usage("e+, is", [=] { clean_rates({}, .5, {0, wrong}); });
  }
}

}  // namespace
}  // namespace noiseplus
