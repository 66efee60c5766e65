// Labels after `balance --force`, by the clean ones; and linear models trained on them, beside
// those trained after the flip that the true rates would justify.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "noiseplus/balance.h"
#include "noiseplus/learn.h"
#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

constexpr int seeds = 5;

std::vector<std::int32_t> balanced_by_auto(const RealSet& set,
                                           const std::vector<std::int32_t>& noisy,
                                           std::uint64_t seed) {
  EvidenceOptions options;
  options.seed = seed;
  Evidence evidence(set.rows.view(), noisy, set.classes, options);
  evidence.use(set.graph);
  return apply(closed_form_plan(evidence.estimate(EstimatorKind::automatic)), noisy, seed);
}

std::vector<std::int32_t> balanced_by_oracle(const std::vector<std::int32_t>& noisy, TwoRates rates,
                                             std::uint64_t seed) {
  NoiseEstimate known;
  known.noise.resize(2);
  known.s = 1 - rates.positive + rates.negative;
  return apply(closed_form_plan(known), noisy, seed);
}

double test_accuracy(const Split& split, const std::vector<std::int32_t>& codes) {
  const Targets targets = cross_entropy_targets({codes, 2});
  const Model model = train_linear(split.training.rows.view(), targets, {}).model;
  return accuracy(probabilities(model, split.test.rows.view()).view(), split.test.clean);
}

double gap_left(const std::vector<std::int32_t>& clean, const std::vector<std::int32_t>& codes) {
  const std::vector<double> rates = true_rates(clean, codes, 2);
  return std::abs(rates[0] - rates[1]);
}

// Means of `seeds` runs.
struct Result {
  double gap = 0, balanced = 0, oracle = 0;
};

Result run(const std::vector<Split>& splits, TwoRates rates) {
  Result mean;
  for (int seed = 0; seed < seeds; ++seed) {
    const Split& split = splits[static_cast<std::size_t>(seed) % splits.size()];
    const auto draw = static_cast<std::uint64_t>(seed + 300);
    const std::vector<std::int32_t> noisy = with_noise(split.training.clean, rates, draw);
    const std::vector<std::int32_t> balanced = balanced_by_auto(split.training, noisy, draw);
    mean.gap += gap_left(split.training.clean, balanced) / seeds;
    mean.balanced += 100 * test_accuracy(split, balanced) / seeds;
    mean.oracle += 100 * test_accuracy(split, balanced_by_oracle(noisy, rates, draw)) / seeds;
  }
  return mean;
}

void check(const std::string& name, const std::vector<Split>& splits, TwoRates rates,
           double most_gap) {
  const Result found = run(splits, rates);
  std::printf("| %s | %.1f / %.1f | %.4f | %.2f | %.2f | %+.2f |\n", name.c_str(), rates.negative,
              rates.positive, found.gap, found.balanced, found.oracle,
              found.balanced - found.oracle);
  std::fflush(stdout);
  EXPECT_LE(found.gap, most_gap) << rates.negative << " " << rates.positive;
  EXPECT_GE(found.balanced, found.oracle - 1) << rates.negative << " " << rates.positive;
}

TEST(Balancing, AdultBalanced) {
  std::vector<Split> splits;
  const RealSet all = adult_balanced();
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    splits.push_back(split_at_random(all, seed));
    find_graph(splits.back().training);
  }
  for (const TwoRates rates : {TwoRates{0, .1},
                               {0, .2},
                               {0, .3},
                               {0, .4},
                               {.1, .2},
                               {.1, .3},
                               {.1, .4},
                               {.2, .3},
                               {.2, .4},
                               {.3, .4}}) {
    check(all.name, splits, rates, .05);
  }
}

TEST(Balancing, FairFace) {
  std::vector<Split> splits(1, fair_face());
  find_graph(splits[0].training);
  for (const TwoRates rates :
       {TwoRates{0, .1}, {0, .2}, {0, .3}, {.1, .2}, {.1, .3}, {.1, .4}, {.2, .3}, {.2, .4}}) {
    check("FairFace", splits, rates, .03);
  }
}

// Rates only, at the natural prior of Adult and on pairs of digits.
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
