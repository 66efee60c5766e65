// Labels after `balance --force`, by the clean ones. What models make of them: reproduce_test.py.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "noiseplus/balance.h"
#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

std::vector<std::int32_t> balanced_by_auto(const RealSet& set,
                                           const std::vector<std::int32_t>& noisy,
                                           std::uint64_t seed) {
  NoiseEstimatorOptions options;
  options.seed = seed;
  NoiseEstimator evidence(set.rows.view(), noisy, set.classes, options);
  evidence.use(set.graph);
  return apply(closed_form_plan(evidence.estimate(EstimatorKind::automatic)), noisy, seed);
}

double gap_left(const std::vector<std::int32_t>& clean, const std::vector<std::int32_t>& codes) {
  const std::vector<double> rates = true_rates(clean, codes, 2);
  return std::abs(rates[0] - rates[1]);
}

// At the natural prior of Adult and on pairs of digits.
TEST(Balancing, GapsOfAdultAndMnistPairs) {
  const auto gaps = [](RealSet set, double most) {
    find_graph(set);
    std::uint64_t seed = 700;
    for (const TwoRates rates : eight_settings) {
      const std::vector<std::int32_t> noisy = with_noise(set.clean, rates, ++seed);
      const double left = gap_left(set.clean, balanced_by_auto(set, noisy, seed));
      std::printf("| %s | %.1f / %.1f | %.4f |\n", set.name.c_str(), rates.negative, rates.positive,
                  left);
      std::fflush(stdout);
      EXPECT_LE(left, most) << set.name;
    }
  };
  gaps(mnist_pair(3, 8), .03);
  gaps(mnist_pair(4, 9), .03);
  gaps(adult(), .05);
}

}  // namespace
}  // namespace noiseplus
