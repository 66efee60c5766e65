#include "fair/learner.h"

#include <algorithm>
#include <cmath>

#include "learn/loss_targets.h"

namespace noiseplus {
namespace {

// Which side of the plane a row is on takes fewer steps than probabilities to the last digit.
constexpr double gradient_of_a_round = 1e-4;
// A network that starts from the last one has little left to learn.
constexpr int later_share_of_epochs = 5;

bool pulls_one_way(const CellWeights& weights, const Cells& cells, std::size_t side) {
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const bool is_there = cells.rows[cell] > 0;
    if (is_there && (weights[cell][1 - side] > 0 || weights[cell][side] < 0)) return false;
  }
  return true;
}

}  // namespace

WeightedLearner::WeightedLearner(RowsView rows, const Cells& cells, std::size_t positive,
                                 const TrainOptions& options)
    : rows_(rows), cells_(cells), positive_(positive), options_(options) {}

Classifier WeightedLearner::constant(bool is_positive) const {
  const bool is_one = is_positive == (positive_ == 1);
  Layer layer{rows_.columns, 1, std::vector<float>(rows_.columns), {is_one ? 1.0F : -1.0F}};
  Classifier classifier{{2, {std::move(layer)}}, PositiveCounts(cells_.size())};
  if (is_positive) classifier.counts.assign(cells_.rows.begin(), cells_.rows.end());
  return classifier;
}

Targets WeightedLearner::targets_of(const CellWeights& weights) const {
  double sum = 0;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    sum += static_cast<double>(cells_.rows[cell]) *
           (std::abs(weights[cell][0]) + std::abs(weights[cell][1]));
  }
  const double scale = static_cast<double>(rows_.rows) / sum;
  Targets targets{Matrix(rows_.rows, 2), static_cast<double>(rows_.rows), {}};
  for (std::size_t n = 0; n < rows_.rows; ++n) {
    const std::array<double, 2>& pull = weights[cells_.of_row[n]];
    targets.weights.row(n)[1 - positive_] = static_cast<float>(scale * pull[0]);
    targets.weights.row(n)[positive_] = static_cast<float>(scale * pull[1]);
  }
  return targets;
}

Training WeightedLearner::train(const Targets& targets, const Execution& execution) {
  const Model* const start = last_ ? &*last_ : nullptr;
  if (options_.model == ModelKind::mlp) {
    MlpOptions mlp = options_.mlp;
    mlp.seed = options_.seed;
    if (start != nullptr) mlp.epochs = std::max(1, mlp.epochs / later_share_of_epochs);
    return train_mlp(rows_, targets, mlp, start, execution);
  }
  if (!linear_) linear_.emplace(rows_, execution.threads);
  LinearOptions linear = options_.linear;
  linear.tolerance = std::max(linear.tolerance, gradient_of_a_round);
  return linear_->fit(targets, linear, start, execution);
}

Classifier WeightedLearner::fit(const CellWeights& weights, const Execution& execution) {
  for (const std::size_t side : {0U, 1U}) {
    if (pulls_one_way(weights, cells_, side)) return constant(side == 1);
  }
  Training training = train(targets_of(weights), execution);
  refuse_what_diverged(training.model, options_.model);
  const Matrix shares = probabilities(training.model, rows_, {execution.threads, {}});
  last_ = training.model;
  return {std::move(training.model), count_positive(cells_, most_likely(shares.view()), positive_)};
}

}  // namespace noiseplus
