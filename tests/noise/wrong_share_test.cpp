#include "noise/wrong_share.h"

#include <gtest/gtest.h>

namespace noiseplus {
namespace {

// Two classes: q = e- + (1 - e+ - e-) p is counted, so p follows from the rates.
double share_at(double e_negative, double e_positive, double q) {
  const double p = (q - e_negative) / (1 - e_negative - e_positive);
  return p * e_positive + (1 - p) * e_negative;
}

TEST(WrongShare, WeighsRatesByCleanShares) {
  const std::vector<double> transition = {.95, .05, .3, .7}, prior = {.37, .63};
  EXPECT_NEAR(wrong_share_of(transition, prior).value, .63 * .3 + .37 * .05, 1e-12);
}

TEST(WrongShare, GradientHoldsTheLabelSharesFixed) {
  const double e_negative = .05, e_positive = .3, p = .63;
  const double q = e_negative + (1 - e_negative - e_positive) * p, step = 1e-6;
  const WrongShare share =
      wrong_share_of(std::vector<double>{1 - e_negative, e_negative, e_positive, 1 - e_positive},
                     std::vector<double>{1 - p, p});
  const double by_negative =
      (share_at(e_negative + step, e_positive, q) - share_at(e_negative - step, e_positive, q)) /
      (2 * step);
  const double by_positive =
      (share_at(e_negative, e_positive + step, q) - share_at(e_negative, e_positive - step, q)) /
      (2 * step);
  EXPECT_NEAR(share.gradient[0], by_negative, 1e-6);
  EXPECT_NEAR(share.gradient[1], by_positive, 1e-6);
}

TEST(WrongShare, SymmetricNoiseOfManyClassesChangesWithEveryRate) {
  const std::size_t classes = 5;
  std::vector<double> transition(classes * classes, .05);
  for (std::size_t c = 0; c < classes; ++c) transition[c * classes + c] = .8;
  const std::vector<double> prior(classes, .2);
  const WrongShare share = wrong_share_of(transition, prior);
  EXPECT_NEAR(share.value, .2, 1e-12);
  // All rates up by the same: the prior stays even, and the share moves with them.
  double sum = 0;
  for (const double slope : share.gradient) sum += slope;
  EXPECT_NEAR(sum, 1, 1e-9);
}

TEST(WrongShare, LabelsThatTellNothingLeaveTheWeightsToThePrior) {
  const std::vector<double> transition = {.6, .4, .59, .41}, prior = {.3, .7};
  EXPECT_EQ(wrong_share_of(transition, prior).gradient, prior);
}

}  // namespace
}  // namespace noiseplus
