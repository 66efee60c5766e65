#include "learn/checks.h"
#include "learn/early_stop.h"
#include "learn/mlp_training.h"
#include "learn/trainers.h"

namespace noiseplus {

FitResult train_mlp(RowsView rows, TargetsView targets, const MlpOptions& options,
                    const Model* start, ThreadPool& pool, const Execution& execution) {
  check_targets(rows, targets);
  check_options(options);
  if (start != nullptr) check_start(*start, 2, rows.columns, targets.classes());
  Matrix buffer;
  const MatrixView values = rows.floats(buffer);
  const std::vector<std::uint32_t> counting = rows_that_count(targets);
  const Scaling scaling = Scaling::of(values, counting);
  MlpNetwork network(values, targets, scaling, options, start, pool);
  EarlyStop early(values, targets.classes(), options.stopping, pool);
  FitResult training = run_epochs(
      options, counting,
      [&](const Batch& batch, const AdamStep& step) { return network.learn(batch, step); },
      [&] { return !early.is_on() || early.consider(network.model()); }, execution);
  training.model = network.model();
  early.finish(training);
  return training;
}

FitResult train_mlp(RowsView rows, const Targets& targets, const MlpOptions& options,
                    const Model* start, const Execution& execution) {
  ThreadPool pool(execution.threads);
  return train_mlp(rows, targets, options, start, pool, execution);
}

}  // namespace noiseplus
