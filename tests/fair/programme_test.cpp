#include "fair/programme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "noiseplus/util.h"

namespace noiseplus {
namespace {

constexpr double tiny = 1e-9;

double uniform_at(std::uint64_t seed, std::size_t n, std::size_t draw) {
  return uniform(seed, Stream::generate, n, draw);
}

std::vector<MixtureCandidate> random_candidates(std::size_t count, std::size_t excesses,
                                                std::uint64_t seed) {
  std::vector<MixtureCandidate> candidates(count);
  for (std::size_t t = 0; t < count; ++t) {
    candidates[t].cost = uniform_at(seed, t, 0);
    for (std::size_t i = 0; i < excesses; ++i) {
      candidates[t].excess.push_back(uniform_at(seed, t, i + 1) - .5);
    }
  }
  return candidates;
}

// As the game begins: one answer for all has no excess.
MixtureCandidate constant(double cost, std::size_t excesses) {
  return {cost, std::vector<double>(excesses)};
}

double largest_excess(const std::vector<MixtureCandidate>& candidates,
                      const std::vector<double>& shares) {
  double largest = 0;
  for (std::size_t i = 0; i < candidates.front().excess.size(); ++i) {
    double sum = 0;
    for (std::size_t t = 0; t < candidates.size(); ++t) sum += shares[t] * candidates[t].excess[i];
    largest = std::max(largest, std::abs(sum));
  }
  return largest;
}

double cost_of(const std::vector<MixtureCandidate>& candidates, const std::vector<double>& shares) {
  double cost = 0;
  for (std::size_t t = 0; t < candidates.size(); ++t) cost += shares[t] * candidates[t].cost;
  return cost;
}

// A mixture that is feasible, and prices that prove that no other is better: strong duality.
void expect_optimal(const std::vector<MixtureCandidate>& candidates, double tolerance,
                    const std::optional<BestMixture>& best) {
  ASSERT_TRUE(best);
  ASSERT_EQ(best->shares.size(), candidates.size());
  EXPECT_GE(*std::min_element(best->shares.begin(), best->shares.end()), 0);
  EXPECT_NEAR(std::accumulate(best->shares.begin(), best->shares.end(), 0.0), 1, tiny);
  EXPECT_LE(largest_excess(candidates, best->shares), tolerance + tiny);
  EXPECT_NEAR(best->cost, cost_of(candidates, best->shares), tiny);
  double price_of_tolerance = 0;
  for (const double price : best->prices) price_of_tolerance += std::abs(price);
  EXPECT_NEAR(best->cost, best->worth - price_of_tolerance * tolerance, 1e-8);
  for (std::size_t t = 0; t < candidates.size(); ++t) {
    double priced = candidates[t].cost;
    for (std::size_t i = 0; i < best->prices.size(); ++i) {
      priced += best->prices[i] * candidates[t].excess[i];
    }
    EXPECT_GE(priced, best->worth - 1e-8) << t;
    if (best->shares[t] == 0) continue;
    EXPECT_NEAR(priced, best->worth, 1e-8) << t;
  }
}

// The lowest cost over shares in steps of 1 / `steps`; infinity where no such mixture will do.
double lowest_by_trying(const std::vector<MixtureCandidate>& candidates, double tolerance,
                        int steps) {
  double lowest = std::numeric_limits<double>::infinity();
  std::vector<double> shares(candidates.size());
  const std::function<void(std::size_t, int)> fill = [&](std::size_t t, int left) {
    if (t + 1 == shares.size()) {
      shares[t] = static_cast<double>(left) / steps;
      if (largest_excess(candidates, shares) > tolerance + tiny) return;
      lowest = std::min(lowest, cost_of(candidates, shares));
      return;
    }
    for (int part = 0; part <= left; ++part) {
      shares[t] = static_cast<double>(part) / steps;
      fill(t + 1, left - part);
    }
  };
  fill(0, steps);
  return lowest;
}

TEST(Programme, IsAsGoodAsTryingAllMixtures) {
  int solved = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const std::size_t count = 2 + seed % 2;
    const int steps = count == 2 ? 2000 : 200;
    const std::vector<MixtureCandidate> candidates = random_candidates(count, 1 + seed % 3, seed);
    const double tolerance = .15;
    const std::optional<BestMixture> best = best_mixture(candidates, tolerance);
    const double lowest = lowest_by_trying(candidates, tolerance, steps);
    if (!best) {
      EXPECT_TRUE(std::isinf(lowest)) << seed;
      ++refused;
      continue;
    }
    expect_optimal(candidates, tolerance, best);
    EXPECT_LE(best->cost, lowest + tiny) << seed;
    ++solved;
    if (std::isinf(lowest)) continue;  // the few that will do are between the steps
    EXPECT_NEAR(best->cost, lowest, 3.0 / steps) << seed;
  }
  EXPECT_GT(solved, 10);
  EXPECT_GT(refused, 10);
}

TEST(Programme, ByHand) {
  // A good classifier that favours the first group by .3, and one answer for all.
  const std::vector<MixtureCandidate> candidates = {{.2, {.3, -.3}}, {.5, {0, 0}}};
  const std::optional<BestMixture> best = best_mixture(candidates, .1);
  expect_optimal(candidates, .1, best);
  EXPECT_NEAR(best->shares[0], 1. / 3, tiny);
  EXPECT_NEAR(best->cost, .4, tiny);
  EXPECT_NEAR(best->prices[0] - best->prices[1], 1, tiny);  // .3 of cost for .3 of excess
  EXPECT_NEAR(best->worth, .5, tiny);
}

TEST(Programme, WhatNeedsNoConstraintHasNoPrice) {
  const std::vector<MixtureCandidate> candidates = {{.3, {.01, -.01}}, {.2, {.02, -.02}}};
  const std::optional<BestMixture> best = best_mixture(candidates, .05);
  expect_optimal(candidates, .05, best);
  EXPECT_EQ(best->shares, (std::vector<double>{0, 1}));
  EXPECT_EQ(best->prices, (std::vector<double>{0, 0}));
}

TEST(Programme, NothingWhereNoMixtureWillDo) {
  EXPECT_FALSE(best_mixture({}, .1));
  EXPECT_FALSE(best_mixture({{.1, {.2}}, {.1, {.3}}}, .1));
  EXPECT_TRUE(best_mixture({{.1, {.2}}, {.1, {.3}}}, .2));
  EXPECT_FALSE(best_mixture({{.1, {.2, -.2}}, {.1, {-.2, -.2}}}, .1));
}

TEST(Programme, ManyGroupsAndCandidates) {
  for (const double tolerance : {0.0, .05}) {
    std::vector<MixtureCandidate> candidates = random_candidates(100, 200, 4);
    candidates.push_back(constant(.9, 200));
    expect_optimal(candidates, tolerance, best_mixture(candidates, tolerance));
  }
}

TEST(Programme, ManyCandidatesOfFewGroups) {
  for (const double tolerance : {0.0, .001}) {
    std::vector<MixtureCandidate> candidates = random_candidates(400, 4, 9);
    candidates.push_back(constant(.9, 4));
    expect_optimal(candidates, tolerance, best_mixture(candidates, tolerance));
  }
}

// The same classifier is found again and again, and differs by a row at the end of a game.
TEST(Programme, DuplicatesAndNearDuplicates) {
  const std::vector<MixtureCandidate> few = random_candidates(5, 10, 2);
  for (const double apart : {0.0, 1e-12, 1e-6}) {
    std::vector<MixtureCandidate> candidates = {constant(.9, 10), constant(.9, 10)};
    for (std::size_t t = 0; t < 200; ++t) {
      candidates.push_back(few[t % few.size()]);
      for (std::size_t i = 0; i < 10; ++i) {
        candidates.back().excess[i] += apart * uniform_at(8, t, i);
      }
    }
    for (const double tolerance : {0.0, .01, .1}) {
      expect_optimal(candidates, tolerance, best_mixture(candidates, tolerance));
    }
  }
}

TEST(Programme, DegenerateInputs) {
  const std::vector<MixtureCandidate> alike(50, constant(.3, 20));
  expect_optimal(alike, 0, best_mixture(alike, 0));
  const std::vector<MixtureCandidate> one = {{.3, {.1}}};
  expect_optimal(one, .1, best_mixture(one, .1));
  const std::vector<MixtureCandidate> no_excess = {{.3, {}}, {.2, {}}};
  expect_optimal(no_excess, .1, best_mixture(no_excess, .1));
  // Costs of weighted losses may be below 0, or far from 1.
  for (const double size : {-1.0, 1e-6, 1e6}) {
    std::vector<MixtureCandidate> candidates = random_candidates(30, 6, 3);
    candidates.push_back(constant(.5, 6));
    for (MixtureCandidate& candidate : candidates) candidate.cost *= size;
    const std::optional<BestMixture> best = best_mixture(candidates, .05);
    ASSERT_TRUE(best);
    EXPECT_LE(largest_excess(candidates, best->shares), .05 + tiny);
    EXPECT_LT(best->cost, candidates.back().cost - 1e-3 * std::abs(size));
  }
}

}  // namespace
}  // namespace noiseplus
