// The largest of many differences looks larger than each of them is, so its interval must hold for
// all of them at once. With m comparisons each gets an interval of level 1 - .05 / m (Bonferroni):
// with probability .95 or more all of them hold together, and then
//   - the largest true difference is at least that of any comparison, so at least the largest of
//     the lower ends;
//   - every true difference is at most its upper end, so the largest is at most the largest of the
//     upper ends.
// Nothing is assumed of how the comparisons depend on one another; the interval is conservative.
#include "learn/violation.h"

#include <algorithm>
#include <iterator>

#include "core/intervals.h"

namespace noiseplus {
namespace {

EstimateWithInterval share_of(const GroupShare& share, double quantile) {
  return wilson_interval(share.successes, static_cast<double>(share.trials), quantile);
}

void widen(EstimateWithInterval& largest, const EstimateWithInterval& other) {
  largest.value = std::max(largest.value, other.value);
  largest.low = std::max(largest.low, other.low);
  largest.high = std::max(largest.high, other.high);
}

// Newcombe's interval of each pair of groups.
EstimateWithInterval by_pairs(const std::vector<GroupShare>& groups, double quantile) {
  std::vector<EstimateWithInterval> shares;
  shares.reserve(groups.size());
  for (const GroupShare& group : groups) shares.push_back(share_of(group, quantile));
  EstimateWithInterval largest;
  for (std::size_t a = 0; a < shares.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      widen(largest, absolute(newcombe_interval(shares[a], shares[b])));
    }
  }
  return largest;
}

// From the interval of each group's rate: where these hold together, the largest difference is at
// most from the lowest end to the highest, and at least from the lowest upper end to the highest
// lower one. Wider than by pairs, but one step a group.
EstimateWithInterval by_rates(const std::vector<GroupShare>& groups, double quantile) {
  EstimateWithInterval lowest{1, 1, 1}, highest{0, 0, 0};
  for (const GroupShare& group : groups) {
    const EstimateWithInterval share = share_of(group, quantile);
    widen(highest, share);
    lowest = {std::min(lowest.value, share.value), std::min(lowest.low, share.low),
              std::min(lowest.high, share.high)};
  }
  return {highest.value - lowest.value, std::max(highest.low - lowest.high, 0.0),
          highest.high - lowest.low};
}

// Two classes: a share not predicted as one is predicted as the other, so one of them tells all.
std::size_t predictions_to_compare(const std::vector<GroupQuality>& groups) {
  const std::size_t classes = groups.empty() ? 0 : groups.front().confusion.classes;
  return classes == 2 ? 1 : classes;
}

}  // namespace

std::optional<EstimateWithInterval> largest_difference(
    const std::vector<std::vector<GroupShare>>& rates, std::size_t max_pairs) {
  std::size_t pairs = 0, shares = 0;
  for (const std::vector<GroupShare>& groups : rates) {
    pairs += groups.size() * (groups.size() - 1) / 2;
    shares += groups.size();
  }
  if (pairs == 0) return std::nullopt;
  const bool few = pairs <= max_pairs;
  const double quantile =
      two_sided_normal_quantile(significance / static_cast<double>(few ? pairs : shares));
  EstimateWithInterval largest;
  for (const std::vector<GroupShare>& groups : rates) {
    widen(largest, few ? by_pairs(groups, quantile) : by_rates(groups, quantile));
  }
  // Newcombe's upper end may pass 1 by a rounding error.
  largest.high = std::min(largest.high, 1.0);
  return largest;
}

std::optional<EstimateWithInterval> equalized_odds_violation(
    const std::vector<GroupQuality>& groups) {
  const std::size_t predictions = predictions_to_compare(groups);
  const std::size_t classes = groups.empty() ? 0 : groups.front().confusion.classes;
  std::vector<std::vector<GroupShare>> rates;
  for (std::size_t i = 0; i < classes; ++i) {
    std::vector<std::vector<GroupShare>> of_class(predictions);
    for (const GroupQuality& group : groups) {
      const std::int64_t trials = group.confusion.rows_of(i);
      if (trials == 0) continue;
      for (std::size_t j = 0; j < predictions; ++j) {
        of_class[j].push_back({group.confusion.counts[i * classes + j], trials});
      }
    }
    if (predictions > 0 && of_class.front().size() < 2) continue;
    std::move(of_class.begin(), of_class.end(), std::back_inserter(rates));
  }
  return largest_difference(rates);
}

std::optional<EstimateWithInterval> demographic_parity_violation(
    const std::vector<GroupQuality>& groups) {
  const std::size_t predictions = predictions_to_compare(groups);
  std::vector<std::vector<GroupShare>> rates(groups.size() < 2 ? 0 : predictions);
  for (std::size_t j = 0; j < rates.size(); ++j) {
    for (const GroupQuality& group : groups) {
      const Confusion& confusion = group.confusion;
      GroupShare share{0, confusion.rows()};
      for (std::size_t i = 0; i < confusion.classes; ++i) {
        share.successes += confusion.counts[i * confusion.classes + j];
      }
      rates[j].push_back(share);
    }
  }
  return largest_difference(rates);
}

std::optional<EstimateWithInterval> error_parity_violation(
    const std::vector<GroupQuality>& groups) {
  std::vector<GroupShare> wrong;
  for (const GroupQuality& group : groups) {
    const Confusion& confusion = group.confusion;
    GroupShare share{0, confusion.rows()};
    for (std::size_t i = 0; i < confusion.classes; ++i) {
      for (std::size_t j = 0; j < confusion.classes; ++j) {
        if (i != j) share.successes += confusion.counts[i * confusion.classes + j];
      }
    }
    wrong.push_back(share);
  }
  return largest_difference({wrong});
}

}  // namespace noiseplus
