#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "fair/fair_support.h"
#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

using testing_support::expect_error;

constexpr double tiny = 1e-12;

// A group as it comes out of a correction to these rates.
MisjudgedGroup corrected_to(PositiveRates corrected, double noise, double assumed) {
  return {noisy_rates(corrected, .5, {assumed, assumed}), noise, assumed};
}

PositiveRates truth_of(const MisjudgedGroup& group) {
  return clean_rates(group.noisy, .5, {group.noise, group.noise});
}

bool beats_chance(const MisjudgedGroup& group) {
  return group.noisy.tpr > group.noisy.fpr;
}

double misjudged_by(const MisjudgedGroup& group) {
  return std::abs(group.assumed - group.noise);
}

// The theorem's right side with other terms in the place of its noisy rates.
double theorem(const MisjudgedGroup& a, double term_a, const MisjudgedGroup& b, double term_b) {
  const auto x = [](const MisjudgedGroup& group, double term) {
    return term / ((2 * group.noise - 1) * (2 * group.assumed - 1));
  };
  return std::min(misjudged_by(a), misjudged_by(b)) *
         std::abs(x(a, term_a) - misjudged_by(b) / misjudged_by(a) * x(b, term_b));
}

double theorem_signed(const MisjudgedGroup& a, const MisjudgedGroup& b) {
  return theorem(a, a.noisy.tpr - a.noisy.fpr, b, b.noisy.tpr - b.noisy.fpr);
}

double theorem_absolute(const MisjudgedGroup& a, const MisjudgedGroup& b) {
  return theorem(a, std::abs(a.noisy.tpr - a.noisy.fpr), b, std::abs(b.noisy.tpr - b.noisy.fpr));
}

class Draws {
 public:
  explicit Draws(std::uint64_t setting) : setting_(setting) {}
  double below(double limit) { return limit * uniform(20, Stream::generate, setting_, draw_++); }
  PositiveRates rates() {
    const double tpr = below(1);
    return {tpr, below(1)};
  }
  MisjudgedGroup group() {
    const PositiveRates corrected = rates();
    return group_corrected_to(corrected);
  }
  MisjudgedGroup group_corrected_to(PositiveRates corrected) {
    const double noise = below(.49);
    return corrected_to(corrected, noise, below(.49));
  }

 private:
  std::uint64_t setting_, draw_ = 0;
};

constexpr std::uint64_t settings = 20000;

TEST(MisjudgedNoise, CorrectionErrorIsCleanMinusCorrected) {
  for (std::uint64_t i = 0; i < settings; ++i) {
    const MisjudgedGroup group = Draws(i).group();
    const PositiveRates truth = truth_of(group);
    const PositiveRates corrected = clean_rates(group.noisy, .5, {group.assumed, group.assumed});
    const double error = correction_error(group);
    const double rounding = 1e-10 * (1 + std::abs(error));
    EXPECT_NEAR(truth.tpr - corrected.tpr, error, rounding);
    EXPECT_NEAR(truth.fpr - corrected.fpr, -error, rounding);
  }
}

TEST(MisjudgedNoise, ViolationLeftByHand) {
  // T - F = .3 * .6 and .3 * .8.
  const MisjudgedGroup first = corrected_to({.6, .3}, .3, .2);
  const MisjudgedGroup second = corrected_to({.6, .3}, .05, .1);
  EXPECT_NEAR(correction_error(first), .3 * .1 / .4, tiny);
  EXPECT_NEAR(correction_error(second), -.3 * .05 / .9, tiny);
  EXPECT_NEAR(residual_violation(first, second), .075 + .05 / 3, tiny);
  EXPECT_NEAR(residual_violation(second, first), -.075 - .05 / 3, tiny);
  EXPECT_NEAR(truth_of(first).tpr - truth_of(second).tpr, .075 + .05 / 3, tiny);
  EXPECT_NEAR(truth_of(first).fpr - truth_of(second).fpr, -.075 - .05 / 3, tiny);
}

struct Simulated {
  PositiveRates clean, noisy;
};

Simulated simulate(const MisjudgedGroup& group, std::uint64_t seed) {
  constexpr std::uint64_t people = 3'000'000;
  const PositiveRates truth = truth_of(group);
  std::int64_t rows[2] = {}, called[2] = {}, labels[2] = {}, labels_called[2] = {};
  for (std::uint64_t n = 0; n < people; ++n) {
    const auto draw = [&](std::uint64_t i) { return uniform(seed, Stream::generate, n, i); };
    const bool y = draw(0) < .5;
    const bool predicted = draw(1) < (y ? truth.tpr : truth.fpr);
    const bool label = y != (draw(2) < group.noise);
    ++rows[y];
    ++labels[label];
    called[y] += predicted;
    labels_called[label] += predicted;
  }
  const auto share = [](std::int64_t part, std::int64_t all) {
    return static_cast<double>(part) / static_cast<double>(all);
  };
  return {{share(called[1], rows[1]), share(called[0], rows[0])},
          {share(labels_called[1], labels[1]), share(labels_called[0], labels[0])}};
}

TEST(MisjudgedNoise, ViolationLeftIsThatOfASimulation) {
  const MisjudgedGroup first = corrected_to({.6, .3}, .3, .2);
  const MisjudgedGroup second = corrected_to({.6, .3}, .05, .1);
  const Simulated a = simulate(first, 1);
  const Simulated b = simulate(second, 2);
  EXPECT_NEAR(a.clean.tpr - b.clean.tpr, residual_violation(first, second), 1e-3);
  EXPECT_NEAR(b.clean.fpr - a.clean.fpr, residual_violation(first, second), 1e-3);
  // From what labels show of the simulation, too.
  EXPECT_NEAR(residual_violation({a.noisy, .3, .2}, {b.noisy, .05, .1}),
              residual_violation(first, second), 1e-3);
}

TEST(MisjudgedNoise, TheBoundIsTheTheoremsAndNeverAboveWhatIsLeft) {
  int equal = 0, below = 0, of_unlike_sign = 0;
  for (std::uint64_t i = 0; i < settings; ++i) {
    Draws draws(i);
    const MisjudgedGroup first = draws.group();
    const MisjudgedGroup second = draws.group();
    const double left = std::abs(residual_violation(first, second));
    const double bound = violation_bound(first, second);
    EXPECT_LE(bound, left) << i;
    EXPECT_NEAR(bound, theorem_absolute(first, second), 1e-10 * (1 + left)) << i;
    if (bound == left) ++equal;
    if (bound < left - 1e-6) ++below;
    if (beats_chance(first) != beats_chance(second)) ++of_unlike_sign;
  }
  EXPECT_GT(equal, 1000);
  EXPECT_GT(below, 1000);
  EXPECT_GT(of_unlike_sign, 1000);
}

TEST(MisjudgedNoise, WhenTheBoundIsAllThatIsLeft) {
  const PositiveRates corrected = {.6, .3};
  const MisjudgedGroup low = corrected_to(corrected, .2, .15);
  const MisjudgedGroup low_by_more = corrected_to(corrected, .3, .2);
  const MisjudgedGroup high = corrected_to(corrected, .05, .2);
  const MisjudgedGroup known = corrected_to(corrected, .3, .3);

  EXPECT_EQ(violation_bound(low, low_by_more), std::abs(residual_violation(low, low_by_more)));
  EXPECT_NEAR(violation_bound(low, low_by_more), .3 * (.1 / .4 - .05 / .6), tiny);
  // The other way round the factor err_2 / err_1 is lost, here a half.
  EXPECT_NEAR(violation_bound(low_by_more, low), .5 * violation_bound(low, low_by_more), tiny);
  // One too low and one too high: errors add up, and the bound takes them from each other.
  EXPECT_NEAR(residual_violation(low, high), .3 * (.05 / .6 + .15 / .9), tiny);
  EXPECT_NEAR(violation_bound(low, high), .3 * (.15 / .9 - .05 / .6), tiny);
  // A rate that is known exactly: the limit, and nothing at all.
  EXPECT_NEAR(violation_bound(known, low), .3 * .05 / .6, tiny);
  EXPECT_EQ(violation_bound(known, low), std::abs(residual_violation(known, low)));
  EXPECT_EQ(violation_bound(low, known), 0);
  EXPECT_EQ(violation_bound(known, known), 0);
  EXPECT_EQ(residual_violation(known, known), 0);
}

TEST(MisjudgedNoise, TheTheoremWithSignsIsABoundWhenBothCorrectedRatesAreEqual) {
  for (std::uint64_t i = 0; i < settings; ++i) {
    Draws draws(i);
    const PositiveRates corrected = draws.rates();
    const MisjudgedGroup first = draws.group_corrected_to(corrected);
    const MisjudgedGroup second = draws.group_corrected_to(corrected);
    const double bound = violation_bound(first, second);
    EXPECT_NEAR(theorem_signed(first, second), bound, 1e-10 * (1 + bound)) << i;
  }
  // Of a classifier that is worse than chance in one group, when only the TPR was made equal.
  const MisjudgedGroup better = corrected_to({.5, .3}, .2, .1);
  const MisjudgedGroup worse = corrected_to({.5, .7}, .1, .2);
  const double left = residual_violation(better, worse);
  EXPECT_NEAR(truth_of(better).tpr - truth_of(worse).tpr, left, tiny);
  EXPECT_NEAR(left, .2 * .1 / .6 - .2 * .1 / .8, tiny);
  EXPECT_GT(theorem_signed(better, worse), 6 * left);
  EXPECT_LE(violation_bound(better, worse), left);
}

TEST(MisjudgedNoise, TheTheoremAsPrintedIsNoBound) {
  const MisjudgedGroup first = corrected_to({.6, .5}, .3, .2);
  const MisjudgedGroup second = corrected_to({.6, .5}, .2, .1);
  const PositiveRates a = truth_of(first), b = truth_of(second);
  EXPECT_NEAR(a.tpr - b.tpr, .1 * (.1 / .4 - .1 / .6), tiny);
  EXPECT_NEAR(b.fpr - a.fpr, .1 * (.1 / .4 - .1 / .6), tiny);
  EXPECT_GT(theorem(first, first.noisy.tpr, second, second.noisy.tpr), 10 * (a.tpr - b.tpr));
  EXPECT_GT(theorem(first, first.noisy.fpr, second, second.noisy.fpr), 10 * (b.fpr - a.fpr));
  EXPECT_LE(violation_bound(first, second), a.tpr - b.tpr + tiny);
}

TEST(MisjudgedNoise, OneHalfAndBeyond) {
  const MisjudgedGroup fine = {{.6, .4}, .2, .1};
  for (const double rate : {.5, .7, 1.0}) {
    const MisjudgedGroup noisy = {{.6, .4}, rate, .1};
    const MisjudgedGroup feared = {{.6, .4}, .1, rate};
    const auto expect_impossible = [](const std::string& part, auto call) {
      expect_error(ErrorKind::impossible, part, call);
    };
    expect_impossible("noise of a group is", [&] { correction_error(noisy); });
    expect_impossible("noise assumed of a group is", [&] { correction_error(feared); });
    expect_impossible("noise of a group is", [&] { residual_violation(fine, noisy); });
    expect_impossible("noise assumed of a group is", [&] { residual_violation(feared, fine); });
    expect_impossible("noise of a group is", [&] { violation_bound(noisy, fine); });
    expect_impossible("noise assumed of a group is", [&] { violation_bound(fine, feared); });
  }
}

TEST(MisjudgedNoise, SharesThatAreNone) {
  for (const double wrong : {-.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    const auto expect_usage = [](const std::string& part, auto call) {
      expect_error(ErrorKind::usage, part, call);
    };
    expect_usage("noise of a group is", [=] { correction_error({{}, wrong, 0}); });
    expect_usage("noise assumed of a group is", [=] { correction_error({{}, 0, wrong}); });
  }
}

}  // namespace
}  // namespace noiseplus
