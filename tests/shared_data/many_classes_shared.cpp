// Ten classes: the paper's matrices on MNIST's pixels, and people's own mistakes on CIFAR-10.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "noiseplus/balance.h"
#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

constexpr std::size_t digits = 10;

double mean_error(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / static_cast<double>(a.size());
}

double spread_of_diagonal(const std::vector<double>& transition) {
  double lowest = 1, highest = 0;
  for (std::size_t c = 0; c < digits; ++c) {
    lowest = std::min(lowest, transition[c * digits + c]);
    highest = std::max(highest, transition[c * digits + c]);
  }
  return highest - lowest;
}

struct Found {
  NoiseEstimate chosen;
  double latent_error = 0, seconds = 0;
};

Found examine(const RealSet& set, const std::vector<std::int32_t>& noisy, const char* what) {
  NoiseEstimator evidence(set.rows.view(), noisy, set.classes, {});
  evidence.use(set.graph);
  const std::vector<double> truth = true_transition(set.clean, noisy, digits);
  const auto start = std::chrono::steady_clock::now();
  const NoiseEstimate latent = evidence.estimate(EstimatorKind::latent_class);
  const std::chrono::duration<double> latent_seconds = std::chrono::steady_clock::now() - start;
  Found found;
  found.chosen = evidence.estimate(EstimatorKind::automatic);
  const std::chrono::duration<double> all = std::chrono::steady_clock::now() - start;
  found.latent_error = mean_error(latent.transition, truth);
  found.seconds = all.count();
  std::printf("| %s | %.4f | %.4f | %.4f | %.4f | %s | %.2f | %.2f |\n", what, found.latent_error,
              mean_error(evidence.estimate(EstimatorKind::confident).transition, truth),
              mean_error(evidence.estimate(EstimatorKind::curve).transition, truth),
              mean_error(found.chosen.transition, truth), evidence.chosen()->mode.c_str(),
              latent_seconds.count(), found.seconds);
  std::fflush(stdout);
  EXPECT_LE(mean_error(found.chosen.transition, truth), .005);
  for (const ClassPair& pair : evidence.chosen()->claims) {
    const auto rate = [&](int c) { return 1 - truth[static_cast<std::size_t>(c) * (digits + 1)]; };
    EXPECT_GT(rate(pair.noisier), rate(pair.cleaner));
  }
  return found;
}

TEST(ManyClasses, MnistWithThePapersMatrices) {
  RealSet set = mnist();
  find_graph(set);
  for (const double gap : {.1, .2, .3}) {
    const std::vector<double> matrix = random_gap_transition(digits, gap, 1);
    const std::vector<std::int32_t> noisy =
        draw_labels(set.clean, digits, matrix, 1, Stream::corrupt);
    char what[32];
    std::snprintf(what, sizeof what, "MNIST, gap %.1f", gap);
    const Found found = examine(set, noisy, what);
    const FlipPlan plan = closed_form_plan(found.chosen, set.classes);
    const std::vector<std::int32_t> balanced = apply(plan, noisy, 1);
    const double spread = spread_of_diagonal(plan.after(true_transition(set.clean, noisy, digits)));
    std::printf("diagonal of T F: max - min %.4f (labels as drawn: %.4f)\n", spread,
                spread_of_diagonal(true_transition(set.clean, balanced, digits)));
    EXPECT_LE(spread, .035);
  }
}

TEST(ManyClasses, CifarWithHumanNoise) {
  HumanLabels human = cifar10n();
  RealSet& set = human.rows;
  find_graph(set);
  ASSERT_EQ(human.given[0].name, "aggre");
  const std::vector<std::int32_t>& noisy = human.given[0].codes;
  const Found found = examine(set, noisy, "CIFAR-10N aggre");
  EXPECT_LE(mean_error(found.chosen.transition, true_transition(set.clean, noisy, digits)), .002);
}

}  // namespace
}  // namespace noiseplus
