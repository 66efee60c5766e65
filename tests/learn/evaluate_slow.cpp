// Does the interval of a violation hold the true one as often as it says? Small groups, rates near
// the ends, no difference at all: where such intervals fail first.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "learn/violation.h"

namespace noiseplus {
namespace {

struct Setting {
  std::vector<std::vector<double>> rates;  // of each comparison, one a group
  std::vector<std::int64_t> trials;        // of each group
};

double true_violation(const Setting& setting) {
  double largest = 0;
  for (const std::vector<double>& groups : setting.rates) {
    const auto [low, high] = std::minmax_element(groups.begin(), groups.end());
    largest = std::max(largest, *high - *low);
  }
  return largest;
}

Estimated draw(const Setting& setting, std::uint64_t seed, std::size_t most_pairs) {
  std::vector<std::vector<GroupShare>> rates;
  std::uint64_t number = 0;
  for (const std::vector<double>& groups : setting.rates) {
    rates.emplace_back();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      GroupShare share{0, setting.trials[g]};
      for (std::int64_t i = 0; i < share.trials; ++i) {
        share.successes += uniform(seed, Stream::generate, number++) < groups[g] ? 1 : 0;
      }
      rates.back().push_back(share);
    }
  }
  return *largest_difference(rates, most_pairs);
}

double coverage(const Setting& setting, std::size_t most_pairs) {
  constexpr int draws = 4000;
  const double truth = true_violation(setting);
  int covered = 0;
  for (int i = 0; i < draws; ++i) {
    const Estimated found = draw(setting, static_cast<std::uint64_t>(i), most_pairs);
    covered += found.low <= truth + 1e-12 && truth <= found.high + 1e-12 ? 1 : 0;
  }
  return static_cast<double>(covered) / draws;
}

TEST(EvaluateSlow, ViolationIntervalsCover) {
  const std::vector<Setting> settings = {
      {{{.8, .6}, {.1, .2}}, {70, 80}},                    // two groups
      {{{.5, .5}, {.5, .5}}, {100, 100}},                  // no difference
      {{{.95, .9, .85}, {.02, .03, .05}}, {60, 200, 40}},  // near the ends
      {{{.7, .3}}, {30, 500}},                             // one comparison
      {{{.6, .6, .6, .6, .6}, {.2, .2, .2, .2, .3}}, {50, 50, 50, 50, 50}},
      {{{.99, .97}, {.01, .02}}, {40, 40}},
  };
  // 4000 draws: the standard error of a coverage of .95 is .0034.
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const double by_pairs = coverage(settings[s], 1000);
    const double by_rates = coverage(settings[s], 0);
    RecordProperty("by_pairs_" + std::to_string(s), std::to_string(by_pairs));
    EXPECT_GE(by_pairs, .95 - 2 * .0034) << "setting " << s;
    EXPECT_GE(by_rates, .95 - 2 * .0034) << "setting " << s;
  }
}

}  // namespace
}  // namespace noiseplus
