// PA - NA over epsilon: the theorem's formula, the truth by enumeration, and counted rows.
#include "experiments/methods/gap_curve.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "experiments/generated_rows.h"
#include "noise/moments/population.h"
#include "support.h"

namespace noiseplus {
namespace {

using testing_support::Population;

constexpr auto both_variants = {PaperVariant::original, PaperVariant::rebalanced};
constexpr std::array<TwoRates, 4> settings = {TwoRates{.3, .1}, TwoRates{.4, .2}, TwoRates{.2, 0},
                                              TwoRates{.45, .05}};

// Of three views that share their clean label, each given label and flipped label written out.
struct Enumerated {
  double gap = 0, third_moment = 0;
};

Enumerated enumerate(double prior, TwoRates rates, double epsilon, PaperVariant variant) {
  const double clean[2] = {1 - prior, prior};
  const double given[2][2] = {{1 - rates.negative, rates.negative},
                              {rates.positive, 1 - rates.positive}};
  const double flipped[2][2] = {{1, 0}, {epsilon, 1 - epsilon}};
  const bool is_drawn_by_flipped = variant == PaperVariant::rebalanced;
  double share[2] = {0, 0};
  for (int y = 0; y < 2; ++y) {
    for (int before = 0; before < 2; ++before) {
      for (int after = 0; after < 2; ++after) {
        share[is_drawn_by_flipped ? after : before] +=
            clean[y] * given[y][before] * flipped[before][after];
      }
    }
  }
  double sampled[2][2] = {{0, 0}, {0, 0}};  // P(clean, label) in the sample
  for (int y = 0; y < 2; ++y) {
    for (int before = 0; before < 2; ++before) {
      for (int after = 0; after < 2; ++after) {
        sampled[y][after] += clean[y] * given[y][before] * flipped[before][after] * .5 /
                             share[is_drawn_by_flipped ? after : before];
      }
    }
  }
  double of_label[2] = {0, 0};
  double agreeing[2] = {0, 0};
  Enumerated result;
  for (int views = 0; views < 8; ++views) {
    const int t[3] = {views & 1, views >> 1 & 1, views >> 2 & 1};
    double probability = 0;
    for (const auto& joint : sampled) {
      const double of_clean = joint[0] + joint[1];
      probability += joint[t[0]] * joint[t[1]] * joint[t[2]] / (of_clean * of_clean);
    }
    of_label[t[0]] += probability;
    if (t[0] == t[1] && t[0] == t[2]) agreeing[t[0]] += probability;
    result.third_moment += probability * (2 * t[0] - 1) * (2 * t[1] - 1) * (2 * t[2] - 1);
  }
  result.gap = agreeing[1] / of_label[1] - agreeing[0] / of_label[0];
  return result;
}

TEST(GapCurve, TheTheoremHasItsTwoRoots) {
  const GapRoots roots = theorem_roots({.3, .1});
  EXPECT_NEAR(roots.wanted, 1.0 / 6, 1e-15);
  EXPECT_NEAR(roots.second, 4.0 / 9, 1e-15);
  for (const TwoRates rates : settings) {
    const auto [wanted, second] = theorem_roots(rates);
    EXPECT_NEAR(theorem_gap(rates, wanted), 0, 1e-15);
    EXPECT_NEAR(theorem_gap(rates, second), 0, 1e-15);
    EXPECT_GT(theorem_gap(rates, wanted / 2), 0);
    EXPECT_LT(theorem_gap(rates, (wanted + second) / 2), 0);
    EXPECT_GT(theorem_gap(rates, (1 + second) / 2), 0);
  }
}

TEST(GapCurve, TheTheoremIsExactForTheRatesInsideTheSample) {
  for (const TwoRates rates : settings) {
    for (const double prior : {.3, .5, .8}) {
      const Population sample = Population{prior, rates.positive, rates.negative}.balanced();
      EXPECT_NEAR(expected_gap(prior, rates, 0, PaperVariant::original),
                  theorem_gap({sample.e_negative, sample.e_positive}, 0), 1e-14);
      EXPECT_GT(std::abs(sample.e_negative - rates.negative), 1e-3);
    }
  }
}

TEST(GapCurve, TheExpectationIsWhatEnumerationGives) {
  for (const TwoRates rates : settings) {
    for (const double prior : {.2, .5, .53, .9}) {
      for (const double epsilon : {0., .1, .4, .95}) {
        for (const PaperVariant variant : both_variants) {
          EXPECT_NEAR(expected_gap(prior, rates, epsilon, variant),
                      enumerate(prior, rates, epsilon, variant).gap, 1e-14);
        }
      }
    }
  }
}

TEST(GapCurve, OnABalancedSampleItIsHalfTheThirdMoment) {
  const TwoRates rates = {.3, .1};
  for (const double epsilon : {0., .1, .4}) {
    const Enumerated again = enumerate(.4, rates, epsilon, PaperVariant::rebalanced);
    EXPECT_NEAR(again.gap, again.third_moment / 2, 1e-14);
  }
  const Enumerated once = enumerate(.4, rates, .4, PaperVariant::original);
  EXPECT_GT(std::abs(once.gap - once.third_moment / 2), .1);
}

TEST(GapCurve, DrawnAgainItVanishesAtTheWantedRootOnly) {
  for (const TwoRates rates : settings) {
    const auto [wanted, second] = theorem_roots(rates);
    EXPECT_NEAR(expected_gap(.5, rates, wanted, PaperVariant::rebalanced), 0, 1e-14);
    for (double epsilon = 0; epsilon < .99; epsilon += .01) {
      const double gap = expected_gap(.5, rates, epsilon, PaperVariant::rebalanced);
      EXPECT_EQ(gap > 0, epsilon < wanted) << epsilon;
    }
    EXPECT_LT(expected_gap(.5, rates, second, PaperVariant::rebalanced), -.001);
  }
}

// Where the exact curve falls to zero, by its points.
std::optional<double> exact_zero(double prior, PaperVariant variant) {
  std::vector<double> epsilons, gaps;
  for (int i = 0; i < 990; ++i) {
    epsilons.push_back(i * .001);
    gaps.push_back(expected_gap(prior, {.3, .1}, epsilons.back(), variant));
  }
  return first_zero(epsilons, gaps);
}

TEST(GapCurve, OtherSharesOfCleanLabelsHaveOtherRoots) {
  struct Row {
    double prior, rebalanced, original;
  };
  for (const Row& row : {Row{.47, .255, .035}, Row{.5, .167, .029}, Row{.53, .102, .022}}) {
    EXPECT_NEAR(exact_zero(row.prior, PaperVariant::rebalanced).value_or(-1), row.rebalanced,
                .0006);
    EXPECT_NEAR(exact_zero(row.prior, PaperVariant::original).value_or(-1), row.original, .0006);
    const double q = row.prior * .9 + (1 - row.prior) * .3;
    const double kept = (row.prior * .9 - (1 - row.prior) * q) / (q * (2 * row.prior * .9 - q));
    EXPECT_NEAR(expected_gap(row.prior, {.3, .1}, 1 - kept, PaperVariant::rebalanced), 0, 1e-14);
  }
  EXPECT_FALSE(exact_zero(.3, PaperVariant::rebalanced));
  EXPECT_NEAR(exact_zero(.3, PaperVariant::original).value_or(-1), .056, .0006);
}

TEST(GapCurve, CountedRowsAreAsExpected) {
  const TwoRates rates = {.3, .1};
  const std::vector<double> epsilons = {0, .1, .3, .5};
  for (const double prior : {.5, .3}) {
    const KnownRows set = testing_support::generated_rows(12000, prior);
    for (const PaperVariant variant : both_variants) {
      std::vector<std::vector<double>> curves;
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const auto noisy =
            testing_support::with_noise(set.clean, rates.positive, rates.negative, seed);
        curves.push_back(measured_gaps(set, noisy, epsilons, variant, seed));
      }
      const std::vector<MeanGap> measured = testing_support::over_seeds(curves);
      for (std::size_t i = 0; i < epsilons.size(); ++i) {
        EXPECT_NEAR(measured[i].mean, expected_gap(prior, rates, epsilons[i], variant), .015)
            << prior << " " << epsilons[i];
      }
    }
  }
}

TEST(GapCurve, ThreadsDoNotMatter) {
  const KnownRows set = testing_support::generated_rows(2000, .5);
  const auto noisy = testing_support::with_noise(set.clean, .1, .3, 1);
  const std::vector<double> epsilons = {0, .2};
  for (const PaperVariant variant : both_variants) {
    EXPECT_EQ(measured_gaps(set, noisy, epsilons, variant, 0, {.threads = 1}),
              measured_gaps(set, noisy, epsilons, variant, 0, {.threads = 3}));
  }
}

TEST(GapCurve, TheFirstZeroIsWhereACurveComesDown) {
  const std::vector<double> epsilons = {0, .1, .2, .3};
  EXPECT_NEAR(*first_zero(epsilons, std::vector{3., 1., -1., -2.}), .15, 1e-15);
  EXPECT_NEAR(*first_zero(epsilons, std::vector{-1., 1., 0., 1.}), .2, 1e-15);
  EXPECT_FALSE(first_zero(epsilons, std::vector{1., 1., 1., 1.}));
  EXPECT_FALSE(first_zero(epsilons, std::vector{-1., -1., 1., 1.}));
}

template <typename Call>
void expect_usage(const Call& call) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
  }
}

TEST(GapCurve, RefusesWhatHasNoMeaning) {
  expect_usage([] { theorem_roots({.1, .3}); });
  expect_usage([] { theorem_roots({.3, .3}); });
  expect_usage([] { theorem_roots({.5, .1}); });
  expect_usage([] { theorem_roots({.3, std::nan("")}); });
  for (const double bad : {-.1, 1., std::nan("")}) {
    expect_usage([&] { expected_gap(bad, {.3, .1}, 0, PaperVariant::original); });
    expect_usage([&] { expected_gap(.5, {bad, .1}, 0, PaperVariant::original); });
    expect_usage([&] { expected_gap(.5, {.3, bad}, 0, PaperVariant::original); });
    expect_usage([&] { expected_gap(.5, {.3, .1}, bad, PaperVariant::original); });
  }

  KnownRows set = testing_support::generated_rows(200, .5);
  const std::vector<double> epsilons = {.1};
  const auto measure = [&](const std::vector<std::int32_t>& codes) {
    return measured_gaps(set, codes, epsilons, PaperVariant::rebalanced, 0);
  };
  EXPECT_EQ(measure(set.clean).size(), 1U);
  expect_usage([&] { measure(std::vector<std::int32_t>(199)); });
  set.classes.push_back("third");
  expect_usage([&] { measure(set.clean); });
  set.classes.pop_back();
  set.graph = {};
  expect_usage([&] { measure(set.clean); });
}

}  // namespace
}  // namespace noiseplus
