// How often the printed intervals of confident learning and of groups hold the truth, where what
// they assume holds.
#include <gtest/gtest.h>

#include "noiseplus/data.h"
#include "noiseplus/noise.h"
#include "support.h"

namespace noiseplus {
namespace {

constexpr int runs = 200;

double share(int held) {
  return held / static_cast<double>(runs);
}

// The model knows each row's class, and how labels are given to it.
TEST(ConfidentIntervals, HoldTheTruthWhereTheModelIsRight) {
  const std::vector<double> transition = {.8, .15, .05, .1, .85, .05, .2, .1, .7};
  const std::vector<std::string> names = {"a", "b", "c"};
  constexpr std::size_t rows = 1500;
  std::vector<std::int32_t> clean;
  Matrix probabilities(rows, 3);
  for (std::size_t n = 0; n < rows; ++n) {
    clean.push_back(static_cast<std::int32_t>(n % 3));
    for (std::size_t j = 0; j < 3; ++j) {
      probabilities.row(n)[j] = static_cast<float>(transition[n % 3 * 3 + j]);
    }
  }
  int held[3] = {};
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    const auto codes = draw_labels(clean, 3, transition, seed, Stream::corrupt);
    const NoiseEstimate found = estimate_from_probabilities(probabilities.view(), codes, names);
    for (std::size_t c = 0; c < 3; ++c) {
      const double truth = 1 - transition[c * 4];
      held[c] += found.noise[c].low <= truth && truth <= found.noise[c].high ? 1 : 0;
    }
  }
  for (const int count : held) {
    std::printf("confident: %.3f\n", share(count));
    EXPECT_GE(share(count), .92);
    EXPECT_LE(share(count), .98);
  }
}

// The one rate of a group whose classes are alike. `auto` counts its doubts, and may hold more.
TEST(GroupIntervals, HoldTheTruth) {
  int by_views = 0, by_auto = 0;
  const std::vector<std::string> names = {"no", "yes"};
  for (std::uint64_t seed = 0; seed < runs; ++seed) {
    GeneratorOptions options;
    options.rows = 1500;
    options.dimensions = 3;
    options.rows_in_cluster = 15;
    options.seed = seed;
    const Generated made = generate(options);
    const auto codes =
        draw_labels(made.codes, 2, symmetric_transition(2, .2), seed, Stream::corrupt);
    NoiseEstimator evidence(made.features.view(), codes, names, {});
    const auto holds = [&](EstimatorKind kind, const ChosenEstimate* chosen) {
      const NoiseEstimate estimate = evidence.estimate(kind);
      const GroupNoise group =
          noise_of_group("g", codes.size(), estimate,
                         kind == EstimatorKind::automatic ? evidence.chosen() : chosen);
      return group.rate.low <= .2 && .2 <= group.rate.high ? 1 : 0;
    };
    by_views += holds(EstimatorKind::latent_class, nullptr);
    by_auto += holds(EstimatorKind::automatic, nullptr);
  }
  std::printf("a group's rate: latent-class %.3f, auto %.3f\n", share(by_views), share(by_auto));
  EXPECT_GE(share(by_views), .92);
  EXPECT_GE(share(by_auto), .92);
}

}  // namespace
}  // namespace noiseplus
