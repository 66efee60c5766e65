#include "pipeline/fair_noise.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/format.h"
#include "core/intervals.h"
#include "pipeline/plans.h"

namespace noiseplus {
namespace {

LabelNoise noise_of(std::span<const double> transition, std::size_t positive) {
  const std::size_t negative = 1 - positive;
  return {transition[negative * 2 + positive], transition[positive * 2 + negative]};
}

std::vector<double> mean_transition(const std::vector<GroupNoise>& groups) {
  std::vector<double> sum(4);
  double rows = 0;
  for (const GroupNoise& group : groups) {
    if (!group.known()) continue;
    const std::vector<double> transition = transition_of(group, 2);
    const auto weight = static_cast<double>(group.rows);
    for (std::size_t i = 0; i < 4; ++i) sum[i] += weight * transition[i];
    rows += weight;
  }
  for (double& cell : sum) cell /= std::max(rows, 1.0);
  return sum;
}

// The transition matrix of a group before the flip, as the plan saw it.
std::vector<double> transition_before(const AuditReport& report, const GroupNoise& group) {
  if (report.scope == "class") return report.estimate.transition;
  // Where no group is shown to be noisier than another, all have the same rates.
  if (report.plan.flips_nothing()) return mean_transition(report.groups);
  if (report.scope == "group" && has_one_rate_per_group(report)) {
    return symmetric_transition(2, one_rate(group));
  }
  return transition_of(group, 2);
}

bool is_common(const std::vector<LabelNoise>& noise) {
  constexpr double rounding = 1e-9;
  return std::all_of(noise.begin(), noise.end(), [&](const LabelNoise& other) {
    return std::abs(other.negative - noise.front().negative) < rounding &&
           std::abs(other.positive - noise.front().positive) < rounding;
  });
}

// Whether the shares of positive labels may be the same in all groups, by Newcombe's intervals of
// all pairs at once (Bonferroni).
bool may_agree(std::span<const double> shares, const std::vector<GroupNoise>& groups) {
  const double pairs = static_cast<double>(shares.size() * (shares.size() - 1)) / 2;
  const double quantile = two_sided_normal_quantile(significance / std::max(pairs, 1.0));
  std::vector<EstimateWithInterval> intervals;
  for (std::size_t z = 0; z < shares.size(); ++z) {
    const auto rows = static_cast<double>(groups[z].rows);
    intervals.push_back(wilson_interval(shares[z] * rows, rows, quantile));
  }
  for (std::size_t a = 0; a < intervals.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const EstimateWithInterval difference = newcombe_interval(intervals[a], intervals[b]);
      if (difference.low > 0 || difference.high < 0) return false;
    }
  }
  return true;
}

std::string common_rate(LabelNoise noise) {
  if (std::abs(noise.negative - noise.positive) < 5e-4) {
    return fmt::format("the common rate {:.3f}", noise.positive);
  }
  return fmt::format("the common rates e- {:.3f}, e+ {:.3f}", noise.negative, noise.positive);
}

// "'Female' 0.11 to 'Male' 0.30"
std::string range_of_base_rates(const AuditReport& report, std::span<const double> shares,
                                const std::vector<LabelNoise>& noise) {
  std::vector<double> base;
  for (std::size_t z = 0; z < shares.size(); ++z) base.push_back(clean_share(shares[z], noise[z]));
  const auto [low, high] = std::minmax_element(base.begin(), base.end());
  const auto name = [&](auto place) {
    return report.groups[static_cast<std::size_t>(place - base.begin())].name;
  };
  return fmt::format("'{}' {:.2f} to '{}' {:.2f}", name(low), *low, name(high), *high);
}

std::string what_was_flipped(const AuditReport& report) {
  if (!report.plan.flips_nothing()) return "after balancing ";
  return "no difference of noise is proved, nothing was flipped, and ";
}

}  // namespace

std::vector<double> positive_shares(std::span<const std::int32_t> codes,
                                    std::span<const std::int32_t> groups, std::size_t group_count,
                                    std::size_t positive) {
  std::vector<double> positives(group_count), rows(group_count);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const auto group = static_cast<std::size_t>(groups[n]);
    positives[group] += static_cast<std::size_t>(codes[n]) == positive ? 1 : 0;
    rows[group] += 1;
  }
  for (std::size_t z = 0; z < group_count; ++z) positives[z] /= std::max(rows[z], 1.0);
  return positives;
}

ConstraintNoise estimated_noise(const AuditReport& audit) {
  ConstraintNoise result;
  result.is_known = true;
  result.why = "rates are corrected with the noise that " + audit.estimate.estimator +
               " finds in each group";
  for (const GroupNoise& group : audit.groups) {
    if (!group.known()) {
      throw Error(ErrorKind::impossible,
                  "group '" + group.name + "': its noise is not known (" +
                      (group.too_small.empty() ? "not identified" : group.too_small) +
                      "); give --group-rate, or leave --noise-aware out");
    }
    result.noise.push_back(noise_of(transition_of(group, 2), audit.positive));
  }
  return result;
}

std::vector<LabelNoise> noise_left(const AuditReport& balanced, Flips when) {
  const bool by_class = balanced.scope == "class";
  const auto is_known = [&](const GroupNoise& group) {
    return by_class ? balanced.estimate.identified : group.known();
  };
  std::vector<LabelNoise> noise(balanced.groups.size());
  const LabelNoise* known = nullptr;
  for (std::size_t z = 0; z < noise.size(); ++z) {
    if (!is_known(balanced.groups[z])) continue;
    const std::size_t part = balanced.plan.groups > 1 ? z : 0;
    const std::vector<double> before = transition_before(balanced, balanced.groups[z]);
    noise[z] = noise_of(when == Flips::before ? before : balanced.plan.after(before, part),
                        balanced.positive);
    known = &noise[z];
  }
  if (known == nullptr) return {};
  for (std::size_t z = 0; z < noise.size(); ++z) {
    if (!is_known(balanced.groups[z])) noise[z] = *known;
  }
  return noise;
}

ConstraintNoise noise_after_balancing(const AuditReport& balanced,
                                      std::span<const std::int32_t> codes,
                                      std::span<const std::int32_t> groups,
                                      bool always_by_clean_labels, Flips when) {
  ConstraintNoise result;
  result.noise = noise_left(balanced, when);
  if (result.noise.empty()) {
    result.why = "the noise is not identified, so that nothing but the given labels is there";
    result.warnings.emplace_back(
        "the constraint is that of the given labels: how noisy they are is not identified, and by "
        "clean labels the groups may differ by more");
    return result;
  }
  result.is_known = true;
  for (const GroupNoise& group : balanced.groups) {
    if (balanced.scope == "class" || group.known()) continue;
    result.warnings.push_back("group '" + group.name +
                              "': its noise is not known, and taken to be that of the others");
  }
  const std::vector<double> shares =
      positive_shares(codes, groups, balanced.groups.size(), balanced.positive);
  const std::string flipped = what_was_flipped(balanced);
  if (!is_common(result.noise)) {
    result.why =
        flipped + "groups are not equally noisy: rates are corrected with the noise of each";
  } else if (always_by_clean_labels) {
    result.why = flipped + "rates are corrected at " + common_rate(result.noise.front());
  } else if (may_agree(shares, balanced.groups)) {
    result.why = flipped +
                 "all groups are equally noisy, and no difference of their base rates is "
                 "significant: rates equal by given labels are equal by clean ones";
    result.noise.clear();
  } else {
    result.why = flipped + "base rates differ (" +
                 range_of_base_rates(balanced, shares, result.noise) +
                 "): rates are corrected at " + common_rate(result.noise.front());
  }
  return result;
}

}  // namespace noiseplus
