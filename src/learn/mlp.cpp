#include "learn/checks.h"
#include "learn/early_stop.h"
#include "learn/labels.h"
#include "learn/mlp_training.h"

namespace noiseplus {

FitResult train_mlp(RowsView rows, const Targets& targets, const MlpOptions& options,
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
  EarlyStop early(values, targets.weights.columns(), options.stopping, pool.size());
  FitResult training = run_epochs(
      options, counting,
      [&](const Batch& batch, const AdamStep& step) { return network.learn(batch, step); },
      [&] { return !early.is_on() || early.consider(network.model()); }, execution);
  training.model = network.model();
  early.finish(training);
  return training;
}

}  // namespace noiseplus
