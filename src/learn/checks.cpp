#include "learn/checks.h"

#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "core/rows.h"
#include "learn/layers.h"

namespace noiseplus {

void check_labels(const GivenLabels& labels) {
  check_class_count(labels.classes, 2);
  check_codes(labels.codes, labels.classes);
  if (!labels.row_weights.empty() && labels.row_weights.size() != labels.codes.size()) {
    throw Error(ErrorKind::usage, "there must be one weight for each row, or none at all");
  }
  for (const float weight : labels.row_weights) {
    if (!(weight >= 0) || !std::isfinite(weight)) {
      throw Error(ErrorKind::usage, "row weights must be finite and not below 0");
    }
  }
}

void check_transition(std::span<const double> transition, std::size_t classes) {
  check_class_count(classes);
  if (transition.size() != classes * classes) {
    throw Error(ErrorKind::usage, "the transition matrix must have " + std::to_string(classes) +
                                      " rows of as many numbers");
  }
  for (std::size_t i = 0; i < classes; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < classes; ++j) {
      const double value = transition[i * classes + j];
      sum += value >= 0 && value <= 1 ? value : 2;
    }
    if (std::abs(sum - 1) > 1e-6) {
      throw Error(ErrorKind::usage, "row " + std::to_string(i + 1) +
                                        " of the transition matrix is not made of probabilities "
                                        "that add up to 1");
    }
  }
}

void check_total(TargetsView targets) {
  check_that(targets.total() >= 0 && std::isfinite(targets.total()),
             "the total of the targets must be a finite number, 0 or above");
  if (targets.total() > 0) return;
  throw Error(ErrorKind::data, "no row is left to train on; all have the weight 0");
}

void check_targets(RowsView rows, TargetsView targets) {
  check_view(rows);
  check_that(rows.columns > 0 || rows.rows == 0, "the rows have no columns; give one at least");
  if (targets.rows() != rows.rows || targets.classes() < 2) {
    throw Error(ErrorKind::usage, "training needs targets for each row, of two classes at least");
  }
  check_total(targets);
  const std::span<const float> weights = targets.stored_weights();
  const auto is_finite = [](float weight) { return std::isfinite(weight); };
  if (!std::all_of(weights.begin(), weights.end(), is_finite)) {
    throw Error(ErrorKind::usage, "a weight of the targets is not a finite number");
  }
  if (!targets.transition().empty()) check_transition(targets.transition(), targets.classes());
  const std::size_t bad = find_value(rows, [](float value) { return !std::isfinite(value); });
  if (bad != rows.rows * rows.columns) {
    throw Error(ErrorKind::data, "row " + std::to_string(bad / rows.columns + 1) + ", column " +
                                     std::to_string(bad % rows.columns + 1) +
                                     " is not a finite number; impute or remove it");
  }
}

void check_start(const Model& start, std::size_t layers, std::size_t inputs, std::size_t classes) {
  const bool fits = start.layers.size() == layers && start.inputs() == inputs &&
                    start.classes == classes && is_sound(start) &&
                    (layers == 1 || start.layers[0].outputs >= 2);
  check_that(fits, "the model to start from has another shape than the one to train");
  check_that(is_finite(start),
             "a weight of the model to start from is not a finite number; start from another");
}

}  // namespace noiseplus
