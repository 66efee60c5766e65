// The worked example of CONTRIBUTING.md, "Add an estimator": a whole estimator, its test, and what
// fails while one is registered in part.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "core/intervals.h"
#include "noise/scores.h"
#include "support.h"

namespace noiseplus {
namespace {

// -------------------------------------------------------------------
// src/noise/agreement/agreement.cpp

// Two labels of one clean class are the same if both are right or both are wrong: with probability
// (1 - e)^2 + e^2. Solved for the e below 1/2; one half where they agree no more than by chance.
double rate_behind(double agreement) {
  return (1 - std::sqrt(std::max(0.0, 2 * agreement - 1))) / 2;
}

// Two classes that are equally noisy, from how often a row and its nearest neighbor have the same
// label. Assumes that the two share their clean label. Throws usage unless there is a code of 0 or
// 1 for each anchor.
NoiseEstimate estimate_by_agreement(const NeighborGraph& graph,
                                    std::span<const std::int32_t> codes) {
  check_one_per_row(codes.size(), graph.size());
  check_codes(codes, 2);
  double agreeing = 0;
  for (std::size_t anchor = 0; anchor < graph.size(); ++anchor) {
    if (codes[graph.anchors[anchor]] == codes[graph.neighbors(anchor)[0]]) ++agreeing;
  }
  // A pair may be there twice, once from each of its ends.
  const double pairs = static_cast<double>(graph.size()) / 2;
  const EstimateWithInterval agreement = wilson_interval(agreeing / 2, pairs);
  NoiseEstimate estimate;
  estimate.estimator = "agreement";
  const double rate = rate_behind(agreement.value);
  estimate.noise.assign(2, {rate, rate_behind(agreement.high), rate_behind(agreement.low)});
  estimate.transition = {1 - rate, rate, rate, 1 - rate};
  const std::vector<double> shares = label_shares(codes, 2);
  estimate.prior = prior_behind(estimate.transition, shares);
  estimate.identified = agreement.low > .5 && !estimate.prior.empty();
  if (!estimate.identified) {
    estimate.prior = shares;
    estimate.warnings.emplace_back(
        "not identified: neighbors agree no more than by chance; the rates are not to be relied "
        "on");
  }
  fill_two_class_terms(estimate);
  return estimate;
}

// ------------------------------------------------------- tests/noise/agreement/agreement_test.cpp

struct Sample {
  Generated clean = generate({.rows = 4000, .seed = 3});
  NeighborGraph graph = find_neighbors(clean.features.view(), {.k = 2});
};

TEST(ExampleEstimator, FindsTheRateOfBothClasses) {
  const Sample sample;
  const auto noisy = testing_support::with_noise(sample.clean.codes, .2, .2, 1);
  const NoiseEstimate found = estimate_by_agreement(sample.graph, noisy);
  EXPECT_TRUE(found.identified);
  ASSERT_EQ(found.noise.size(), 2U);
  EXPECT_NEAR(found.noise[1].value, .2, .03);
  EXPECT_LT(found.noise[1].low, .2);
  EXPECT_GT(found.noise[1].high, .2);
  EXPECT_NEAR(found.prior[1], .5, .05);
}

TEST(ExampleEstimator, SaysThatRandomLabelsTellNothing) {
  const Sample sample;
  const auto random = testing_support::with_noise(sample.clean.codes, .5, .5, 1);
  const NoiseEstimate found = estimate_by_agreement(sample.graph, random);
  EXPECT_FALSE(found.identified);
  EXPECT_EQ(found.warnings.size(), 1U);
}

TEST(ExampleEstimator, RefusesWrongInput) {
  const Sample sample;
  std::vector<std::int32_t> codes = sample.clean.codes;
  codes[7] = 2;
  EXPECT_THROW(estimate_by_agreement(sample.graph, codes), Error);
  codes.pop_back();
  EXPECT_THROW(estimate_by_agreement(sample.graph, codes), Error);
}

// ------------------------------------------------------------------------- where one is registered

// The compiler refuses a value that `estimate` has no case for; this, one that answers as another.
TEST(ExampleEstimator, EveryEstimatorAnswersByItsName) {
  const Generated clean = generate({.rows = 1000, .seed = 3});
  const auto noisy = testing_support::with_noise(clean.codes, .3, .1, 1);
  const std::vector<std::string> names = {"no", "yes"};
  NoiseEstimator estimator(clean.features.view(), noisy, names, {});
  int kinds = 0;
  for (auto kind = EstimatorKind::automatic; !to_string(kind).empty();
       kind = static_cast<EstimatorKind>(static_cast<int>(kind) + 1)) {
    EXPECT_EQ(parse_estimator(to_string(kind)), kind);
    EXPECT_EQ(estimator.estimate(kind).estimator, to_string(kind));
    ++kinds;
  }
  EXPECT_GT(kinds, static_cast<int>(EstimatorKind::confident));
}

}  // namespace
}  // namespace noiseplus
