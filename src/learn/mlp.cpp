#include <algorithm>
#include <cmath>
#include <numbers>

#include "learn/early_stop.h"
#include "learn/labels.h"
#include "learn/linear_trainer.h"
#include "learn/mlp_training.h"

namespace noiseplus {

void check_options(const MlpOptions& options) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw Error(ErrorKind::usage, what);
  };
  require(options.hidden >= 2, "a hidden layer needs two units at least");
  require(options.epochs >= 0, "the number of epochs must be 0 or above");
  require(options.batch >= 1, "a batch needs one row at least");
  require(options.rate > 0 && std::isfinite(options.rate), "the rate of learning must be above 0");
  require(options.weight_decay >= 0 && options.weight_decay * options.rate < 1,
          "weight decay must be 0 or above, and below 1 / rate");
  require(options.dropout >= 0 && options.dropout < 1, "dropout must be from 0 to below 1");
  require(options.floor > 0 && options.floor < 0.5,
          "the floor of a probability must be above 0 and below 0.5");
}

std::span<const std::uint32_t> ShuffledRows::of_epoch(int epoch) {
  const auto number = static_cast<std::uint64_t>(epoch);
  for (std::size_t i = rows_.size(); i > 1; --i) {
    const std::size_t j = hash(seed_, Stream::batches, number, i) % i;
    std::swap(rows_[i - 1], rows_[j]);
  }
  return rows_;
}

Schedule::Schedule(const MlpOptions& options, std::size_t rows)
    : options_(options), batches_((rows + options.batch - 1) / options.batch) {}

AdamStep Schedule::next() {
  const double all = static_cast<double>(batches_) * options_.epochs;
  const double done = static_cast<double>(step_) / all;
  const double rate = options_.rate * (1 + std::cos(std::numbers::pi * done)) / 2;
  return {rate, options_.weight_decay, ++step_};
}

Training train_mlp(RowsView rows, const Targets& targets, const MlpOptions& options,
                   const Model* start, const Execution& execution) {
  check_targets(rows, targets);
  check_options(options);
  if (start != nullptr) check_start(*start, 2, rows.columns, targets.weights.columns());
  Matrix buffer;
  const MatrixView values = rows.floats(buffer);
  ThreadPool pool(execution.threads);
  const std::vector<std::uint32_t> counting = rows_that_count(targets);
  const Scaling scaling = Scaling::of(values, counting);
  MlpNetwork network(values, targets, scaling, options, start, pool);
  EarlyStop early(values, options.stopping, pool.size());
  ShuffledRows shuffled(counting, options.seed);
  const std::size_t count = counting.size();
  Schedule schedule(options, count);
  ProgressMeter meter(execution, "training",
                      schedule.batches_an_epoch() * static_cast<std::size_t>(options.epochs));
  Training training;
  for (int epoch = 0; epoch < options.epochs; ++epoch) {
    const std::span<const std::uint32_t> order = shuffled.of_epoch(epoch);
    double sum = 0;
    for (std::size_t begin = 0; begin < count; begin += options.batch) {
      const std::size_t size = std::min(options.batch, count - begin);
      const Batch batch{order.subspan(begin, size), static_cast<std::uint64_t>(epoch)};
      sum += network.learn(batch, schedule.next()) * static_cast<double>(size);
      meter.step();
    }
    ++training.steps;
    training.loss = sum / static_cast<double>(count);
    if (early.is_on() && !early.consider(network.model())) break;
  }
  meter.finish();
  training.model = network.model();
  early.finish(training);
  return training;
}

}  // namespace noiseplus
