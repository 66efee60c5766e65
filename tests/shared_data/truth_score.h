// How often what an audit says is true: its intervals, and its claims of which rate is higher.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "noiseplus/core.h"
#include "shared_data/real_sets.h"

namespace noiseplus {

// The wanted share of intervals that hold, on each set alone. Of fewer intervals than these a
// single miss would be too many.
inline constexpr double min_holding = .93;
inline constexpr int enough_intervals = 15;

struct Score {
  int intervals = 0, holding = 0;
  int unknown = 0;  // rates that the audit calls not identified, or of groups that are too small
  std::vector<double> widths;
  int right = 0, wrong = 0, even = 0;        // claims; even: of rates equal within no_difference
  int equal_settings = 0, false_alarms = 0;  // settings with equal rates, and those with a claim

  void add(const EstimateWithInterval& found, double truth, bool is_known) {
    if (!is_known) {
      ++unknown;
      return;
    }
    constexpr double rounding = 1e-9;
    ++intervals;
    holding += found.low - rounding <= truth && truth <= found.high + rounding ? 1 : 0;
    widths.push_back(found.high - found.low);
  }

  void add_claim(double noisier, double cleaner) {
    // Which of two such rates is higher is of no interest, and may be chance.
    constexpr double no_difference = .003;
    const double gap = noisier - cleaner;
    ++(gap > no_difference ? right : gap < -no_difference ? wrong : even);
  }

  void add_equal(bool has_claim) {
    ++equal_settings;
    false_alarms += has_claim ? 1 : 0;
  }

  void add(const Score& other) {
    intervals += other.intervals;
    holding += other.holding;
    unknown += other.unknown;
    widths.insert(widths.end(), other.widths.begin(), other.widths.end());
    right += other.right;
    wrong += other.wrong;
    even += other.even;
    equal_settings += other.equal_settings;
    false_alarms += other.false_alarms;
  }

  double median_width() const {
    if (widths.empty()) return 0;
    std::vector<double> sorted = widths;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    return *middle;
  }

  static void print_header(const std::string& what) {
    std::printf(
        "| %s | settings | intervals that hold | not known | median width | claims right / wrong / "
        "equal within .003 | claims at equal rates |\n|---|---|---|---|---|---|---|\n",
        what.c_str());
  }

  void print(const std::string& name, int settings) const {
    std::printf("| %s | %d | %d of %d | %d | %.3f | %d / %d / %d | %d of %d |\n", name.c_str(),
                settings, holding, intervals, unknown, median_width(), right, wrong, even,
                false_alarms, equal_settings);
    std::fflush(stdout);
  }

  void check(const std::string& name) const {
    EXPECT_EQ(wrong, 0) << name;
    if (intervals < enough_intervals) return;
    EXPECT_GE(holding, min_holding * intervals) << name;
  }

  // Of all sets together.
  void check_false_alarms(const std::string& name) const {
    EXPECT_LE(false_alarms, .02 * equal_settings + 1) << name;
  }
};

// A draw per set and setting, so that adding a set does not change the others.
inline double draw(std::uint64_t seed, std::uint64_t which) {
  return uniform(seed, Stream::generate, which);
}

struct Part {
  RealSet set;
  int settings;
};

enum class Settings { any, equal };

}  // namespace noiseplus
