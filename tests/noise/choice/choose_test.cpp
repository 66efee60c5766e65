#include <gtest/gtest.h>

#include "noise/groups/unproved_rates.h"
#include "noise/ring.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using testing_support::make_ring;
using testing_support::Ring;
using testing_support::RingOptions;

using Pairs = std::vector<std::pair<int, int>>;

Pairs plain(const std::vector<ClassPair>& pairs) {
  Pairs result;
  for (const ClassPair& pair : pairs) result.emplace_back(pair.noisier, pair.cleaner);
  return result;
}

struct Golden {
  std::string mode;
  std::vector<double> transition, low, high;
  std::vector<char> upper_bound_only;
  Pairs claims, leans;
};

ChosenEstimate choose(const RingOptions& options, const LatentClasses& latent, double distinct) {
  const Ring ring = make_ring(options);
  const Matrix votes = vote_scores(ring.graph, ring.codes, options.classes);
  const CurveFits fits = fit_curves(ring.scores.view(), votes.view(), ring.codes, ring.names);
  return choose_estimate(fits, latent, ring.graph, distinct, ring.names);
}

void expect_golden(const ChosenEstimate& chosen, const Golden& golden) {
  EXPECT_EQ(chosen.mode, golden.mode) << chosen.reason;
  ASSERT_EQ(chosen.estimate.transition.size(), golden.transition.size());
  for (std::size_t i = 0; i < golden.transition.size(); ++i) {
    EXPECT_NEAR(chosen.estimate.transition[i], golden.transition[i], 2e-5) << i;
  }
  for (std::size_t i = 0; i < golden.low.size(); ++i) {
    EXPECT_NEAR(chosen.estimate.noise[i].low, golden.low[i], 5e-5) << i;
    EXPECT_NEAR(chosen.estimate.noise[i].high, golden.high[i], 5e-5) << i;
  }
  EXPECT_EQ(chosen.upper_bound_only, golden.upper_bound_only);
  EXPECT_EQ(plain(chosen.claims), golden.claims);
  EXPECT_EQ(plain(chosen.leans), golden.leans);
}

// Transition matrices are of a numpy prototype on the same rows, its optimizer run until nothing
// changes; the latent classes are its own. Intervals and claims were recorded when the doubts were
// fitted (docs/estimators.md).
TEST(Choose, TwoClassesThatOverlap) {
  const LatentClasses latent{{.842583, .157417, .285653, .714347}, {.499788, .500212}};
  const ChosenEstimate chosen = choose({.sharpness = 3, .step = .15}, latent, 1);
  expect_golden(chosen, {"overlap",
                         {.879776, .120224, .236864, .763136},
                         {.037372, .127617},
                         {.173607, .313573},
                         {0, 0},
                         {},
                         {{1, 0}}});
  EXPECT_EQ(chosen.estimate.noisier, -1);
  EXPECT_EQ(chosen.estimate.leans, 1);
  EXPECT_NE(chosen.reason.find("different classes"), std::string::npos) << chosen.reason;
  EXPECT_LT(chosen.estimate.gap.low, chosen.estimate.gap.value);
  EXPECT_GT(chosen.estimate.gap.high, chosen.estimate.gap.value);
}

// A rare class without a pure region: its rate is an upper bound, and nothing is claimed of it.
TEST(Choose, ARareClassIsNotAccused) {
  const LatentClasses latent{{.908534, .091466, .402669, .597331}, {.582497, .417503}};
  const ChosenEstimate chosen = choose(
      {.rows = 3000, .sharpness = 2, .favor = 4, .base = .05, .step = .2, .seed = 5}, latent, 1);
  expect_golden(chosen, {"overlap",
                         {.989752, .010248, .223363, .776637},
                         {0, 0},
                         {.053975, .382096},
                         {0, 1},
                         {},
                         {{1, 0}}});
  EXPECT_EQ(chosen.estimate.noisier, -1);
  EXPECT_EQ(chosen.estimate.leans, 1);
  EXPECT_NE(chosen.estimate.warnings.front().find("class c1: only an upper bound"),
            std::string::npos);
}

TEST(Choose, TwoClassesThatAreDense) {
  const LatentClasses latent{{.888097, .111903, .239818, .760182}, {.504693, .495307}};
  const ChosenEstimate chosen =
      choose({.sharpness = 60, .step = .15, .score_noise = .5}, latent, 1);
  expect_golden(
      chosen,
      {"dense", latent.transition, {.075192, .193574}, {.13788, .275965}, {0, 0}, {{1, 0}}, {}});
  EXPECT_EQ(chosen.estimate.prior, latent.prior);
}

const LatentClasses four_latent{
    {.841945, .066711, .037832, .053511, .104172, .729799, .101482, .064546, .085988, .125252,
     .708894, .079867, .150511, .11448, .165796, .569213},
    {.232531, .248278, .234323, .284867}};
const RingOptions four_classes = {
    .rows = 3000, .classes = 4, .sharpness = 6, .base = .1, .step = .08, .cycles = 2};

TEST(Choose, FourClassesThatAreDense) {
  expect_golden(choose(four_classes, four_latent, 1), {"dense",
                                                       four_latent.transition,
                                                       {.069686, .130039, .159349, .274925},
                                                       {.195309, .323217, .348168, .492616},
                                                       {0, 0, 0, 0},
                                                       {{2, 0}, {3, 0}, {3, 1}},
                                                       {{1, 0}, {3, 2}}});
}

TEST(Choose, FourClassesWithRepeatedRows) {
  const ChosenEstimate chosen = choose(four_classes, four_latent, .5);
  expect_golden(chosen, {"overlap",
                         {.909091, .034238, .029285, .027386, .057391, .829724, .068954, .043931,
                          .065495, .069002, .823836, .041667, .107752, .106542, .117391, .668315},
                         {0, 0, 0, .060228},
                         {.179815, .254239, .296726, .425921},
                         {1, 1, 1, 1},
                         {{3, 0}},
                         {{3, 1}, {3, 2}}});
  EXPECT_NE(chosen.reason.find("repeated"), std::string::npos) << chosen.reason;
}

TEST(Choose, ConstantsCanBeChanged) {
  const Ring ring = make_ring({.sharpness = 60, .step = .15, .score_noise = .5});
  const Matrix votes = vote_scores(ring.graph, ring.codes, 2);
  const CurveFits fits = fit_curves(ring.scores.view(), votes.view(), ring.codes, ring.names);
  const LatentClasses latent{{.9, .1, .2, .8}, {.5, .5}};
  ChoiceRule rule;
  EXPECT_EQ(choose_estimate(fits, latent, ring.graph, 1, ring.names, rule).mode, "dense");
  rule.max_mixed_two = 0;
  rule.min_lead = 1;
  const ChosenEstimate chosen = choose_estimate(fits, latent, ring.graph, 1, ring.names, rule);
  EXPECT_EQ(chosen.mode, "overlap");
  EXPECT_TRUE(chosen.claims.empty());
  EXPECT_EQ(plain(chosen.leans), (Pairs{{1, 0}}));
  EXPECT_THROW(choose_estimate(fits, {{1, 0, 0, 1}, {1}}, ring.graph, 1, ring.names), Error);
}

// Intervals that are apart, or a gap that is surely above 0, would be a claim of their own.
TEST(Choose, IntervalsSayNoMoreThanTheClaims) {
  const Ring ring = make_ring({.sharpness = 60, .step = .15, .score_noise = .5});
  const Matrix votes = vote_scores(ring.graph, ring.codes, 2);
  const CurveFits fits = fit_curves(ring.scores.view(), votes.view(), ring.codes, ring.names);
  const LatentClasses latent{{.888097, .111903, .239818, .760182}, {.504693, .495307}};
  ChoiceRule rule;
  ChosenEstimate chosen = choose_estimate(fits, latent, ring.graph, 1, ring.names, rule);
  const NoiseEstimate claimed = chosen.estimate;
  EXPECT_EQ(claimed.noisier, 1);
  EXPECT_GT(claimed.noise[1].low, claimed.noise[0].high);
  EXPECT_GT(claimed.gap.low, 0);
  let_unproved_rates_overlap(chosen.estimate.noise, chosen.claims);
  EXPECT_EQ(chosen.estimate.noise[1].low, claimed.noise[1].low);
  rule.min_lead = 1;
  chosen = choose_estimate(fits, latent, ring.graph, 1, ring.names, rule);
  EXPECT_EQ(chosen.estimate.noisier, -1);
  EXPECT_EQ(chosen.estimate.gap.low, 0);
  let_unproved_rates_overlap(chosen.estimate.noise, chosen.claims);
  EXPECT_EQ(chosen.estimate.noise[1].low, claimed.noise[0].high);
  EXPECT_EQ(chosen.estimate.noise[1].high, claimed.noise[1].high);
}

// Half of what the labels of the least mixed rows exceed the rate and chance by is no longer in
// doubt. Nothing else depends on it.
TEST(Choose, LowerEndsHaveLessDoubtWhereTheCurveSeesOverlap) {
  const Ring ring = make_ring({.sharpness = 3, .step = .15});
  const Matrix votes = vote_scores(ring.graph, ring.codes, 2);
  const CurveFits fits = fit_curves(ring.scores.view(), votes.view(), ring.codes, ring.names);
  const LatentClasses latent{{.842583, .157417, .285653, .714347}, {.499788, .500212}};
  const ChoiceRule rule;
  ChoiceRule unaware;
  unaware.doubt_per_excess = 0;
  const ChosenEstimate chosen = choose_estimate(fits, latent, ring.graph, 1, ring.names, rule);
  const ChosenEstimate wide = choose_estimate(fits, latent, ring.graph, 1, ring.names, unaware);
  for (std::size_t i = 0; i < 2; ++i) {
    const EstimateWithInterval& rate = chosen.estimate.noise[i];
    const double by_chance = rule.interval_errors * fits.both.standard_errors[i];
    const double excess = fits.both.upper_limits[i] - rate.value - by_chance;
    ASSERT_GT(excess, .001) << i;
    ASSERT_GT(chosen.doubts[i], rule.doubt_per_excess * excess) << i;
    EXPECT_NEAR(rate.low - wide.estimate.noise[i].low, rule.doubt_per_excess * excess, 1e-9) << i;
    EXPECT_EQ(rate.high, wide.estimate.noise[i].high) << i;
  }
  EXPECT_EQ(chosen.doubts, wide.doubts);
  EXPECT_EQ(chosen.wrong_share.low, wide.wrong_share.low);
  EXPECT_EQ(chosen.estimate.gap.low, wide.estimate.gap.low);
  EXPECT_EQ(plain(chosen.leans), plain(wide.leans));
}

// ------------------------------------------------------------------------------------- quantities

TEST(Shape, ByHand) {
  Matrix posterior(4, 2);
  const float ones[] = {.9F, .9F, .5F, .1F};
  for (std::size_t n = 0; n < 4; ++n) {
    posterior.row(n)[0] = 1 - ones[n];
    posterior.row(n)[1] = ones[n];
  }
  const PosteriorShape shape = shape_of(posterior.view());
  EXPECT_NEAR(shape.prior[1], .6, 1e-6);
  EXPECT_NEAR(shape.pure[1], 1.8 / 2.4, 1e-6);
  EXPECT_NEAR(shape.pure[0], .9 / 1.6, 1e-6);
  EXPECT_NEAR(shape.mixed, (1 - 3.2 / 4) / .4, 1e-6);
  EXPECT_THROW(shape_of(Matrix(0, 2).view()), Error);
}

TEST(Shape, EqualsThePrototype) {
  const Ring ring = make_ring({.sharpness = 3, .step = .15});
  const MatrixView scores[] = {ring.scores.view()};
  const CurveFit fit = fit_curve(scores, ring.codes, ring.names);
  const PosteriorShape shape = shape_of(fit.posterior.view());
  EXPECT_NEAR(shape.prior[0], .506569, 2e-5);
  EXPECT_NEAR(shape.mixed, .165506, 1e-4);
  EXPECT_NEAR(shape.pure[0], .83749, 1e-4);
  EXPECT_NEAR(shape.pure[1], .837936, 1e-4);
  EXPECT_NEAR(neighbor_disagreement(fit.posterior.view(), ring.graph), .074817, 1e-4);
}

// Six rows in a circle, three of each class side by side: a third of the pairs of nearest
// neighbors differ, and half of pairs at random.
TEST(Disagreement, ByHand) {
  Matrix posterior(6, 2);
  for (std::size_t n = 0; n < 6; ++n) posterior.row(n)[n / 3] = 1;
  const NeighborGraph graph = testing_support::ring_graph(6, 2);
  EXPECT_NEAR(neighbor_disagreement(posterior.view(), graph), (4 / 12.) / .5, 1e-12);
  EXPECT_NEAR(neighbor_disagreement(posterior.view(), graph, 1), (2 / 6.) / .5, 1e-12);
  EXPECT_THROW(neighbor_disagreement(Matrix(3, 2).view(), graph), Error);
}

TEST(Distinct, CountsRowsOnce) {
  Matrix rows(5, 2);
  rows.row(1)[1] = 1;
  rows.row(2)[0] = -0.0F;
  rows.row(3)[0] = 1;
  rows.row(4)[1] = 1;
  EXPECT_DOUBLE_EQ(distinct_share(rows.view()), .6);
  const std::uint16_t halves[] = {0, 0x3c00, 0x3c00, 0, 0x8000, 0x3c00};
  EXPECT_DOUBLE_EQ(distinct_share(RowsView(halves, 3, 2)), 2 / 3.);
  EXPECT_THROW(distinct_share(Matrix(0, 2).view()), Error);
}

}  // namespace
}  // namespace noiseplus
