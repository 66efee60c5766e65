// Noise rates for judging rows. Internal.
#pragma once

#include <span>

#include "noiseplus/noise.h"

namespace noiseplus {

// The estimate with the rates of its classes drawn towards their common mean, as far as chance
// explains that they differ (empirical Bayes with the between-class variance of DerSimonian and
// Laird 1986); each row of T keeps the proportions of its errors, and the prior follows from the
// labels. A rate that is off by chance would put all labels of a class before those of another when
// rows are ranked; rates that surely differ stay as they are. Only `prior` and `transition` change.
// REQUIRES: an estimate of all classes; codes below their number.
NoiseEstimate shrink_rates(const NoiseEstimate& estimate, std::span<const std::int32_t> codes);

// P(clean class | row) for two classes from P(label | row), by T of the estimate: where neighbors
// are those of the probabilities, they tell nothing more. It keeps the order of the probabilities.
// REQUIRES: probabilities of two classes, checked.
Matrix posterior_behind(MatrixView probabilities, const NoiseEstimate& estimate);

}  // namespace noiseplus
