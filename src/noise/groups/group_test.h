// When a difference between groups is more than chance. Internal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numbers>
#include <span>
#include <vector>

#include "core/intervals.h"
#include "core/portable_math.h"
#include "noise/groups/rate_tree.h"
#include "noiseplus/noise.h"

namespace noiseplus {

inline std::vector<std::size_t> known_groups(std::span<const GroupNoise> groups) {
  std::vector<std::size_t> known;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].known()) known.push_back(g);
  }
  return known;
}

inline double count_pairs(std::size_t groups) {
  return static_cast<double>(groups * (groups - 1)) / 2;
}

inline RateWithError rate_of(const GroupNoise& group, std::size_t position) {
  return {group.rate.value, group.error, group.rate.high, position};
}

// Whether one of several groups has more wrong labels than another, for all pairs at once.
class GroupTest {
 public:
  GroupTest(std::size_t groups, const ChoiceRule& rule)
      : pairs_(count_pairs(groups)),
        errors_(std::max(two_sided_normal_quantile(.05 / pairs_), rule.claim_errors_two)),
        min_lead_(rule.min_lead) {}

  double errors() const { return errors_; }

  double half(const GroupNoise& a, const GroupNoise& b) const {
    return errors_ * portable::hypot(a.error, b.error);
  }

  // The lead that a claim about a group exceeds.
  double least_lead(const GroupNoise& accused) const {
    return std::max(accused.doubt + min_lead_, 0.0);
  }

  double p_value(const GroupNoise& a, const GroupNoise& b) const {
    const double size = (a.rate.value - b.rate.value) / portable::hypot(a.error, b.error);
    return std::min(1.0, pairs_ * portable::erfc(size / std::numbers::sqrt2));
  }

 private:
  double pairs_, errors_, min_lead_;
};

}  // namespace noiseplus
