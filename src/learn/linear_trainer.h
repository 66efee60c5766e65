// Trains linear models on the same rows again and again: what depends on the rows alone is found
// once. Internal to the library.
#pragma once

#include <optional>

#include "core/thread_pool.h"
#include "learn/curvature.h"
#include "noiseplus/learn.h"

namespace noiseplus {

class LinearTrainer {
 public:
  LinearTrainer(RowsView rows, unsigned threads);

  // As train_linear.
  FitResult fit(const Targets& targets, const LinearOptions& options, const Model* start,
                const Execution& execution);

  MatrixView rows() const { return rows_; }

 private:
  Matrix buffer_, centred_buffer_;
  MatrixView rows_;
  std::vector<float> offsets_;  // subtracted from the columns, when not empty
  MatrixView centred_;
  ThreadPool pool_;
  std::optional<Curvature> curvature_;
};

}  // namespace noiseplus
