#include "pipeline/group_mixture.h"

#include <algorithm>

#include "core/intervals.h"

namespace noiseplus {
namespace {

void add_weighted(EstimateWithInterval& sum, double weight, const EstimateWithInterval& part) {
  sum.value += weight * part.value;
  sum.low += weight * part.low;
  sum.high += weight * part.high;
}

EstimateWithInterval divided(const EstimateWithInterval& sum, double weight) {
  return {sum.value / weight, sum.low / weight, sum.high / weight};
}

double rows_of(const GroupNoise& group) {
  return static_cast<double>(group.rows);
}

// As long as the intervals of the groups hold, so does this one.
EstimateWithInterval wrong_share_of(const std::vector<GroupNoise>& groups) {
  EstimateWithInterval sum;
  double rows = 0;
  for (const GroupNoise& group : groups) {
    add_weighted(sum, rows_of(group), group.rate);
    rows += rows_of(group);
  }
  return divided(sum, rows);
}

// The mean rate of a class over the groups; nothing where no group has clean rows of it.
std::optional<EstimateWithInterval> rate_of_class(const std::vector<GroupNoise>& groups,
                                                  std::size_t c) {
  EstimateWithInterval sum;
  double rows = 0;
  for (const GroupNoise& group : groups) {
    const double weight = rows_of(group) * group.estimate.prior[c];
    add_weighted(sum, weight, group.estimate.noise[c]);
    rows += weight;
  }
  if (!(rows > 0)) return std::nullopt;
  return divided(sum, rows);
}

void withdraw_class_claim(NoiseEstimate& estimate) {
  estimate.leans = estimate.noisier;
  estimate.noisier = estimate.cleaner = -1;
  estimate.gap.low = std::min(estimate.gap.low, 0.0);
}

}  // namespace

void account_for_groups(AuditReport& report) {
  const GroupComparison& found = report.comparison;
  const bool is_beyond_class =
      !found.class_claims.empty() || found.beyond_class_p_value < significance;
  NoiseEstimate& estimate = report.estimate;
  if (!is_beyond_class || !estimate.identified ||
      !std::ranges::all_of(report.groups, &GroupNoise::known)) {
    return;
  }
  if (report.wrong_share) report.wrong_share = wrong_share_of(report.groups);
  std::vector<EstimateWithInterval> means = estimate.noise;
  for (std::size_t c = 0; c < means.size(); ++c) {
    const std::optional<EstimateWithInterval> mean = rate_of_class(report.groups, c);
    if (!mean) continue;
    means[c] = *mean;
    EstimateWithInterval& rate = estimate.noise[c];
    rate.low = std::min(rate.low, mean->low);
    rate.high = std::max(rate.high, mean->high);
  }
  const auto is_unproved = [&](const ClassPair& pair) {
    return means[static_cast<std::size_t>(pair.noisier)].low <=
           means[static_cast<std::size_t>(pair.cleaner)].high;
  };
  std::erase_if(report.claims, is_unproved);
  if (estimate.noisier >= 0 && is_unproved({estimate.noisier, estimate.cleaner})) {
    if (report.claims.empty()) {
      withdraw_class_claim(estimate);
    } else {
      estimate.noisier = report.claims.front().noisier;
      estimate.cleaner = report.claims.front().cleaner;
    }
  }
}

}  // namespace noiseplus
