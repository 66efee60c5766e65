#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "learn_support.h"
#include "reference_loss.h"

namespace noiseplus {
namespace {

const std::vector<double> noise = {.7, .2, .1, .1, .8, .1, .25, .05, .7};

Model some_model() {
  return {3, {{2, 3, {.3F, -1, .5F, 1.2F, 0, -.7F}, {.1F, -.2F, .4F}}}};
}

double loss_of(const Targets& targets, const Matrix& rows) {
  const Model model = some_model();
  return reference_loss(model, parameters_in_double(model), rows.view(), targets, 0, 0);
}

Matrix some_rows(std::size_t n) {
  Matrix rows(n, 2);
  for (std::size_t i = 0; i < 2 * n; ++i) {
    rows.row(0)[i] = static_cast<float>(normal(4, Stream::generate, i, 0));
  }
  return rows;
}

// All 3^4 ways in which the noise may turn out, each with its probability.
TEST(Targets, BackwardCorrectionHasTheCleanLossAsItsExpectation) {
  const std::vector<std::int32_t> clean = {0, 2, 1, 2};
  const Matrix rows = some_rows(4);
  double expectation = 0;
  double uncorrected = 0;
  for (int way = 0; way < 81; ++way) {
    std::vector<std::int32_t> noisy(4);
    double chance = 1;
    for (int rest = way, n = 0; n < 4; ++n, rest /= 3) {
      noisy[static_cast<std::size_t>(n)] = rest % 3;
      chance *= noise[static_cast<std::size_t>(clean[static_cast<std::size_t>(n)] * 3 + rest % 3)];
    }
    expectation += chance * loss_of(backward_targets({noisy, 3}, noise), rows);
    uncorrected += chance * loss_of(cross_entropy_targets({noisy, 3}), rows);
  }
  const double wanted = loss_of(cross_entropy_targets({clean, 3}), rows);
  EXPECT_NEAR(expectation, wanted, 1e-6);
  EXPECT_GT(std::abs(uncorrected - wanted), .05);
}

TEST(Targets, BackwardOfTwoClassesIsThePublishedFormula) {
  const std::vector<std::int32_t> codes = {0, 1};
  const Targets targets = backward_targets({codes, 2}, std::vector<double>{.8, .2, .4, .6});
  const double delta = 1 - .2 - .4;
  EXPECT_NEAR(targets.weights.row(0)[0], (1 - .4) / delta, 1e-6);
  EXPECT_NEAR(targets.weights.row(0)[1], -.2 / delta, 1e-6);
  EXPECT_NEAR(targets.weights.row(1)[0], -.4 / delta, 1e-6);
  EXPECT_NEAR(targets.weights.row(1)[1], (1 - .2) / delta, 1e-6);
}

TEST(Targets, AMatrixThatLeavesTwoClassesAlikeIsRefused) {
  const std::vector<std::int32_t> codes = {0, 1};
  for (const auto& targets : {backward_targets, forward_targets}) {
    try {
      targets({codes, 2}, std::vector<double>{.5, .5, .5, .5});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::impossible);
    }
  }
  EXPECT_THROW(backward_targets({codes, 2}, std::vector<double>{.5, .6, .5, .5}), Error);
  EXPECT_THROW(backward_targets({codes, 2}, std::vector<double>{1, 0, 0}), Error);
}

// Exact against 10^4 draws of the published form, at a fixed model, with and without row weights.
TEST(Targets, PeerIsTheMeanOfItsSampledForm) {
  const LearnSample sample = blobs(40, 3, 1, 2);
  std::vector<float> weights(40);
  for (std::size_t n = 0; n < 40; ++n) weights[n] = static_cast<float>(1 + n % 3);
  for (const bool is_weighted : {false, true}) {
    GivenLabels labels = sample.labels();
    if (is_weighted) labels.row_weights = weights;
    constexpr int draws = 10000;
    double sum = 0;
    double squares = 0;
    for (int draw = 0; draw < draws; ++draw) {
      const double loss = loss_of(
          sampled_peer_targets(labels, .7, 11, static_cast<std::uint64_t>(draw)), sample.rows);
      sum += loss;
      squares += loss * loss;
    }
    const double mean = sum / draws;
    const double error = std::sqrt((squares / draws - mean * mean) / draws);
    EXPECT_LT(error, .01);
    EXPECT_NEAR(loss_of(peer_targets(labels, .7), sample.rows), mean, 4 * error);
  }
}

TEST(Targets, GroupPeerWithEqualGroupsIsPeer) {
  const LearnSample sample = blobs(60, 2, 1);
  const std::vector<std::int32_t> groups(60, 0);
  const std::vector<double> deltas = {1};
  const Targets peer = peer_targets(sample.labels(), .4);
  for (const bool from_all : {false, true}) {
    const Targets found = group_peer_targets(sample.labels(), {groups, deltas, .4, from_all});
    for (std::size_t n = 0; n < 60; ++n) {
      EXPECT_FLOAT_EQ(found.weights.row(n)[0], peer.weights.row(n)[0]);
      EXPECT_FLOAT_EQ(found.weights.row(n)[1], peer.weights.row(n)[1]);
    }
  }
}

TEST(Targets, RefuseWhatDoesNotFit) {
  const std::vector<std::int32_t> codes = {0, 1, 2};
  EXPECT_THROW(cross_entropy_targets({codes, 2}), Error);
  EXPECT_THROW(cross_entropy_targets({codes, 1}), Error);
  const std::vector<float> weights = {1, -1, 1};
  EXPECT_THROW(cross_entropy_targets({codes, 3, weights}), Error);
  EXPECT_THROW(peer_targets({codes, 3}, 1), Error);
  EXPECT_THROW(peer_targets({codes, 3}, NAN), Error);
  const std::vector<std::int32_t> groups = {0, 0, 1};
  const std::vector<double> one = {.5};
  EXPECT_THROW(group_peer_targets({codes, 3}, {groups, one}), Error);
  const std::vector<double> none = {.5, 0};
  EXPECT_THROW(group_peer_targets({codes, 3}, {groups, none, .5}), Error);
}

TEST(Targets, HeldOutRowsTakeNoPart) {
  const std::vector<std::int32_t> codes = {0, 1, 2};
  const std::vector<float> weights = {1, 2, 6};  // 3 a row on the average
  const GivenLabels labels{codes, 3, weights};
  Targets targets = cross_entropy_targets(labels);
  EXPECT_DOUBLE_EQ(targets.total, 3);
  const std::vector<std::uint32_t> held = {1, 1};
  hold_out(targets, held, labels);
  EXPECT_DOUBLE_EQ(targets.total, 7.0 / 3);
  EXPECT_EQ(targets.weights.row(1)[1], 0);
  EXPECT_EQ(targets.weights.row(2)[2], 2);
  const std::vector<std::uint32_t> beyond = {3};
  EXPECT_THROW(hold_out(targets, beyond, labels), Error);
}

TEST(Targets, HoldingOutAHeavyRowLeavesTheOthers) {
  const std::vector<std::int32_t> codes(100, 0);
  std::vector<float> weights(100, 1);
  weights[7] = 1e20F;
  const GivenLabels labels{codes, 2, weights};
  Targets targets = cross_entropy_targets(labels);
  const std::vector<std::uint32_t> held = {7};
  hold_out(targets, held, labels);
  EXPECT_GT(targets.total, 0);
  EXPECT_NEAR(static_cast<double>(targets.weights.row(0)[0]) * 99 / targets.total, 1, 1e-6);
}

TEST(Misspecified, KeepsTheTraceAndIsRowStochastic) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::vector<double> found = misspecified_transition(noise, 3, seed);
    EXPECT_NEAR(found[0] + found[4] + found[8], 2.2, 1e-12);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(found[3 * i] + found[3 * i + 1] + found[3 * i + 2], 1, 1e-12);
      EXPECT_GE(found[4 * i], 1.0 / 3);
      for (std::size_t j = 0; j < 3; ++j) EXPECT_GE(found[3 * i + j], 0);
    }
  }
  EXPECT_NE(misspecified_transition(noise, 3, 1), misspecified_transition(noise, 3, 2));
}

}  // namespace
}  // namespace noiseplus
