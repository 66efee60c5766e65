#include <algorithm>
#include <cmath>

#include "learn/early_stop.h"
#include "learn/lbfgs.h"
#include "learn/linear_objective.h"
#include "learn/linear_trainer.h"
#include "util/rows.h"

namespace noiseplus {
namespace {

using Eigen::VectorXd;

bool has_negative_weights(const Targets& targets) {
  const MatrixView weights = targets.weights.view();
  return std::any_of(weights.data, weights.data + weights.rows * weights.columns,
                     [](float weight) { return weight < 0; });
}

void check_options(const Targets& targets, const LinearOptions& options) {
  if (!(options.ridge >= 0) || !std::isfinite(options.ridge)) {
    throw Error(ErrorKind::usage, "ridge must be 0 or above");
  }
  if (options.ridge == 0 && has_negative_weights(targets)) {
    throw Error(ErrorKind::usage,
                "this loss has weights below zero and so, without a penalty, no minimum; choose a "
                "ridge above 0");
  }
  if (options.most_steps < 0 || !(options.tolerance >= 0)) {
    throw Error(ErrorKind::usage, "the number of steps and the tolerance must be 0 or above");
  }
}

// A look costs as much as a few steps.
constexpr int steps_between_looks = 10;

}  // namespace

void check_targets(RowsView rows, const Targets& targets) {
  if (targets.weights.rows() != rows.rows || targets.weights.columns() < 2) {
    throw Error(ErrorKind::usage, "training needs targets for each row, of two classes at least");
  }
  if (!(targets.total > 0)) {
    throw Error(ErrorKind::data, "no row is left to train on; all have the weight 0");
  }
  const std::size_t bad = find_value(rows, [](float value) { return !std::isfinite(value); });
  if (bad != rows.rows * rows.columns) {
    throw Error(ErrorKind::data, "row " + std::to_string(bad / rows.columns + 1) + ", column " +
                                     std::to_string(bad % rows.columns + 1) +
                                     " is not a finite number; impute or remove it");
  }
}

void check_start(const Model& start, std::size_t layers, std::size_t inputs, std::size_t classes) {
  if (start.layers.size() == layers && start.inputs() == inputs && start.classes == classes &&
      (layers == 1 || start.layers[0].outputs >= 2)) {
    return;
  }
  throw Error(ErrorKind::usage, "the model to start from has another shape than the one to train");
}

LinearTrainer::LinearTrainer(RowsView rows, unsigned threads)
    : rows_(rows.floats(buffer_)), pool_(threads) {}

Training LinearTrainer::fit(const Targets& targets, const LinearOptions& options,
                            const Model* start, const Execution& execution) {
  check_options(targets, options);
  const std::size_t classes = targets.weights.columns();
  const std::size_t outputs = outputs_of(classes);
  if (start != nullptr) check_start(*start, 1, rows_.columns, classes);
  if (!curvature_) curvature_.emplace(rows_, pool_);
  curvature_->set_ridge(options.ridge);

  const std::size_t blocks = rows_.rows / rows_in_block(rows_.columns) + 1;
  ProgressMeter meter(execution, "training", static_cast<std::size_t>(options.most_steps) * blocks);
  LinearObjective objective(rows_, targets, options.ridge, pool_, meter);
  EarlyStop early(rows_, options.stopping, pool_.size());
  const auto model_of = [&](const VectorXd& x) {
    return Model{classes, {layer_of(x, rows_.columns, outputs)}};
  };
  LbfgsOptions lbfgs;
  lbfgs.most_steps = options.most_steps;
  lbfgs.tolerance = options.tolerance;
  lbfgs.precondition = [&](VectorXd& gradient) { curvature_->divide(gradient, outputs); };
  int steps = 0;
  lbfgs.after_step = [&](const VectorXd& x) {
    if (++steps % steps_between_looks == 0) {
      curvature_->look(objective.layer(), targets);
      curvature_->set_ridge(options.ridge);
    }
    return !early.is_on() || early.consider(model_of(x));
  };
  VectorXd x = start != nullptr ? parameters_of(start->layers[0])
                                : VectorXd(VectorXd::Zero(objective.parameters()));
  const Minimum minimum = minimise(std::ref(objective), x, lbfgs);
  meter.finish();
  Training training{model_of(x), {}, minimum.steps, minimum.value, minimum.converged};
  early.finish(training);
  return training;
}

Training train_linear(RowsView rows, const Targets& targets, const LinearOptions& options,
                      const Model* start, const Execution& execution) {
  check_targets(rows, targets);
  return LinearTrainer(rows, execution.threads).fit(targets, options, start, execution);
}

}  // namespace noiseplus
