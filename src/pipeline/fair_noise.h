// By which labels a constraint judges: those given, or clean ones by way of the noise. Internal.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "noiseplus/pipeline.h"

namespace noiseplus {

struct ConstraintNoise {
  std::vector<LabelNoise> noise;  // of each group; empty: given labels
  bool is_known = false;          // whether given labels are judged by with their noise in mind
  std::string why;
  std::vector<std::string> warnings = {};
};

// What an audit says of each group's noise. Throws impossible, naming the group, when it is not
// known.
ConstraintNoise estimated_noise(const AuditReport& audit);

enum class Flips { before, after };

// The noise of each group before the flips of `balanced`, or what they have left; empty where
// nothing is known of any. A group of which nothing is known counts as noisy as the others.
std::vector<LabelNoise> noise_left(const AuditReport& balanced, Flips when = Flips::after);

// The same, and whether a constraint must account for it: of `balanced`, with the labels `codes`
// that it was given, or that came out of it. Groups that are equally noisy are judged by given
// labels where their base rates agree: where no difference is significant, what that leaves is less
// than the spread of the correction.
ConstraintNoise noise_after_balancing(const AuditReport& balanced,
                                      std::span<const std::int32_t> codes,
                                      std::span<const std::int32_t> groups,
                                      bool always_by_clean_labels = false,
                                      Flips when = Flips::after);

// Share of rows of each group whose code is `positive`.
std::vector<double> positive_shares(std::span<const std::int32_t> codes,
                                    std::span<const std::int32_t> groups, std::size_t group_count,
                                    std::size_t positive);

}  // namespace noiseplus
