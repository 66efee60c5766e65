#include "fair/learner.h"

#include <algorithm>
#include <cmath>

#include "learn/held_out.h"
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

WeightedLearner::WeightedLearner(RowsView rows, const Cells& cells, const FairOptions& fair,
                                 const TrainOptions& options)
    : rows_(rows), cells_(cells), positive_(fair.positive), options_(options) {
  const auto is_too_small = [&](std::int64_t cell_rows) {
    return cell_rows > 0 && cell_rows < static_cast<std::int64_t>(fair.folds);
  };
  if (fair.folds < 2 || std::any_of(cells.rows.begin(), cells.rows.end(), is_too_small)) return;
  const std::vector<std::int32_t> codes(cells.of_row.begin(), cells.of_row.end());
  const std::vector<std::int32_t> fold_of =
      stratified_folds({codes, cells.size(), {}}, fair.folds, options.seed);
  Matrix buffer;
  const MatrixView values = rows.floats(buffer);
  for (std::size_t f = 0; f < fair.folds; ++f) {
    std::vector<std::uint32_t> unseen = rows_of_fold(fold_of, static_cast<std::int32_t>(f));
    Matrix of_fold = gather(values, unseen);
    folds_.push_back({std::move(unseen), std::move(of_fold), {}});
  }
}

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

Model WeightedLearner::train(const Targets& targets, std::optional<Model>& last,
                             const Execution& execution) {
  const Model* const start = last ? &*last : nullptr;
  Training training;
  if (options_.model == ModelKind::mlp) {
    MlpOptions mlp = options_.mlp;
    mlp.seed = options_.seed;
    if (start != nullptr) mlp.epochs = std::max(1, mlp.epochs / later_share_of_epochs);
    training = train_mlp(rows_, targets, mlp, start, execution);
  } else {
    if (!linear_) linear_.emplace(rows_, execution.threads);
    LinearOptions linear = options_.linear;
    linear.tolerance = std::max(linear.tolerance, gradient_of_a_round);
    training = linear_->fit(targets, linear, start, execution);
  }
  refuse_what_diverged(training.model, options_.model);
  last = training.model;
  return std::move(training.model);
}

std::vector<std::int32_t> WeightedLearner::unseen_answers(const Targets& targets,
                                                          const Execution& execution) {
  std::vector<std::int32_t> answers(rows_.rows);
  const auto steps = static_cast<double>(folds_.size() + 1);
  double done = 1;
  for (Fold& fold : folds_) {
    const Execution part = part_of(execution, "training", done / steps, (done + 1) / steps);
    ++done;
    Targets seen{Matrix(rows_.rows, 2), targets.total - static_cast<double>(fold.rows.size()), {}};
    std::copy_n(targets.weights.row(0), 2 * rows_.rows, seen.weights.row(0));
    for (const std::uint32_t n : fold.rows) std::fill_n(seen.weights.row(n), 2, 0.0F);
    const Model model = train(seen, fold.last, part);
    const Matrix shares = probabilities(model, fold.values.view(), {execution.threads, {}});
    const std::vector<std::int32_t> of_fold = most_likely(shares.view());
    for (std::size_t i = 0; i < of_fold.size(); ++i) answers[fold.rows[i]] = of_fold[i];
  }
  return answers;
}

Classifier WeightedLearner::fit(const CellWeights& weights, const Execution& execution) {
  for (const std::size_t side : {0U, 1U}) {
    if (pulls_one_way(weights, cells_, side)) return constant(side == 1);
  }
  const Targets targets = targets_of(weights);
  const double own_part = 1 / static_cast<double>(folds_.size() + 1);
  Model model = train(targets, last_, part_of(execution, "training", 0, own_part));
  const std::vector<std::int32_t> answers =
      folds_.empty() ? most_likely(probabilities(model, rows_, {execution.threads, {}}).view())
                     : unseen_answers(targets, execution);
  return {std::move(model), count_positive(cells_, answers, positive_)};
}

}  // namespace noiseplus
