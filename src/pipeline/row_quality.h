// How credible each label is, by what an audit found. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "noiseplus/noise.h"

namespace noiseplus {

// Rows that are judged together: all rows, or those of one group.
struct JudgedRows {
  std::span<const std::int32_t> codes;  // labels
  const NoiseEstimate& estimate;
  std::string_view mode;     // of auto: "dense" or "overlap"; empty for other estimators
  MatrixView probabilities;  // given for these rows; without rows: none
  bool has_features = true;  // false: neighbors are those of the probabilities
};

// Label quality with `is_calibrated`. `evidence` is of the same rows, and has been asked for the
// estimate. Throws as label_quality.
LabelQuality judge_rows(const JudgedRows& rows, NoiseEstimator& evidence,
                        const Execution& execution);

}  // namespace noiseplus
