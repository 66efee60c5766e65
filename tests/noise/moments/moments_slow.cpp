// Simulations: rates within their errors, directions right, intervals that cover.
#include <gtest/gtest.h>

#include <cmath>

#include "noiseplus/noise.h"
#include "support.h"

namespace noiseplus {
namespace {

struct Rates {
  double e_positive, e_negative;
};

// The eight settings of docs/estimators.md.
const std::vector<Rates> settings = {{.1, 0},  {.2, 0}, {.2, .1}, {.3, .1},
                                     {.4, .2}, {0, .2}, {.1, .3}, {.2, .4}};

struct Solved {
  MomentSolution solution;
  MomentErrors errors;
};

Solved solve_sample(const NeighborGraph& graph, const std::vector<std::int32_t>& noisy) {
  const ViewCounts views = count_views(graph, noisy, 1);
  const PairCounts pairs = count_pairs(graph, noisy, 1);
  const Moments moments = moments_of(views.shares(), views.k);
  const MomentSolution solution = solve(moments);
  return {solution, errors_of(moments, solution, views, pairs)};
}

class Priors : public testing::TestWithParam<std::pair<double, std::size_t>> {};

TEST_P(Priors, EveryRateWithinFourErrorsEveryDirectionRight) {
  const auto [prior, k] = GetParam();
  GeneratorOptions options;
  options.rows = 50000;
  options.positive = prior;
  options.seed = 17;
  const Generated data = generate(options);
  NeighborOptions search;
  search.k = k;
  const NeighborGraph graph = find_neighbors(data.features.view(), search);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto [e_positive, e_negative] = settings[i];
    const auto noisy = testing_support::with_noise(data.codes, e_positive, e_negative, 100 + i);
    const auto [solution, errors] = solve_sample(graph, noisy);
    SCOPED_TRACE(testing::Message() << "e+ " << e_positive << " e- " << e_negative << " found "
                                    << solution.e_positive << " " << solution.e_negative
                                    << " errors " << errors.e_positive << " " << errors.e_negative);
    EXPECT_NEAR(solution.e_positive, e_positive, 4 * errors.e_positive);
    EXPECT_NEAR(solution.e_negative, e_negative, 4 * errors.e_negative);
    EXPECT_NEAR(solution.s, 1 - e_positive + e_negative, 4 * errors.s);
    EXPECT_EQ(solution.s > 1, e_negative > e_positive);
  }
}

INSTANTIATE_TEST_SUITE_P(Simulation, Priors,
                         testing::Values(std::pair{.5, 10}, std::pair{.24, 10}, std::pair{.1, 10},
                                         std::pair{.5, 2}, std::pair{.24, 2}));

struct Coverage {
  double prior;
  Rates rates;
  std::size_t k;
};

class Intervals : public testing::TestWithParam<Coverage> {};

TEST_P(Intervals, CoverNinetyFivePercent) {
  const auto [prior, rates, k] = GetParam();
  constexpr int runs = 400;
  int covered_s = 0, covered_positive = 0, covered_negative = 0;
  for (int run = 0; run < runs; ++run) {
    GeneratorOptions options;
    options.rows = 4000;
    options.dimensions = 4;
    options.positive = prior;
    options.seed = static_cast<std::uint64_t>(run);
    const Generated data = generate(options);
    NeighborOptions search;
    search.k = k;
    search.seed = options.seed;
    const NeighborGraph graph = find_neighbors(data.features.view(), search);
    const auto noisy = testing_support::with_noise(data.codes, rates.e_positive, rates.e_negative,
                                                   5000 + options.seed);
    const auto [solution, errors] = solve_sample(graph, noisy);
    const double quantile = student_quantile(errors.degrees);
    const auto covers = [quantile](double found, double truth, double error) {
      return std::abs(found - truth) <= quantile * error ? 1 : 0;
    };
    covered_s += covers(solution.s, 1 - rates.e_positive + rates.e_negative, errors.s);
    covered_positive += covers(solution.e_positive, rates.e_positive, errors.e_positive);
    covered_negative += covers(solution.e_negative, rates.e_negative, errors.e_negative);
  }
  const auto share = [&](int covered) { return static_cast<double>(covered) / runs; };
  for (const auto& [name, covered] : {std::pair{"s", covered_s}, std::pair{"e+", covered_positive},
                                      std::pair{"e-", covered_negative}}) {
    RecordProperty(name, std::to_string(share(covered)));
    std::printf("coverage of %s: %.3f\n", name, share(covered));
    EXPECT_GE(share(covered), .92) << name;
    EXPECT_LE(share(covered), .98) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Simulation, Intervals,
                         testing::Values(Coverage{.5, {.2, .1}, 10}, Coverage{.24, {.3, .1}, 10},
                                         Coverage{.5, {.2, .2}, 2}, Coverage{.24, {.1, .3}, 2}));

}  // namespace
}  // namespace noiseplus
