#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "noise/moments/population.h"
#include "noiseplus/noise.h"
#include "support.h"

namespace noiseplus {
namespace {

using testing_support::exact_shares;

TEST(Moments, TestVectorsFromExactMoments) {
  const MomentSolution a = solve({.268, .1612, .12364});
  EXPECT_NEAR(a.s, .9, 1e-12);
  EXPECT_NEAR(a.e_positive, .2, 1e-12);
  EXPECT_NEAR(a.e_negative, .1, 1e-12);
  EXPECT_NEAR(a.prior, .24, 1e-12);
  const MomentSolution b = solve({.6, .45, .378});
  EXPECT_NEAR(b.s, 1.2, 1e-12);
  EXPECT_NEAR(b.e_positive, .1, 1e-12);
  EXPECT_NEAR(b.e_negative, .3, 1e-12);
  EXPECT_NEAR(b.prior, .5, 1e-12);
}

TEST(Moments, OfExactCellsAtAnyK) {
  for (const std::size_t k : {2, 3, 10, 30}) {
    for (const Views views : {Views::all, Views::anchored}) {
      const Moments m = moments_of(exact_shares(.24, .2, .1, k), k, views);
      EXPECT_NEAR(m.m1, .268, 1e-12);
      EXPECT_NEAR(m.m2, .1612, 1e-12);
      EXPECT_NEAR(m.m3, .12364, 1e-12);
    }
  }
}

TEST(Moments, RandomLabelsAreNotSolvable) {
  EXPECT_FALSE(solve({.5, .25, .125}).solvable);
  EXPECT_FALSE(solve({.5, .2, .1}).solvable);
  EXPECT_FALSE(solve({0, 0, 0}).solvable);
  EXPECT_FALSE(solve({1, 1, 1}).solvable);
}

NeighborGraph chain_graph() {
  // Rows 0..4, k = 2; anchors 0, 1, 4.
  return {2, {0, 1, 4}, {1, 2, 0, 2, 3, 2}, std::vector<float>(6)};
}

TEST(Views, CountedByHand) {
  const std::vector<std::int32_t> codes = {1, 0, 1, 1, 0};
  const ViewCounts counts = count_views(chain_graph(), codes, 1);
  // (y, c): anchor 0 is (1, 1); anchor 1 is (0, 2); anchor 4 is (0, 2).
  EXPECT_EQ(counts.cells, (std::vector<std::int64_t>{0, 0, 2, 0, 1, 0}));
  EXPECT_EQ(counts.anchors(), 3);
  // Sets {0,1,2}, {1,0,2}, {4,3,2}: all share row 2.
  const PairCounts pairs = count_pairs(chain_graph(), codes, 1);
  EXPECT_EQ(pairs.cells[2 * 6 + 2], 4);
  EXPECT_EQ(pairs.cells[2 * 6 + 4], 2);
  EXPECT_EQ(pairs.cells[4 * 6 + 2], 2);
  EXPECT_EQ(pairs.cells[4 * 6 + 4], 1);
  // Row pairs held by both: three by each set and itself and by the first two sets, none with the
  // third.
  EXPECT_EQ(pairs.common_row_pairs, 3 * 3 + 2 * 3);
}

TEST(Views, AddUp) {
  const std::vector<std::int32_t> codes = {1, 0, 1, 1, 0};
  const NeighborGraph whole = chain_graph();
  ViewCounts sum;
  for (std::size_t a = 0; a < 3; ++a) {
    sum += count_views({2, {whole.anchors[a]}, {whole.ids[2 * a], whole.ids[2 * a + 1]}, {}}, codes,
                       1);
  }
  EXPECT_EQ(sum.cells, count_views(whole, codes, 1).cells);
}

TEST(Pairs, SameAtAnyNumberOfThreads) {
  GeneratorOptions options;
  options.rows = 400;
  const Generated data = generate(options);
  const NeighborGraph graph = find_neighbors(data.features.view(), {});
  const auto noisy = testing_support::with_noise(data.codes, .2, .1, 1);
  const PairCounts one = count_pairs(graph, noisy, 1, {1, {}});
  EXPECT_EQ(one.cells, count_pairs(graph, noisy, 1, {3, {}}).cells);
  // The definition, pair by pair.
  const ViewCounts whole = count_views(graph, noisy, 1);
  const std::size_t width = whole.cells.size();
  const auto cell = [&](std::size_t t) {
    const NeighborGraph one_set{
        graph.k, {graph.anchors[t]}, {graph.neighbors(t).begin(), graph.neighbors(t).end()}, {}};
    const auto counts = count_views(one_set, noisy, 1).cells;
    return static_cast<std::size_t>(std::find(counts.begin(), counts.end(), 1) - counts.begin());
  };
  const auto shares_a_row = [&](std::size_t t, std::size_t u) {
    std::set<std::uint32_t> rows(graph.neighbors(t).begin(), graph.neighbors(t).end());
    rows.insert(graph.anchors[t]);
    bool shares = rows.contains(graph.anchors[u]);
    for (const std::uint32_t id : graph.neighbors(u)) shares = shares || rows.contains(id);
    return shares;
  };
  std::vector<std::int64_t> expected(width * width);
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for (std::size_t u = 0; u < graph.size(); ++u) {
      if (shares_a_row(t, u)) ++expected[cell(t) * width + cell(u)];
    }
  }
  EXPECT_EQ(one.cells, expected);
}

class Jacobians : public testing::TestWithParam<Views> {};

// With each view set its own only companion the variance is the plain one; compare the standard
// error with the one from numeric derivatives.
TEST_P(Jacobians, MatchFiniteDifferences) {
  const std::size_t k = 3;
  ViewCounts views{k, {50, 20, 9, 4, 6, 10, 25, 40}};
  PairCounts pairs{k, std::vector<std::int64_t>(64)};
  for (std::size_t i = 0; i < 8; ++i) pairs.cells[i * 8 + i] = views.cells[i];
  const Moments m = moments_of(views.shares(), k, GetParam());
  const MomentSolution at = solve(m);
  ASSERT_TRUE(at.solvable);
  const MomentErrors errors = errors_of(m, at, views, pairs, GetParam());
  const double n = static_cast<double>(views.anchors());
  const auto error_of = [&](const auto& pick) {
    double sum = 0;
    for (std::size_t cell = 0; cell < 8; ++cell) {
      // Influence: the derivative when a little mass is moved to this cell.
      const double h = 1e-6;
      std::vector<double> moved = views.shares();
      for (double& share : moved) share *= 1 - h;
      moved[cell] += h;
      const double influence = (pick(solve(moments_of(moved, k, GetParam()))) - pick(at)) / h;
      sum += static_cast<double>(views.cells[cell]) * influence * influence;
    }
    return std::sqrt(sum) / n;
  };
  const auto near = [](double a, double b) { EXPECT_NEAR(a / b, 1, 1e-4); };
  near(errors.s, error_of([](const MomentSolution& x) { return x.s; }));
  near(errors.e_positive, error_of([](const MomentSolution& x) { return x.e_positive; }));
  near(errors.e_negative, error_of([](const MomentSolution& x) { return x.e_negative; }));
  near(errors.prior, error_of([](const MomentSolution& x) { return x.prior; }));
  near(errors.conditioning, error_of([](const MomentSolution& x) { return x.conditioning; }));
}

INSTANTIATE_TEST_SUITE_P(Errors, Jacobians, testing::Values(Views::all, Views::anchored));

TEST(Student, QuantilesAndProbabilitiesOfThePrintedTables) {
  EXPECT_NEAR(student_quantile(4), 2.776, .002);
  EXPECT_NEAR(student_quantile(1), 2.776, .002);
  EXPECT_NEAR(student_quantile(5), 2.571, .002);
  EXPECT_NEAR(student_quantile(10), 2.228, .001);
  EXPECT_NEAR(student_quantile(30), 2.042, .001);
  EXPECT_NEAR(student_quantile(1e9), 1.960, .001);
  for (const double degrees : {5.0, 10.0, 30.0, 1e6}) {
    EXPECT_NEAR(student_p_value(student_quantile(degrees), degrees), .05, .001);
  }
  EXPECT_NEAR(student_p_value(3.169, 10), .01, .0005);
  EXPECT_EQ(student_p_value(0, 10), 1);
}

NoiseEstimate estimate(double prior, double e_positive, double e_negative,
                       std::int32_t positive = 1) {
  GeneratorOptions options;
  options.rows = 4000;
  options.positive = prior;
  const Generated data = generate(options);
  const std::vector<std::string> names = {"no", "yes"};
  MomentOptions moments;
  moments.positive = positive;
  return estimate_by_moments(find_neighbors(data.features.view(), {}),
                             testing_support::with_noise(data.codes, e_positive, e_negative, 4),
                             names, moments);
}

TEST(Estimate, ClaimsADifferenceThatIsThere) {
  for (const std::int32_t positive : {0, 1}) {
    const NoiseEstimate e = estimate(.24, .3, .1, positive);
    EXPECT_TRUE(e.identified);
    EXPECT_EQ(e.noisier, 1);
    EXPECT_EQ(e.cleaner, 0);
    EXPECT_LT(e.p_value, 1e-4);
    EXPECT_NEAR(e.noise[1].value, .3, .06);
    EXPECT_NEAR(e.noise[0].value, .1, .03);
    EXPECT_LT(e.noise[1].low, .3);
    EXPECT_GT(e.noise[1].high, .3);
    EXPECT_NEAR(e.transition[2], e.noise[1].value, 1e-15);
    EXPECT_NEAR(e.prior[1], .24, .03);
  }
}

TEST(Estimate, TheGapIsTheDifferenceOfTheRatesShown) {
  for (const double e : {0.0, .02, .3}) {
    const NoiseEstimate found = estimate(.3, e, 0);
    EXPECT_NEAR(found.gap.value, std::abs(found.noise[1].value - found.noise[0].value), 1e-15);
    EXPECT_LE(found.gap.low, found.gap.value);
    EXPECT_GE(found.gap.high, found.gap.value);
  }
}

TEST(Estimate, DoesNotDependOnWhichClassIsCalledPositive) {
  const NoiseEstimate one = estimate(.24, .3, .1, 1);
  const NoiseEstimate zero = estimate(.24, .3, .1, 0);
  EXPECT_NEAR(one.s, zero.s, 1e-9);
  EXPECT_NEAR(one.p_value, zero.p_value, 1e-9);
  EXPECT_NEAR(one.prior[1], zero.prior[1], 1e-9);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(one.noise[c].value, zero.noise[c].value, 1e-9);
    EXPECT_NEAR(one.noise[c].low, zero.noise[c].low, 1e-9);
  }
}

TEST(Estimate, CleanSeparatedClassesAreIdentifiedAtAnyPriorAndSize) {
  for (const double prior : {.05, .2, .5}) {
    for (const std::size_t rows : {400, 1000, 3000}) {
      GeneratorOptions options;
      options.rows = rows;
      options.positive = prior;
      options.rows_in_cluster = 20;
      options.seed = rows;
      const Generated data = generate(options);
      const std::vector<std::string> names = {"no", "yes"};
      const NoiseEstimate e =
          estimate_by_moments(find_neighbors(data.features.view(), {}), data.codes, names);
      EXPECT_TRUE(e.identified) << prior << " " << rows << " " << e.warnings.back();
    }
  }
}

TEST(Estimate, RandomLabelsAreHardlyEverIdentified) {
  int identified = 0;
  for (std::uint64_t run = 0; run < 200; ++run) {
    GeneratorOptions options;
    options.rows = run % 2 == 0 ? 60 : 600;
    options.seed = run;
    const Generated data = generate(options);
    std::vector<std::int32_t> codes(options.rows);
    for (std::size_t n = 0; n < codes.size(); ++n) {
      codes[n] = uniform(run, Stream::corrupt, n) < .4 ? 1 : 0;
    }
    const std::vector<std::string> names = {"no", "yes"};
    const NeighborGraph graph = find_neighbors(data.features.view(), {});
    identified += estimate_by_moments(graph, codes, names).identified ? 1 : 0;
  }
  EXPECT_EQ(identified, 0);
}

TEST(Estimate, ClaimsNothingWhereRatesAreEqual) {
  const NoiseEstimate e = estimate(.3, .2, .2);
  EXPECT_TRUE(e.identified);
  EXPECT_EQ(e.noisier, -1);
  EXPECT_GT(e.p_value, .05);
  EXPECT_LT(e.gap.low, 0);
}

TEST(Estimate, SaysWhenNothingIsIdentified) {
  const NoiseEstimate e = estimate(.5, .5, .5);
  EXPECT_FALSE(e.identified);
  EXPECT_EQ(e.noisier, -1);
  EXPECT_EQ(e.p_value, 1);
  EXPECT_EQ(e.noise[0].low, 0);
  EXPECT_EQ(e.noise[0].high, 1);
  ASSERT_EQ(e.warnings.size(), 2U);
  EXPECT_EQ(e.warnings[1].substr(0, 14), "not identified");
}

TEST(Estimate, RatesAreClampedAndCleanLabelsAreClean) {
  const NoiseEstimate e = estimate(.5, 0, 0);
  EXPECT_TRUE(e.identified);
  for (const EstimateWithInterval& rate : e.noise) {
    EXPECT_GE(rate.value, 0);
    EXPECT_LT(rate.value, .01);
    EXPECT_GE(rate.low, 0);
  }
}

}  // namespace
}  // namespace noiseplus
