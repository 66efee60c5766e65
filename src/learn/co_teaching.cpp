#include <algorithm>
#include <cmath>
#include <numeric>

#include "learn/checks.h"
#include "learn/early_stop.h"
#include "learn/mlp_training.h"
#include "learn/trainers.h"

namespace noiseplus {
namespace {

// The share of a batch that is left out: it grows with the epochs, because a network learns what is
// common before it learns what is wrong by heart.
double forgotten(const CoTeachingOptions& options, std::uint64_t epoch) {
  const double grown =
      options.epochs_to_forget > 0 ? static_cast<double>(epoch) / options.epochs_to_forget : 1.0;
  return options.forget * std::min(1.0, grown);
}

// The rows with the smallest losses, in the order they have.
std::vector<std::uint32_t> easiest(std::span<const std::uint32_t> rows,
                                   const std::vector<float>& losses, std::size_t count) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return losses[a] < losses[b]; });
  order.resize(count);
  std::sort(order.begin(), order.end());
  std::vector<std::uint32_t> chosen;
  chosen.reserve(count);
  for (const std::size_t i : order) chosen.push_back(rows[i]);
  return chosen;
}

// The loss of each row as if it weighed 1: light rows are not the easier for it.
std::vector<float> difficulty(MlpNetwork& network, std::span<const std::uint32_t> rows,
                              const GivenLabels& labels) {
  std::vector<float> losses = network.losses(rows);
  if (labels.row_weights.empty()) return losses;
  for (std::size_t i = 0; i < rows.size(); ++i) losses[i] /= labels.row_weights[rows[i]];
  return losses;
}

void check(const CoTeachingOptions& options) {
  check_options(options.mlp);
  if (!(options.forget >= 0 && options.forget < 1)) {
    throw Error(ErrorKind::usage,
                "co-teaching must forget a share of the rows from 0 to below 1, not " +
                    format_number(options.forget));
  }
}

}  // namespace

FitResult train_co_teaching(RowsView rows, const GivenLabels& labels,
                            const CoTeachingOptions& options, ThreadPool& pool,
                            const Execution& execution) {
  check(options);
  LabelTargets targets = label_targets(labels);
  hold_out(targets, options.mlp.stopping.rows, labels);
  check_targets(rows, targets);
  Matrix buffer;
  const MatrixView values = rows.floats(buffer);
  const std::vector<std::uint32_t> counting = rows_that_count(targets);
  const Scaling scaling = Scaling::of(values, counting);
  MlpOptions other_options = options.mlp;
  other_options.seed = hash(options.mlp.seed, Stream::weights, 0);
  MlpNetwork one(values, targets, scaling, options.mlp, nullptr, pool);
  MlpNetwork other(values, targets, scaling, other_options, nullptr, pool);
  EarlyStop early(values, labels.classes, options.mlp.stopping, pool);
  const auto teach = [&](const Batch& batch, const AdamStep& step) {
    const auto kept = static_cast<std::size_t>(std::lround(static_cast<double>(batch.rows.size()) *
                                                           (1 - forgotten(options, batch.epoch))));
    const std::size_t count = std::max<std::size_t>(kept, 1);
    const std::vector<std::uint32_t> for_other =
        easiest(batch.rows, difficulty(one, batch.rows, labels), count);
    const std::vector<std::uint32_t> for_one =
        easiest(batch.rows, difficulty(other, batch.rows, labels), count);
    other.learn({for_other, batch.epoch}, step);
    return one.learn({for_one, batch.epoch}, step);
  };
  FitResult training = run_epochs(
      options.mlp, counting, teach,
      [&] { return !early.is_on() || early.consider(one.model(), other.model()); }, execution);
  training.model = one.model();
  early.finish(training);
  return training;
}

FitResult train_co_teaching(RowsView rows, const GivenLabels& labels,
                            const CoTeachingOptions& options, const Execution& execution) {
  ThreadPool pool(execution.threads);
  return train_co_teaching(rows, labels, options, pool, execution);
}

}  // namespace noiseplus
