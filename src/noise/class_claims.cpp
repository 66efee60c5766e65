#include "noise/class_claims.h"

#include <algorithm>

#include "core/intervals.h"
#include "noise/groups/unproved_rates.h"

namespace noiseplus {
namespace {

// Estimators test what they solve, which may be outside [0, 1] and then looks otherwise when shown.
bool is_shown(const NoiseEstimate& estimate) {
  const EstimateWithInterval& noisier = estimate.noise[static_cast<std::size_t>(estimate.noisier)];
  const EstimateWithInterval& cleaner = estimate.noise[static_cast<std::size_t>(estimate.cleaner)];
  return noisier.value > cleaner.value && estimate.gap.low > 0;
}

std::vector<ClassPair> claims_beyond_chance(const NoiseEstimate& estimate) {
  std::vector<ClassPair> claims = {{estimate.noisier, estimate.cleaner}};
  const std::size_t classes = estimate.noise.size();
  const double pairs = static_cast<double>(classes) * static_cast<double>(classes - 1) / 2;
  const double scale = two_sided_normal_quantile(significance / pairs) / usual_quantile;
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = 0; j < classes; ++j) {
      const EstimateWithInterval &a = estimate.noise[i], &b = estimate.noise[j];
      const bool is_own =
          static_cast<int>(i) == estimate.noisier && static_cast<int>(j) == estimate.cleaner;
      const double chance = scale * (a.value - a.low + b.high - b.value);
      if (!is_own && a.value - b.value > chance) {
        claims.push_back({static_cast<int>(i), static_cast<int>(j)});
      }
    }
  }
  return claims;
}

}  // namespace

std::vector<ClassPair> settle_claims(NoiseEstimate& estimate) {
  if (!estimate.identified) {
    for (EstimateWithInterval& rate : estimate.noise) rate = {rate.value, 0, 1};
    estimate.gap = {estimate.gap.value, std::min(estimate.gap.low, 0.0), 1};
    return {};
  }
  if (estimate.noisier >= 0 && !is_shown(estimate)) {
    estimate.leans = estimate.noisier;
    estimate.noisier = estimate.cleaner = -1;
  }
  std::vector<ClassPair> claims;
  if (estimate.noisier >= 0) {
    claims = claims_beyond_chance(estimate);
  } else {
    estimate.gap.low = std::min(estimate.gap.low, 0.0);
  }
  let_unproved_rates_overlap(estimate.noise, claims);
  return claims;
}

}  // namespace noiseplus
