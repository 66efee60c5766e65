#include <algorithm>
#include <cmath>

#include "core/row_count.h"
#include "learn/checks.h"
#include "learn/early_stop.h"
#include "learn/lbfgs.h"
#include "learn/linear_objective.h"
#include "learn/scaling.h"
#include "learn/trainers.h"

namespace noiseplus {
namespace {

using Eigen::VectorXd;

bool has_negative_weights(TargetsView targets) {
  const std::span<const float> weights = targets.stored_weights();
  return std::any_of(weights.begin(), weights.end(), [](float weight) { return weight < 0; });
}

void check_options(TargetsView targets, const LinearOptions& options) {
  if (!(options.ridge >= 0) || !std::isfinite(options.ridge)) {
    throw Error(ErrorKind::usage, "ridge must be 0 or above");
  }
  if (options.ridge == 0 && has_negative_weights(targets)) {
    throw Error(ErrorKind::usage,
                "this loss has weights below zero and so, without a penalty, no minimum; choose a "
                "ridge above 0");
  }
  if (options.max_steps < 0 || !(options.tolerance >= 0)) {
    throw Error(ErrorKind::usage, "the number of steps and the tolerance must be 0 or above");
  }
}

// Where a column lies many times its spread from zero, floats would lose the spread in the
// products. The means of such columns, else zeros; empty when there are none. A sample of the rows
// will do.
std::vector<float> far_offsets(MatrixView rows) {
  constexpr std::size_t max_rows = 4096;
  constexpr double far = 100;
  check_row_count(rows.rows);
  const std::size_t step = std::max<std::size_t>(rows.rows / max_rows, 1);
  std::vector<std::uint32_t> sample;
  for (std::size_t n = 0; n < rows.rows; n += step) sample.push_back(static_cast<std::uint32_t>(n));
  const ColumnMoments moments = ColumnMoments::of(rows, sample);
  std::vector<float> offsets(rows.columns);
  bool is_any = false;
  for (std::size_t c = 0; c < rows.columns; ++c) {
    const double mean = moments.means[c];
    const double variance = moments.variances[c];
    if (variance <= 0 || !(mean * mean > far * far * variance)) continue;
    offsets[c] = static_cast<float>(mean);
    is_any = true;
  }
  return is_any ? offsets : std::vector<float>();
}

// Floats hold the values but not their sums. A value is to blame only if it is huge; else the
// weights are.
Error too_large_to_train(MatrixView rows, bool has_start) {
  constexpr float huge = 1e15F;
  std::size_t largest = 0;
  for (std::size_t i = 1; i < rows.rows * rows.columns; ++i) {
    if (std::abs(rows.data[i]) > std::abs(rows.data[largest])) largest = i;
  }
  if (rows.columns == 0 || std::abs(rows.data[largest]) < huge) {
    return {ErrorKind::usage, has_start ? "the weights of the model to start from, or of the "
                                          "targets, are too large to train on; scale them down"
                                        : "the weights of the targets are too large to train on; "
                                          "scale them down"};
  }
  return {ErrorKind::data, "row " + std::to_string(largest / rows.columns + 1) + ", column " +
                               std::to_string(largest % rows.columns + 1) + " is " +
                               format_number(static_cast<double>(rows.data[largest])) +
                               ", too large to train on; scale the columns, or drop this one"};
}

// The bias of a model of rows minus the offsets, for rows as they are; `sign` 1 for the way back.
void shift_bias(Layer& layer, const std::vector<float>& offsets, double sign) {
  for (std::size_t o = 0; o < layer.outputs && !offsets.empty(); ++o) {
    double sum = 0;
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      sum += static_cast<double>(offsets[i]) *
             static_cast<double>(layer.weights[i * layer.outputs + o]);
    }
    layer.biases[o] = static_cast<float>(static_cast<double>(layer.biases[o]) + sign * sum);
  }
}

// A look costs as much as a few steps, and is not worth it where few are allowed.
constexpr int steps_between_looks = 10;
constexpr int first_look = 4;
constexpr int steps_worth_a_look = 20;

}  // namespace

LinearTrainer::LinearTrainer(RowsView rows, ThreadPool& pool)
    : rows_(rows.floats(buffer_)), offsets_(far_offsets(rows_)), centred_(rows_), pool_(pool) {
  if (offsets_.empty()) return;
  centred_buffer_ = Matrix(rows_.rows, rows_.columns);
  for (std::size_t n = 0; n < rows_.rows; ++n) {
    for (std::size_t c = 0; c < rows_.columns; ++c) {
      centred_buffer_.row(n)[c] = rows_.row(n)[c] - offsets_[c];
    }
  }
  centred_ = centred_buffer_.view();
}

FitResult LinearTrainer::fit(TargetsView targets, const LinearOptions& options, const Model* start,
                             const Execution& execution) {
  check_options(targets, options);
  const std::size_t classes = targets.classes();
  const std::size_t outputs = outputs_of(classes);
  if (start != nullptr) check_start(*start, 1, rows_.columns, classes);
  check_total(targets);
  if (!curvature_) {
    curvature_.emplace(centred_, targets, pool_);
  } else if (start == nullptr) {
    curvature_->restart();
  }
  curvature_->set_ridge(options.ridge);

  const std::size_t blocks = rows_.rows / rows_in_block(rows_.columns) + 1;
  ProgressMeter meter(execution, "training", static_cast<std::size_t>(options.max_steps) * blocks);
  LinearObjective objective(centred_, targets, options.ridge, pool_, meter);
  EarlyStop early(centred_, classes, options.stopping, pool_);
  const auto model_of = [&](const VectorXd& x) {
    return Model{classes, {layer_of(x, rows_.columns, outputs)}};
  };
  LbfgsOptions lbfgs;
  lbfgs.max_steps = options.max_steps;
  lbfgs.tolerance = options.tolerance;
  lbfgs.precondition = [&](VectorXd& gradient) { curvature_->divide(gradient, outputs); };
  int steps = 0;
  lbfgs.after_step = [&](const VectorXd& x) {
    const bool is_time = ++steps % steps_between_looks == first_look;
    if (is_time && options.max_steps >= steps_worth_a_look) {
      curvature_->look(objective.layer(), targets);
      curvature_->set_ridge(options.ridge);
    }
    return !early.is_on() || early.consider(model_of(x));
  };
  VectorXd x = VectorXd::Zero(objective.parameters());
  if (start != nullptr) {
    Layer first = start->layers[0];
    shift_bias(first, offsets_, 1);
    x = parameters_of(first);
  }
  const Minimum minimum = minimize(std::ref(objective), x, lbfgs);
  if (!minimum.is_finite) throw too_large_to_train(rows_, start != nullptr);
  meter.finish();
  FitResult training{model_of(x), {}, minimum.steps, minimum.value, minimum.converged};
  early.finish(training);
  shift_bias(training.model.layers[0], offsets_, -1);
  return training;
}

FitResult train_linear(RowsView rows, TargetsView targets, const LinearOptions& options,
                       const Model* start, ThreadPool& pool, const Execution& execution) {
  check_targets(rows, targets);
  return LinearTrainer(rows, pool).fit(targets, options, start, execution);
}

FitResult train_linear(RowsView rows, const Targets& targets, const LinearOptions& options,
                       const Model* start, const Execution& execution) {
  ThreadPool pool(execution.threads);
  return train_linear(rows, targets, options, start, pool, execution);
}

}  // namespace noiseplus
