// The trainers for callers that train again and again: on one pool, and on targets stored in any
// way. `execution` has its progress read, not its number of threads. Internal to the library.
#pragma once

#include <optional>

#include "core/thread_pool.h"
#include "learn/curvature.h"
#include "learn/targets_view.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// Trains linear models on the same rows: what depends on the rows alone is found once.
class LinearTrainer {
 public:
  // The rows and the pool must outlive this.
  LinearTrainer(RowsView rows, ThreadPool& pool);

  // As train_linear.
  FitResult fit(TargetsView targets, const LinearOptions& options, const Model* start,
                const Execution& execution);

  MatrixView rows() const { return rows_; }

 private:
  Matrix buffer_, centred_buffer_;
  MatrixView rows_;
  std::vector<float> offsets_;  // subtracted from the columns, when not empty
  MatrixView centred_;
  ThreadPool& pool_;
  std::optional<Curvature> curvature_;
};

// As the public ones of these names.
FitResult train_linear(RowsView rows, TargetsView targets, const LinearOptions& options,
                       const Model* start, ThreadPool& pool, const Execution& execution);
FitResult train_mlp(RowsView rows, TargetsView targets, const MlpOptions& options,
                    const Model* start, ThreadPool& pool, const Execution& execution);
FitResult train_trees(RowsView rows, TargetsView targets, const TreeTrainingOptions& options,
                      ThreadPool& pool, const Execution& execution);
FitResult train_co_teaching(RowsView rows, const GivenLabels& labels,
                            const CoTeachingOptions& options, ThreadPool& pool,
                            const Execution& execution);

}  // namespace noiseplus
