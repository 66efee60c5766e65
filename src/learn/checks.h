// What every trainer asks of what it is given. Internal to the learn stage.
#pragma once

#include <span>

#include "learn/targets_view.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// Throws usage: not 2 to 65536 classes, codes out of range, weights below zero or of the wrong
// number.
void check_labels(const GivenLabels& labels);

// Throws usage: not K rows of K probabilities.
void check_transition(std::span<const double> transition, std::size_t classes);

// Throws data: no row has a weight. Throws usage: the total is NaN, infinite or below 0.
void check_total(TargetsView targets);

// Throws usage when there are no columns, there are not targets for each row, or a number of the
// targets is not finite; data when a value of the rows is not finite; and as check_total.
void check_targets(RowsView rows, TargetsView targets);

// Throws usage when a model cannot be the start of another: another shape, or numbers that are not
// finite.
void check_start(const Model& start, std::size_t layers, std::size_t inputs, std::size_t classes);

}  // namespace noiseplus
