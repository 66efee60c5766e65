#include "learn/mlp_training.h"

#include <algorithm>
#include <cmath>

#include "core/portable_math.h"

namespace noiseplus {
namespace {

void shuffle(std::vector<std::uint32_t>& rows, std::uint64_t seed, std::uint64_t epoch) {
  for (std::size_t i = rows.size(); i > 1; --i) {
    std::swap(rows[i - 1], rows[hash(seed, Stream::batches, epoch, i) % i]);
  }
}

AdamStep step_of(const MlpOptions& options, std::int64_t step, std::size_t all_steps) {
  const double done = static_cast<double>(step) / static_cast<double>(all_steps);
  const double rate = options.rate * (1 + portable::cos_pi(done)) / 2;
  return {rate, options.weight_decay, step + 1};
}

}  // namespace

void check_options(const MlpOptions& options) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw Error(ErrorKind::usage, what);
  };
  constexpr std::size_t max_hidden = std::size_t{1} << 20;
  require(options.hidden >= 2, "a hidden layer needs two units at least");
  require(options.hidden <= max_hidden, "a hidden layer has 1048576 units at most");
  require(options.epochs >= 0, "the number of epochs must be 0 or above");
  require(options.batch >= 1, "a batch needs one row at least");
  require(options.rate > 0 && std::isfinite(options.rate), "the rate of learning must be above 0");
  require(options.weight_decay >= 0 && options.weight_decay * options.rate < 1,
          "weight decay must be 0 or above, and below 1 / rate");
  require(options.dropout >= 0 && options.dropout < 1, "dropout must be from 0 to below 1");
  require(options.floor > 0 && options.floor < 0.5,
          "the floor of a probability must be above 0 and below 0.5");
}

FitResult run_epochs(const MlpOptions& options, std::vector<std::uint32_t> rows,
                     const LearnBatch& learn, const std::function<bool()>& goes_on,
                     const Execution& execution) {
  const std::size_t count = rows.size();
  const std::size_t batch_rows = std::min(options.batch, std::max<std::size_t>(count, 1));
  const std::size_t batches = (count + batch_rows - 1) / batch_rows;
  const std::size_t all_steps = batches * static_cast<std::size_t>(options.epochs);
  ProgressMeter meter(execution, "training", all_steps);
  FitResult training;
  std::int64_t step = 0;
  for (std::uint64_t epoch = 0; epoch < static_cast<std::uint64_t>(options.epochs); ++epoch) {
    shuffle(rows, options.seed, epoch);
    double sum = 0;
    for (std::size_t begin = 0; begin < count; begin += batch_rows) {
      const std::size_t size = std::min(batch_rows, count - begin);
      const Batch batch{std::span<const std::uint32_t>(rows).subspan(begin, size), epoch, &meter};
      sum += learn(batch, step_of(options, step++, all_steps)) * static_cast<double>(size);
      meter.step();
    }
    ++training.steps;
    training.loss = sum / static_cast<double>(count);
    if (!goes_on()) break;
  }
  meter.finish();
  return training;
}

}  // namespace noiseplus
