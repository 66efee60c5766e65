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
  WeightedLearner(RowsView rows, const Cells& cells, const FairOptions& fair,
                  const TrainOptions& options);

  // Starts from where the last call ended. Only the proportions of the weights matter. Throws as
  // `train` does.
  Classifier fit(const CellWeights& weights, const Execution& execution);

  // One answer for all rows.
  Classifier constant(bool is_positive) const;

 private:
  // Rows whose answers are counted by a model that was not trained on them.
  struct Fold {
    std::vector<std::uint32_t> rows;
    Matrix values;
    std::optional<Model> last;
  };

  Targets targets_of(const CellWeights& weights) const;
  Model train(const Targets& targets, std::optional<Model>& last, const Execution& execution);
  std::vector<std::int32_t> unseen_answers(const Targets& targets, const Execution& execution);

  RowsView rows_;
  const Cells& cells_;
  std::size_t positive_;
  const TrainOptions& options_;
  std::optional<LinearTrainer> linear_;
  std::optional<Model> last_;
  std::vector<Fold> folds_;  // none: rows are counted by the model trained on them
};

}  // namespace noiseplus
