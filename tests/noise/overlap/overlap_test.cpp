#include <gtest/gtest.h>

#include <cmath>

#include "noise/overlap/mixture.h"
#include "noise/overlap/neighborhoods.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using testing_support::make_neighborhoods;
using testing_support::Neighborhoods;

const std::vector<std::string> names = {"no", "yes"};

// By its own formula, in long doubles, whose range holds the powers of 1000 trials.
std::vector<double> exact_histogram(const BinomialMixture& mixture) {
  const auto trials = static_cast<long double>(mixture.trials);
  std::vector<double> histogram;
  for (std::size_t c = 0; c <= mixture.trials; ++c) {
    const auto count = static_cast<long double>(c);
    long double sum = 0;
    for (std::size_t a = 0; a < mixture.positions.size(); ++a) {
      const auto position = static_cast<long double>(mixture.positions[a]);
      const long double choices =
          std::lgamma(trials + 1) - std::lgamma(count + 1) - std::lgamma(trials - count + 1);
      sum +=
          static_cast<long double>(mixture.weights[a]) *
          std::exp(choices + count * std::log(position) + (trials - count) * std::log1p(-position));
    }
    histogram.push_back(static_cast<double>(sum));
  }
  return histogram;
}

class MixtureOfTrials : public testing::TestWithParam<std::size_t> {};

// Beyond some 50 trials powers of a position leave the range of doubles.
TEST_P(MixtureOfTrials, FindsTheAtomsOfAnExactHistogram) {
  const BinomialMixture truth{GetParam(), {.1, .45, .8}, {.5, .2, .3}};
  const std::vector<double> histogram = exact_histogram(truth);
  double sum = 0;
  for (const double share : histogram) sum += share;
  EXPECT_NEAR(sum, 1, 1e-12);
  const BinomialMixture found = fit_mixture(histogram, 3);
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(found.positions[a], truth.positions[a], 1e-5) << a;
    EXPECT_NEAR(found.weights[a], truth.weights[a], 1e-5) << a;
  }
  EXPECT_GT(mean_log_likelihood(found, histogram),
            mean_log_likelihood(fit_mixture(histogram, 2), histogram));
}

TEST_P(MixtureOfTrials, AtomsAtTheBordersShareEachCount) {
  const BinomialMixture mixture{GetParam(), {1e-6, 1 - 1e-6}, {.5, .5}};
  const Eigen::MatrixXd shares = mixture.shares();
  const Eigen::RowVectorXd logs = mixture.log_probabilities();
  const Eigen::MatrixXd slopes = mixture.slopes();
  EXPECT_TRUE(slopes.allFinite());
  const auto last = static_cast<Eigen::Index>(GetParam());
  for (Eigen::Index c = 0; c <= last; ++c) {
    EXPECT_NEAR(shares.col(c).sum(), 1, 1e-12) << c;
    EXPECT_NEAR(shares(0, c), 2 * c < last ? 1 : 2 * c > last ? 0 : .5, 1e-5) << c;
    EXPECT_TRUE(std::isfinite(logs[c])) << c;
    EXPECT_NEAR(logs[c] / logs[last - c], 1, 1e-9) << c;
  }
  EXPECT_NEAR(logs[0], std::log(.5) - 1e-6 * static_cast<double>(GetParam()), 1e-8);
}

INSTANTIATE_TEST_SUITE_P(Trials, MixtureOfTrials, testing::Values(31, 53, 60, 200, 1000),
                         testing::PrintToStringParamName());

TEST(Mixture, SlopesAgreeWithDifferences) {
  const BinomialMixture mixture{8, {.1, .5, .8}, {.5, .2, .3}};
  const Eigen::MatrixXd slopes = mixture.slopes();
  constexpr double step = 1e-6;
  for (std::size_t p = 0; p < 5; ++p) {
    BinomialMixture up = mixture, down = mixture;
    for (auto [changed, by] : {std::pair{&up, step}, std::pair{&down, -step}}) {
      if (p < 3) {
        changed->positions[p] += by;
      } else {
        changed->weights[p - 3] += by;
        changed->weights[2] -= by;
      }
    }
    const std::vector<double> above = exact_histogram(up), below = exact_histogram(down);
    for (std::size_t c = 0; c <= 8; ++c) {
      const double slope = (std::log(above[c]) - std::log(below[c])) / (2 * step);
      EXPECT_NEAR(slopes(static_cast<Eigen::Index>(p), static_cast<Eigen::Index>(c)), slope, 1e-6);
    }
  }
}

TEST(Overlap, RatesWithinTheirIntervals) {
  const Neighborhoods data = make_neighborhoods(6000, .1, .25, 3);
  const NoiseEstimate found = estimate_by_overlap(data.graph, data.codes, names);
  EXPECT_EQ(found.estimator, "overlap");
  EXPECT_TRUE(found.identified);
  EXPECT_NEAR(found.noise[0].value, .1, .03);
  EXPECT_NEAR(found.noise[1].value, .25, .04);
  EXPECT_LT(found.noise[1].low, .25);
  EXPECT_GT(found.noise[1].high, .25);
  EXPECT_LT(found.noise[1].high - found.noise[1].low, .15);
  EXPECT_EQ(found.leans, 1);
  EXPECT_EQ(found.noisier, -1);
}

// Without noise an atom sits at the border: its interval is not a point.
TEST(Overlap, NoNoise) {
  const Neighborhoods data = make_neighborhoods(3000, 0, 0, 5);
  const NoiseEstimate found = estimate_by_overlap(data.graph, data.codes, names);
  for (const EstimateWithInterval& rate : found.noise) {
    EXPECT_LT(rate.value, .005);
    EXPECT_GT(rate.high, rate.value);
  }
}

TEST(Overlap, SaysWhenThereAreNoTwoKinds) {
  Neighborhoods data = make_neighborhoods(2000, .1, .1, 7);
  for (std::size_t n = 0; n < data.codes.size(); ++n) {
    data.codes[n] = uniform(9, Stream::generate, n) < .3 ? 1 : 0;
  }
  const NoiseEstimate found = estimate_by_overlap(data.graph, data.codes, names);
  EXPECT_FALSE(found.identified);
  EXPECT_EQ(found.leans, -1);
}

TEST(Overlap, ThreadsDoNotChangeADigit) {
  const Neighborhoods data = make_neighborhoods(2000, .1, .2, 11);
  const NoiseEstimate one = estimate_by_overlap(data.graph, data.codes, names, {}, {.threads = 1});
  const NoiseEstimate two = estimate_by_overlap(data.graph, data.codes, names, {}, {.threads = 2});
  EXPECT_EQ(one.transition, two.transition);
  EXPECT_EQ(one.noise[0].high, two.noise[0].high);
}

TEST(Overlap, WrongInput) {
  const Neighborhoods data = make_neighborhoods(200, .1, .2, 1);
  EXPECT_THROW(estimate_by_overlap(data.graph, data.codes, std::vector<std::string>(3)), Error);
  EXPECT_THROW(estimate_by_overlap(data.graph, data.codes, names, {.max_atoms = 1}), Error);
  EXPECT_THROW(estimate_by_overlap({}, data.codes, names), Error);
}

}  // namespace
}  // namespace noiseplus
