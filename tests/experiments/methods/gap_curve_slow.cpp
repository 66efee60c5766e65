// Enough rows to see on which side of zero PA - NA is at the theorem's two roots.
#include <gtest/gtest.h>

#include "experiments/generated_rows.h"
#include "experiments/methods/gap_curve.h"
#include "support.h"

namespace noiseplus {
namespace {

TEST(GapCurveOnSamples, OnlyTheWantedRootIsOne) {
  const TwoRates rates = {.3, .1};
  const auto [wanted, second] = theorem_roots(rates);
  const std::vector<double> epsilons = {0, wanted, second};
  const KnownRows set = testing_support::generated_rows(40000, .5);
  std::vector<std::vector<double>> curves;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const auto noisy = testing_support::with_noise(set.clean, rates.positive, rates.negative, seed);
    curves.push_back(measured_gaps(set, noisy, epsilons, PaperVariant::rebalanced, seed));
  }
  const std::vector<MeanGap> measured = testing_support::over_seeds(curves);
  for (std::size_t i = 0; i < epsilons.size(); ++i) {
    EXPECT_NEAR(measured[i].mean, expected_gap(.5, rates, epsilons[i], PaperVariant::rebalanced),
                .003);
  }
  EXPECT_NEAR(measured[1].mean, 0, .003);
  EXPECT_LT(measured[2].mean, -.003);
}

}  // namespace
}  // namespace noiseplus
