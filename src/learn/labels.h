// Labels and their weights, counted. Internal to the learn stage.
#pragma once

#include <span>
#include <vector>

#include "noiseplus/learn.h"

namespace noiseplus {

inline double row_weight(const GivenLabels& labels, std::size_t row) {
  return labels.row_weights.empty() ? 1 : static_cast<double>(labels.row_weights[row]);
}

// What makes the mean row weight 1, so that sums of floats neither overflow nor vanish.
double weight_scale(const GivenLabels& labels);

// How frequent each label is, by the row weights.
std::vector<double> label_shares(const GivenLabels& labels);

}  // namespace noiseplus
