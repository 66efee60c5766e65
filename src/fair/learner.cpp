#include "fair/learner.h"

#include <algorithm>
#include <cmath>

#include "learn/held_out.h"
#include "learn/layers.h"
#include "learn/loss_targets.h"

namespace noiseplus {
namespace {

// Which side of the plane a row is on takes fewer steps than probabilities to the last digit, and a
// round that stops early is taken up by the next.
constexpr double gradient_of_a_round = 1e-3;
constexpr int steps_of_a_round = 15;
// A network that starts from the last one has little left to learn.
constexpr int later_share_of_epochs = 5;

bool pulls_one_way(const CellWeights& weights, const Cells& cells, std::size_t side) {
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const bool is_there = cells.rows[cell] > 0;
    if (is_there && (weights[cell][1 - side] > 0 || weights[cell][side] < 0)) return false;
  }
  return true;
}

bool has_cell_smaller_than(const Cells& cells, std::size_t count) {
  return std::any_of(cells.rows.begin(), cells.rows.end(), [&](std::int64_t rows) {
    return rows > 0 && rows < static_cast<std::int64_t>(count);
  });
}

}  // namespace

WeightedLearner::WeightedLearner(RowsView rows, const Cells& cells, const FairOptions& fair,
                                 const TrainOptions& options, ThreadPool& pool)
    : rows_(rows), cells_(cells), positive_(fair.positive), options_(options), pool_(pool) {
  if (fair.folds >= 2 && !has_cell_smaller_than(cells, fair.folds)) make_folds(fair.folds);
}

void WeightedLearner::make_folds(std::size_t count) {
  // Numbered by class, so that the folds do not depend on which one is called positive.
  std::vector<std::int32_t> codes;
  codes.reserve(cells_.of_row.size());
  for (const std::uint32_t cell : cells_.of_row) {
    codes.push_back(static_cast<std::int32_t>(positive_ == 1 ? cell : cell ^ 1U));
  }
  const std::vector<std::int32_t> fold_of =
      stratified_folds({codes, cells_.size(), {}}, count, options_.seed);
  Matrix buffer;
  const MatrixView values = rows_.floats(buffer);
  for (std::size_t f = 0; f < count; ++f) {
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

CellWeights WeightedLearner::scaled(CellWeights weights) const {
  double sum = 0;
  for (std::size_t cell = 0; cell < cells_.size(); ++cell) {
    sum += static_cast<double>(cells_.rows[cell]) *
           (std::abs(weights[cell][0]) + std::abs(weights[cell][1]));
  }
  for (std::array<double, 2>& pull : weights) {
    for (double& weight : pull) weight *= static_cast<double>(rows_.rows) / sum;
  }
  return weights;
}

Targets WeightedLearner::targets_of(const CellWeights& weights) const {
  Targets targets{Matrix(rows_.rows, 2), static_cast<double>(rows_.rows), {}};
  for (std::size_t n = 0; n < rows_.rows; ++n) {
    const std::array<double, 2>& pull = weights[cells_.of_row[n]];
    targets.weights.row(n)[1 - positive_] = static_cast<float>(pull[0]);
    targets.weights.row(n)[positive_] = static_cast<float>(pull[1]);
  }
  return targets;
}

const Model* WeightedLearner::nearest(const std::vector<Lesson>& lessons,
                                      const std::vector<double>& pulls) const {
  const Model* best = nullptr;
  double least = 0;
  for (const Lesson& lesson : lessons) {
    double distance = 0;
    for (std::size_t cell = 0; cell < pulls.size(); ++cell) {
      distance +=
          static_cast<double>(cells_.rows[cell]) * std::abs(pulls[cell] - lesson.pulls[cell]);
    }
    if (best != nullptr && distance >= least) continue;
    best = &lesson.model;
    least = distance;
  }
  return best;
}

const Model& WeightedLearner::train(const Targets& targets, const std::vector<double>& pulls,
                                    std::vector<Lesson>& lessons, const Execution& execution) {
  const Model* const start = nearest(lessons, pulls);
  FitResult training;
  if (options_.model == ModelKind::mlp) {
    MlpOptions mlp = options_.mlp;
    mlp.seed = options_.seed;
    if (start != nullptr) mlp.epochs = std::max(1, mlp.epochs / later_share_of_epochs);
    training = train_mlp(rows_, targets, mlp, start, pool_, execution);
  } else {
    if (!linear_) linear_.emplace(rows_, pool_);
    LinearOptions linear = options_.linear;
    linear.tolerance = std::max(linear.tolerance, gradient_of_a_round);
    if (start != nullptr) linear.max_steps = std::min(linear.max_steps, steps_of_a_round);
    training = linear_->fit(targets, linear, start, execution);
  }
  refuse_what_diverged(training.model, options_.model);
  lessons.push_back({pulls, std::move(training.model)});
  return lessons.back().model;
}

Execution WeightedLearner::part_of_round(std::size_t trained, const Execution& execution) const {
  const auto models = static_cast<double>(folds_.size() + 1);
  const auto done = static_cast<double>(trained);
  return part_of(execution, "training", done / models, (done + 1) / models);
}

std::vector<std::int32_t> WeightedLearner::unseen_answers(const Targets& targets,
                                                          const std::vector<double>& pulls,
                                                          const Execution& execution) {
  std::vector<std::int32_t> answers(rows_.rows);
  std::size_t trained = 1;
  for (Fold& fold : folds_) {
    Targets seen = targets;
    seen.total -= static_cast<double>(fold.rows.size());
    for (const std::uint32_t n : fold.rows) std::fill_n(seen.weights.row(n), 2, 0.0F);
    const Model& model = train(seen, pulls, fold.lessons, part_of_round(trained++, execution));
    const std::vector<std::int32_t> of_fold =
        most_likely(probabilities(model, fold.values.view(), pool_).view());
    for (std::size_t i = 0; i < of_fold.size(); ++i) answers[fold.rows[i]] = of_fold[i];
  }
  return answers;
}

Classifier WeightedLearner::fit(const CellWeights& weights, const Execution& execution) {
  for (const std::size_t side : {0U, 1U}) {
    if (pulls_one_way(weights, cells_, side)) return constant(side == 1);
  }
  const CellWeights own = scaled(weights);
  std::vector<double> pulls;
  pulls.reserve(own.size());
  for (const std::array<double, 2>& pull : own) pulls.push_back(pull[1] - pull[0]);
  const Targets targets = targets_of(own);
  const Model& model = train(targets, pulls, lessons_, part_of_round(0, execution));
  const std::vector<std::int32_t> answers =
      folds_.empty() ? most_likely(probabilities(model, rows_, pool_).view())
                     : unseen_answers(targets, pulls, execution);
  return {model, count_positive(cells_, answers, positive_)};
}

}  // namespace noiseplus
