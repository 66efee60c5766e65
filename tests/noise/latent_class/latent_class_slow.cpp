// Simulations: intervals of the latent class rates that cover, claims that are true.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "noise/latent_class/class_clusters.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using testing_support::Clusters;
using testing_support::numbered_names;
using testing_support::random_clusters;

struct Setting {
  const char* name;
  std::vector<double> prior;
  std::vector<double> transition;
  std::size_t k;
  std::size_t rows = 4000;
  std::size_t cluster = 50;
};

const std::vector<double> five_prior = {.3, .25, .2, .15, .1};
const std::vector<double> five = {.8,  .05, .05, .05, .05, .1, .7, .1, .05, .05, .05, .1, .6,
                                  .15, .1,  .05, .05, .1,  .7, .1, .1, .1,  .1,  .1,  .6};

const std::vector<Setting> settings = {
    {"two classes, k 10", {.5, .5}, {.9, .1, .2, .8}, 10},
    {"two classes, prior .24, k 10", {.76, .24}, {.9, .1, .3, .7}, 10},
    {"two classes, k 2", {.5, .5}, {.8, .2, .2, .8}, 2},
    {"two classes, prior .24, k 2", {.76, .24}, {.7, .3, .1, .9}, 2},
    {"five classes, k 10", five_prior, five, 10, 8000, 50},
    {"five classes, k 2", five_prior, five, 2, 8000, 50},
    {"five classes, small clusters, k 10", five_prior, five, 10, 8000, 15},
    {"twenty classes, k 10", std::vector<double>(20, .05), symmetric_transition(20, .3), 10, 8000},
    {"twenty classes, k 2", std::vector<double>(20, .05), symmetric_transition(20, .3), 2, 16000},
};

class LatentClassIntervals : public testing::TestWithParam<std::size_t> {};

TEST_P(LatentClassIntervals, CoverNinetyFivePercent) {
  const Setting& setting = settings[GetParam()];
  const std::size_t classes = setting.prior.size();
  const auto names = numbered_names(classes);
  constexpr int runs = 300;
  std::vector<int> covered(classes);
  double highest = 0, lowest = 1;
  for (std::size_t c = 0; c < classes; ++c) {
    highest = std::max(highest, 1 - setting.transition[c * (classes + 1)]);
    lowest = std::min(lowest, 1 - setting.transition[c * (classes + 1)]);
  }
  int gap_covered = 0, wrong_claims = 0, identified = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const Clusters clusters =
        random_clusters(setting.rows, setting.prior, setting.k, setting.cluster, run);
    const auto codes =
        draw_labels(clusters.clean, classes, setting.transition, 7000 + run, Stream::corrupt);
    const NoiseEstimate e = estimate_by_latent_class(clusters.graph, codes, names);
    identified += e.identified ? 1 : 0;
    for (std::size_t c = 0; c < classes; ++c) {
      const double truth = 1 - setting.transition[c * (classes + 1)];
      covered[c] += e.noise[c].low <= truth && truth <= e.noise[c].high ? 1 : 0;
    }
    gap_covered += e.gap.low <= highest - lowest && highest - lowest <= e.gap.high ? 1 : 0;
    if (e.noisier >= 0) {
      const auto kept = [&](int c) {
        return setting.transition[static_cast<std::size_t>(c) * (classes + 1)];
      };
      wrong_claims += kept(e.noisier) >= kept(e.cleaner) ? 1 : 0;
    }
  }
  double mean = 0;
  std::printf("%s:", setting.name);
  for (const int c : covered) {
    const double share = static_cast<double>(c) / runs;
    mean += share / static_cast<double>(classes);
    std::printf(" %.3f", share);
    EXPECT_GE(share, .90);
  }
  std::printf("; mean %.3f, gap %.3f, wrong claims %.3f, identified %.2f\n", mean,
              static_cast<double>(gap_covered) / runs, static_cast<double>(wrong_claims) / runs,
              static_cast<double>(identified) / runs);
  EXPECT_GE(mean, .92);
  EXPECT_LE(mean, .985);
  EXPECT_GE(gap_covered, .92 * runs);
  EXPECT_LE(wrong_claims, .05 * runs + 4);
  EXPECT_GE(identified, .95 * runs);
}

INSTANTIATE_TEST_SUITE_P(Simulation, LatentClassIntervals,
                         testing::Range(std::size_t{0}, settings.size()));

}  // namespace
}  // namespace noiseplus
