// What an audit says of classes, against the truth, on real rows with noise put in: how often its
// intervals hold, how wide they are, and whether its claims are right. CI runs a few fixed
// settings; `make truth-table` runs all, and its output is docs/truth-table.txt.
#include "shared_data/truth_score.h"

namespace noiseplus {
namespace {

// Of any settings every fourth has equal rates, and some have a class that is nearly clean.
TwoRates class_setting(std::uint64_t seed, int position, Settings which) {
  TwoRates rates{.45 * draw(seed, 0), .45 * draw(seed, 1)};
  if (position % 4 == 3 || which == Settings::equal) rates.positive = rates.negative;
  if (which == Settings::equal) return rates;
  if (position % 6 == 1) rates.negative *= .1;
  if (position % 6 == 2) rates.positive *= .1;
  return rates;
}

Score score_classes(RealSet& set, std::uint64_t first_seed, int settings, Settings which) {
  Score score;
  if (set.graph.ids.empty()) find_graph(set);
  for (int s = 0; s < settings; ++s) {
    const std::uint64_t seed = first_seed + static_cast<std::uint64_t>(s);
    const TwoRates rates = class_setting(seed, s, which);
    const std::vector<std::int32_t> noisy = with_noise(set.clean, rates, seed);
    NoiseEstimatorOptions options;
    options.seed = seed;
    NoiseEstimator evidence(set.rows.view(), noisy, set.classes, options);
    evidence.use(set.graph);
    const NoiseEstimate found = evidence.estimate(EstimatorKind::automatic);
    const std::vector<double> truth = true_rates(set.clean, noisy, 2);
    for (std::size_t c = 0; c < 2; ++c) score.add(found.noise[c], truth[c], found.identified);
    if (rates.negative == rates.positive) {
      score.add_equal(found.noisier >= 0);
    } else if (found.noisier >= 0) {
      score.add_claim(truth[static_cast<std::size_t>(found.noisier)],
                      truth[static_cast<std::size_t>(found.cleaner)]);
    }
  }
  return score;
}

Score run_classes(std::vector<Part> parts, std::uint64_t seed, Settings which = Settings::any) {
  Score::print_header("classes");
  Score all;
  int settings = 0;
  for (Part& part : parts) {
    const Score score = score_classes(part.set, seed += 1000, part.settings, which);
    score.print(part.set.name, part.settings);
    score.check(part.set.name);
    all.add(score);
    settings += part.settings;
  }
  all.print("all sets", settings);
  all.check_false_alarms("classes");
  return all;
}

TEST(Truth, ClassesInAFewFixedSettings) {
  const Score all =
      run_classes({{compas(), 4}, {german(), 4}, {credit(), 4}, {bank(), 3}, {adult(), 3}}, 400000);
  EXPECT_GE(all.holding, .85 * all.intervals);
}

// Seeds of all settings are of 2026 and later: doubts were fitted on others.
TEST(Truth, DISABLED_ClassesInAllSettings) {
  const Score all = run_classes({{german(), 40},
                                 {compas(), 40},
                                 {adult_balanced(), 24},
                                 {mnist_pair(4, 9), 18},
                                 {fair_face().training, 18},
                                 {adult(), 24},
                                 {credit(), 32},
                                 {bank(), 24}},
                                2026600000);
  EXPECT_GE(all.right, 60);
}

TEST(Truth, DISABLED_ClassesAtEqualRates) {
  run_classes({{german(), 26},
               {compas(), 26},
               {adult_balanced(), 10},
               {mnist_pair(4, 9), 6},
               {fair_face().training, 6},
               {adult(), 10},
               {credit(), 12},
               {bank(), 10}},
              2026800000, Settings::equal);
}

}  // namespace
}  // namespace noiseplus
