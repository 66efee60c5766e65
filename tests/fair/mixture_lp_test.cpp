#include "fair/mixture_lp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "noiseplus/core.h"

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

TEST(MixtureLp, IsAsGoodAsTryingAllMixtures) {
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

// Every vertex: k candidates with a share and k - 1 excesses at a bound, solved by Gaussian
// elimination with complete pivoting in long double. Nothing where none is feasible.
class AllVertices {
 public:
  AllVertices(const std::vector<MixtureCandidate>& candidates, double tolerance)
      : candidates_(candidates), tolerance_(tolerance), sides_(candidates.front().excess.size()) {
    choose_sides(0, 0);
  }

  std::optional<double> lowest_cost() const { return lowest_; }

 private:
  void choose_sides(std::size_t i, std::size_t active) {
    if (i == sides_.size()) {
      basic_.clear();
      choose_candidates(0, active + 1);
      return;
    }
    for (const int side : {-1, 0, 1}) {
      sides_[i] = side;
      choose_sides(i + 1, active + (side == 0 ? 0 : 1));
    }
  }

  void choose_candidates(std::size_t t, std::size_t missing) {
    if (missing == 0) {
      try_vertex();
      return;
    }
    if (t == candidates_.size()) return;
    basic_.push_back(t);
    choose_candidates(t + 1, missing - 1);
    basic_.pop_back();
    choose_candidates(t + 1, missing);
  }

  void try_vertex() {
    const std::size_t size = basic_.size();
    std::vector<std::vector<long double>> system = {std::vector<long double>(size + 1, 1)};
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      if (sides_[i] == 0) continue;
      system.emplace_back();
      for (const std::size_t t : basic_) system.back().push_back(candidates_[t].excess[i]);
      system.back().push_back(sides_[i] * tolerance_);
    }
    std::vector<std::size_t> unknown(size);
    std::iota(unknown.begin(), unknown.end(), 0);
    for (std::size_t k = 0; k < size; ++k) {
      std::size_t row = k, column = k;
      for (std::size_t r = k; r < size; ++r) {
        for (std::size_t c = k; c < size; ++c) {
          if (std::abs(system[r][c]) > std::abs(system[row][column])) row = r, column = c;
        }
      }
      if (std::abs(system[row][column]) < 1e-12L) return;
      std::swap(system[k], system[row]);
      for (std::vector<long double>& line : system) std::swap(line[k], line[column]);
      std::swap(unknown[k], unknown[column]);
      for (std::size_t r = 0; r < size; ++r) {
        const long double factor = r == k ? 0 : system[r][k] / system[k][k];
        for (std::size_t c = k; c <= size; ++c) system[r][c] -= factor * system[k][c];
      }
    }
    std::vector<double> shares(candidates_.size());
    for (std::size_t k = 0; k < size; ++k) {
      const long double share = system[k][size] / system[k][k];
      if (share < -1e-12L) return;
      shares[basic_[unknown[k]]] = static_cast<double>(share);
    }
    if (largest_excess(candidates_, shares) > tolerance_ + 1e-12) return;
    const double cost = cost_of(candidates_, shares);
    if (!lowest_ || cost < *lowest_) lowest_ = cost;
  }

  const std::vector<MixtureCandidate>& candidates_;
  double tolerance_;
  std::vector<int> sides_;
  std::vector<std::size_t> basic_;
  std::optional<double> lowest_;
};

void expect_as_good_as_all_vertices(const std::vector<MixtureCandidate>& candidates,
                                    double tolerance, int& solved, int& refused) {
  const std::optional<BestMixture> best = best_mixture(candidates, tolerance);
  const std::optional<double> lowest = AllVertices(candidates, tolerance).lowest_cost();
  ASSERT_EQ(best.has_value(), lowest.has_value());
  ++(best ? solved : refused);
  if (!best) return;
  expect_optimal(candidates, tolerance, best);
  EXPECT_NEAR(best->cost, *lowest, tiny);
}

TEST(MixtureLp, IsAsGoodAsTryingAllVertices) {
  int solved = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t excesses = seed % 5;
    const double tolerance = seed % 3 == 0 ? 0 : .3 * uniform_at(seed, 0, 99);
    std::vector<MixtureCandidate> candidates =
        random_candidates(1 + seed / 5 % 6, excesses, 1000 + seed);
    // With one answer for all, as in the game, or without.
    if (seed % 2 == 0) candidates.push_back(constant(.9, excesses));
    expect_as_good_as_all_vertices(candidates, tolerance, solved, refused);
  }
  EXPECT_GT(solved, 200);
  EXPECT_GT(refused, 60);
}

// Few different numbers make for ties of costs, equal candidates, redundant rows, and vertices
// where more bounds meet than need to.
TEST(MixtureLp, IsAsGoodAsTryingAllVerticesThatCoincide) {
  int solved = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 1200; ++seed) {
    SCOPED_TRACE(seed);
    const std::size_t excesses = seed % 5;
    const int steps = 1 + static_cast<int>(seed % 3);
    const auto on_grid = [&](double value) { return std::round(value * 2 * steps) / (2 * steps); };
    std::vector<MixtureCandidate> candidates =
        random_candidates(1 + seed / 5 % 6, excesses, 9000 + seed);
    for (MixtureCandidate& candidate : candidates) {
      candidate.cost = on_grid(candidate.cost);
      for (double& excess : candidate.excess) excess = on_grid(2 * excess);
      // Two groups of equal size: the excess of one is the opposite of the other's.
      if (excesses >= 2 && seed % 4 == 0) candidate.excess[1] = -candidate.excess[0];
    }
    const double tolerance = on_grid(.6 * uniform_at(seed, 0, 99));
    expect_as_good_as_all_vertices(candidates, tolerance, solved, refused);
  }
  EXPECT_GT(solved, 400);
  EXPECT_GT(refused, 200);
}

// A cost lower than all others makes every round of the method a tie but for this one candidate.
TEST(MixtureLp, ManyTiesEnd) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<MixtureCandidate> candidates = random_candidates(60, 30, seed);
    for (MixtureCandidate& candidate : candidates) {
      candidate.cost = 0;
      for (double& excess : candidate.excess) excess = std::round(excess * 4) / 4;
    }
    candidates.push_back(constant(seed % 2 == 0 ? 0 : 1, 30));
    for (const double tolerance : {0.0, .25, .125}) {
      SCOPED_TRACE(seed);
      expect_optimal(candidates, tolerance, best_mixture(candidates, tolerance));
    }
  }
}

TEST(MixtureLp, RefusesWhatIsNotFinite) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, infinity, -infinity}) {
    EXPECT_THROW(best_mixture({{bad, {0}}, {0, {0}}}, .1), Error);
    EXPECT_THROW(best_mixture({{0, {0}}, {0, {bad}}}, .1), Error);
    EXPECT_THROW(best_mixture({{0, {0}}, {0, {0}}}, bad), Error);
  }
  EXPECT_THROW(best_mixture({{0, {0}}, {0, {0}}}, -.1), Error);
  EXPECT_THROW(best_mixture({{0, {0}}, {0, {0, 0}}}, .1), Error);
}

TEST(MixtureLp, CostsOfAnySize) {
  for (const double size : {5e-324, 1e-300, 1e300, 8e307}) {
    const std::vector<MixtureCandidate> candidates = {{-2 * size, {.5}}, {size, {-.5}}};
    const std::optional<BestMixture> best = best_mixture(candidates, .25);
    ASSERT_TRUE(best) << size;
    EXPECT_NEAR(best->shares[0], .75, tiny) << size;
  }
}

TEST(MixtureLp, ByHand) {
  // A good classifier that favors the first group by .3, and one answer for all.
  const std::vector<MixtureCandidate> candidates = {{.2, {.3, -.3}}, {.5, {0, 0}}};
  const std::optional<BestMixture> best = best_mixture(candidates, .1);
  expect_optimal(candidates, .1, best);
  EXPECT_NEAR(best->shares[0], 1. / 3, tiny);
  EXPECT_NEAR(best->cost, .4, tiny);
  EXPECT_NEAR(best->prices[0] - best->prices[1], 1, tiny);  // .3 of cost for .3 of excess
  EXPECT_NEAR(best->worth, .5, tiny);
}

TEST(MixtureLp, WhatNeedsNoConstraintHasNoPrice) {
  const std::vector<MixtureCandidate> candidates = {{.3, {.01, -.01}}, {.2, {.02, -.02}}};
  const std::optional<BestMixture> best = best_mixture(candidates, .05);
  expect_optimal(candidates, .05, best);
  EXPECT_EQ(best->shares, (std::vector<double>{0, 1}));
  EXPECT_EQ(best->prices, (std::vector<double>{0, 0}));
}

TEST(MixtureLp, NothingWhereNoMixtureWillDo) {
  EXPECT_FALSE(best_mixture({}, .1));
  EXPECT_FALSE(best_mixture({{.1, {.2}}, {.1, {.3}}}, .1));
  EXPECT_TRUE(best_mixture({{.1, {.2}}, {.1, {.3}}}, .2));
  EXPECT_FALSE(best_mixture({{.1, {.2, -.2}}, {.1, {-.2, -.2}}}, .1));
}

TEST(MixtureLp, ManyGroupsAndCandidates) {
  for (const double tolerance : {0.0, .05}) {
    std::vector<MixtureCandidate> candidates = random_candidates(100, 200, 4);
    candidates.push_back(constant(.9, 200));
    expect_optimal(candidates, tolerance, best_mixture(candidates, tolerance));
  }
}

TEST(MixtureLp, ManyCandidatesOfFewGroups) {
  for (const double tolerance : {0.0, .001}) {
    std::vector<MixtureCandidate> candidates = random_candidates(400, 4, 9);
    candidates.push_back(constant(.9, 4));
    expect_optimal(candidates, tolerance, best_mixture(candidates, tolerance));
  }
}

// The same classifier is found again and again, and differs by a row at the end of a game.
TEST(MixtureLp, DuplicatesAndNearDuplicates) {
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

// A huge excess of one row must not loosen the bounds of another.
TEST(MixtureLp, EveryExcessHasARoundingErrorOfItsOwn) {
  const std::vector<MixtureCandidate> candidates = {{.1, {.3, 0}}, {.5, {0, 0}}, {.9, {0, 1e10}}};
  const std::optional<BestMixture> best = best_mixture(candidates, .05);
  expect_optimal(candidates, .05, best);
  EXPECT_NEAR(best->shares[0], 1. / 6, tiny);
  EXPECT_NEAR(best->cost, .1 / 6 + .5 * 5 / 6, tiny);
}

// The tiny share of the last candidate is what brings the first excess within the tolerance.
TEST(MixtureLp, TinySharesStayWhereTheConstraintNeedsThem) {
  const std::vector<MixtureCandidate> candidates = {{.1, {.3}}, {.9, {-1e8}}};
  const std::optional<BestMixture> best = best_mixture(candidates, .05);
  ASSERT_TRUE(best);
  EXPECT_GT(best->shares[1], 0);
  EXPECT_LT(best->shares[1], 1e-7);
  EXPECT_LE(largest_excess(candidates, best->shares), .05 + 1e-10 * 1e8);
}

TEST(MixtureLp, DegenerateInputs) {
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
