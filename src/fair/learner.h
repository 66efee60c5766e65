// The weighted learner that plays against the constraint. Internal to the fair stage.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "fair/cells.h"
#include "learn/linear_trainer.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// How much the rows of a cell pull towards the negative and the positive class; may be below 0.
using CellWeights = std::vector<std::array<double, 2>>;

struct Classifier {
  Model model;
  PositiveCounts counts;
};

class WeightedLearner {
 public:
  // All of these must outlive it.
  WeightedLearner(RowsView rows, const Cells& cells, std::size_t positive,
                  const TrainOptions& options);

  // Starts from where the last call ended. Only the proportions of the weights matter. Throws as
  // `train` does.
  Classifier fit(const CellWeights& weights, const Execution& execution);

  // One answer for all rows.
  Classifier constant(bool is_positive) const;

 private:
  Targets targets_of(const CellWeights& weights) const;
  Training train(const Targets& targets, const Execution& execution);

  RowsView rows_;
  const Cells& cells_;
  std::size_t positive_;
  const TrainOptions& options_;
  std::optional<LinearTrainer> linear_;
  std::optional<Model> last_;
};

}  // namespace noiseplus
