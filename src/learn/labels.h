// Labels and transition matrices, checked and counted. Internal to the learn stage.
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

// Throws usage: codes out of range, weights below zero or of the wrong number.
void check_labels(const GivenLabels& labels);

// Throws usage: not K rows of K probabilities.
void check_transition(std::span<const double> transition, std::size_t classes);

// How frequent each label is, by the row weights.
std::vector<double> label_shares(const GivenLabels& labels);

// Rows whose targets are not all zero.
std::vector<std::uint32_t> rows_that_count(const Targets& targets);

}  // namespace noiseplus
