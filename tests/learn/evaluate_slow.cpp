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

EstimateWithInterval draw(const Setting& setting, std::uint64_t seed, std::size_t max_pairs) {
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
  return *largest_difference(rates, max_pairs);
}

bool covers(const Setting& setting, std::uint64_t seed, std::size_t max_pairs) {
  const double truth = true_violation(setting);
  const EstimateWithInterval found = draw(setting, seed, max_pairs);
  return found.low <= truth + 1e-12 && truth <= found.high + 1e-12;
}

constexpr int draws = 4000;
constexpr double three_errors = .0105;  // standard errors of a coverage of .95

double coverage(const Setting& setting, std::size_t max_pairs) {
  int covered = 0;
  for (int i = 0; i < draws; ++i) {
    covered += covers(setting, static_cast<std::uint64_t>(i), max_pairs) ? 1 : 0;
  }
  return static_cast<double>(covered) / draws;
}

// Counts are whole numbers, so at any one setting a score interval covers a little more or less
// than its level; that is what .005 is for.
TEST(EvaluateSlow, ViolationIntervalsCoverAtHardSettings) {
  const std::vector<Setting> settings = {
      {{{.8, .6}, {.1, .2}}, {70, 80}},
      {{{.5, .5}, {.5, .5}}, {100, 100}},
      {{{.95, .9, .85}, {.02, .03, .05}}, {60, 200, 40}},
      {{{.7, .3}}, {30, 500}},
      {{{.6, .6, .6, .6, .6}, {.2, .2, .2, .2, .3}}, {50, 50, 50, 50, 50}},
      {{{.99, .97}, {.01, .02}}, {40, 40}},
  };
  for (std::size_t s = 0; s < settings.size(); ++s) {
    EXPECT_GE(coverage(settings[s], 1000), .95 - .005 - three_errors) << "by pairs, setting " << s;
    EXPECT_GE(coverage(settings[s], 0), .95 - three_errors) << "by rates, setting " << s;
  }
}

// Two to four groups of 20 to 300 rows with any rates, in half of the draws the same for all.
Setting random_setting(std::uint64_t seed) {
  const auto random = [&](std::uint64_t i) { return uniform(seed, Stream::split, i); };
  const std::size_t groups = 2 + static_cast<std::size_t>(3 * random(0));
  Setting setting;
  for (std::uint64_t g = 0; g < groups; ++g) {
    setting.trials.push_back(20 + static_cast<std::int64_t>(280 * random(1 + g)));
  }
  for (std::uint64_t comparison = 0; comparison < 2; ++comparison) {
    std::vector<double> rates;
    for (std::uint64_t g = 0; g < groups; ++g) {
      rates.push_back(random(10 + 10 * comparison + (seed % 2 == 0 ? g : 0)));
    }
    setting.rates.push_back(rates);
  }
  return setting;
}

TEST(EvaluateSlow, ViolationIntervalsCoverOnAverage) {
  int equal_covered = 0, different_covered = 0;
  for (std::uint64_t seed = 0; seed < 2 * draws; ++seed) {
    (seed % 2 == 0 ? different_covered : equal_covered) +=
        covers(random_setting(seed), seed, 1000) ? 1 : 0;
  }
  EXPECT_GE(static_cast<double>(equal_covered) / draws, .95);
  EXPECT_GE(static_cast<double>(different_covered) / draws, .95);
}

}  // namespace
}  // namespace noiseplus
