#include "noise/groups/unproved_rates.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "noise/groups/group_test.h"
#include "noise/groups/rate_tree.h"

namespace noiseplus {

void let_unproved_rates_overlap(std::span<EstimateWithInterval> rates,
                                std::span<const ClassPair> claims) {
  std::vector<std::vector<std::size_t>> cleaner(rates.size());
  for (const ClassPair& pair : claims) {
    cleaner[static_cast<std::size_t>(pair.noisier)].push_back(
        static_cast<std::size_t>(pair.cleaner));
  }
  std::vector<std::size_t> by_high;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (!std::isnan(rates[i].high)) by_high.push_back(i);
  }
  std::sort(by_high.begin(), by_high.end(),
            [&](std::size_t a, std::size_t b) { return rates[a].high < rates[b].high; });
  std::vector<std::size_t> claimed_by(rates.size(), rates.size());
  for (std::size_t i = 0; i < rates.size(); ++i) {
    for (const std::size_t j : cleaner[i]) claimed_by[j] = i;
    // The first that is not claimed to be cleaner.
    const auto found = std::find_if(by_high.begin(), by_high.end(),
                                    [&](std::size_t j) { return claimed_by[j] != i; });
    if (found != by_high.end()) rates[i].low = std::min(rates[i].low, rates[*found].high);
  }
}

void let_unproved_rates_overlap(std::span<GroupNoise> groups, const ChoiceRule& rule) {
  const std::vector<std::size_t> known = known_groups(groups);
  if (known.size() < 2) return;
  const GroupTest test(known.size(), rule);
  std::vector<RateWithError> claiming;
  double least_high = std::numeric_limits<double>::infinity(), least_silent_high = least_high;
  for (const std::size_t g : known) {
    least_high = std::min(least_high, groups[g].rate.high);
    if (groups[g].claims) {
      claiming.push_back(rate_of(groups[g], g));
    } else {
      least_silent_high = std::min(least_silent_high, groups[g].rate.high);
    }
  }
  const RateTree tree(claiming);
  for (const std::size_t g : known) {
    if (!groups[g].claims) groups[g].rate.low = std::min(groups[g].rate.low, least_high);
  }
  for (const RateWithError& accused : claiming) {
    const double least = test.least_lead(groups[accused.position]);
    double& low = groups[accused.position].rate.low;
    low = std::min(low, least_silent_high);
    tree.walk(
        [&](const RateBox& box) {
          return box.min_high < low && !(lead_bounds(accused, box, test.errors()).low > least);
        },
        [&](const RateWithError& other) {
          if (other.high < low && !(lead_of(accused, other, test.errors()) > least)) {
            low = other.high;
          }
        });
  }
}

}  // namespace noiseplus
