#include <gtest/gtest.h>

#include <limits>

#include "noise/ring.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using testing_support::make_ring;
using testing_support::Ring;

// Equal to numpy's argsort(-scores, kind="stable") on the same rows.
TEST(Edges, EqualThePrototype) {
  const Ring ring = make_ring({.sharpness = 3, .step = .15});
  const NoiseEstimate found = estimate_by_edges(ring.scores.view(), ring.codes, ring.names);
  EXPECT_EQ(found.estimator, "edges");
  EXPECT_EQ(found.transition, (std::vector<double>{.89, .11, .29, .71}));
  const Ring four =
      make_ring({.rows = 3000, .classes = 4, .sharpness = 6, .base = .1, .step = .08, .cycles = 2});
  EXPECT_EQ(estimate_by_edges(four.scores.view(), four.codes, four.names).transition,
            (std::vector<double>{.87, .05, .06, .02, .06, .79, .06, .09,  //
                                 .14, .04, .76, .06, .09, .15, .1, .66}));
}

TEST(Edges, PriorSolvesTheLabelShares) {
  const Ring ring = make_ring({.sharpness = 3, .step = .15});
  const NoiseEstimate found = estimate_by_edges(ring.scores.view(), ring.codes, ring.names);
  double ones = 0;
  for (const std::int32_t code : ring.codes) ones += code;
  ones /= static_cast<double>(ring.codes.size());
  EXPECT_NEAR(found.prior[0] * found.transition[1] + found.prior[1] * found.transition[3], ones,
              1e-12);
  EXPECT_TRUE(found.identified);
  EXPECT_EQ(found.noisier, -1);
  EXPECT_EQ(found.leans, 1);
  EXPECT_LT(found.noise[0].low, .11);
  EXPECT_GT(found.noise[0].high, .11);
  EXPECT_NEAR(found.s, 1 - .29 + .11, 1e-12);
}

// Of equal scores the first rows count; a quarter of eight rows are two.
TEST(Edges, TiesGoByRow) {
  Matrix scores(8, 2);
  std::fill(scores.row(0), scores.row(0) + 16, .5F);
  const std::vector<std::int32_t> codes = {0, 0, 1, 1, 1, 1, 1, 1};
  const NoiseEstimate found = estimate_by_edges(scores.view(), codes, {});
  EXPECT_EQ(found.transition, (std::vector<double>{1, 0, 1, 0}));
  EXPECT_FALSE(found.identified);
  EXPECT_EQ(found.leans, -1);
}

TEST(Edges, WrongInput) {
  const Ring ring = make_ring({.rows = 100});
  std::vector<std::int32_t> codes = ring.codes;
  EXPECT_THROW(estimate_by_edges(ring.scores.view(), codes, {}, {.tail = 0}), Error);
  EXPECT_THROW(estimate_by_edges(ring.scores.view(), codes, {}, {.tail = 2}), Error);
  EXPECT_THROW(estimate_by_edges({}, {}, {}), Error);
  codes[7] = 2;
  EXPECT_THROW(estimate_by_edges(ring.scores.view(), codes, {}), Error);
  codes.pop_back();
  EXPECT_THROW(estimate_by_edges(ring.scores.view(), codes, {}), Error);
  Matrix wrong(4, 2);
  wrong.row(2)[1] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THROW(estimate_by_edges(wrong.view(), std::vector<std::int32_t>{0, 1, 0, 1}, {}), Error);
  const std::vector<std::int32_t> few = {0, 1, 0};
  EXPECT_THROW(estimate_by_edges(Matrix(3, 2).view(), few, {}), Error);
}

// Five rows in a circle, two neighbors each: the row before and the row after.
TEST(Votes, AreCountedWithoutTheRowItself) {
  const NeighborGraph graph = testing_support::ring_graph(5, 2);
  const std::vector<std::int32_t> codes = {0, 1, 1, 0, 2};
  const Matrix votes = count_votes(graph, codes, 3);
  EXPECT_EQ(std::vector<float>(votes.row(0), votes.row(0) + 3), (std::vector<float>{0, 1, 1}));
  EXPECT_EQ(std::vector<float>(votes.row(2), votes.row(2) + 3), (std::vector<float>{1, 1, 0}));
  const Matrix three = vote_scores(graph, codes, 3);
  EXPECT_FLOAT_EQ(three.row(0)[0], static_cast<float>((.3 * .4 + .001) / 2.3));
  EXPECT_FLOAT_EQ(three.row(0)[2], static_cast<float>((1 + .3 * .2 + .001) / 2.3));
  const Matrix two = vote_scores(graph, std::vector<std::int32_t>{0, 1, 1, 0, 1}, 2);
  EXPECT_FLOAT_EQ(two.row(0)[1], 2.5F / 3);
  EXPECT_FLOAT_EQ(two.row(0)[0], .5F / 3);
  EXPECT_THROW(count_votes(graph, codes, 2), Error);
  EXPECT_THROW(count_votes(graph, std::vector<std::int32_t>{0, 1}, 2), Error);
}

}  // namespace
}  // namespace noiseplus
