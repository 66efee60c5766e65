// The weighted learner that plays against the constraint. Internal to the fair stage.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "fair/cells.h"
#include "learn/trainers.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// How much the rows of a cell pull towards the negative and the positive class; may be below 0.
using CellWeights = std::vector<std::array<double, 2>>;

struct Classifier {
  Model model;
  PositiveCounts counts;  // as FairOptions::folds says
};

class WeightedLearner {
 public:
  // All of these must outlive it.
  WeightedLearner(RowsView rows, const Cells& cells, const FairOptions& fair,
                  const TrainOptions& options, ThreadPool& pool);

  // Starts from the model of an earlier call, the one with the weights most like these. Only the
  // proportions of the weights matter. Throws as `train` does.
  Classifier fit(const CellWeights& weights, const Execution& execution);

  // One answer for all rows.
  Classifier constant(bool is_positive) const;

 private:
  struct Lesson {
    std::vector<double> pulls;  // of each cell towards the positive class
    Model model;
  };

  // Rows whose answers are counted by models that were not trained on them. A model of all rows
  // would be a poor start for these: it remembers.
  struct Fold {
    std::vector<std::uint32_t> rows;
    Matrix values;
    std::vector<Lesson> lessons;
  };

  void make_folds(std::size_t count);
  CellWeights scaled(CellWeights weights) const;  // to a mean of 1 a row
  Targets targets_of(const CellWeights& weights) const;
  const Model* nearest(const std::vector<Lesson>& lessons, const std::vector<double>& pulls) const;
  // Adds a lesson, whose model is the result.
  const Model& train(const Targets& targets, const std::vector<double>& pulls,
                     std::vector<Lesson>& lessons, const Execution& execution);
  // A round trains a model and one more for each fold.
  Execution part_of_round(std::size_t trained, const Execution& execution) const;
  std::vector<std::int32_t> unseen_answers(const Targets& targets, const std::vector<double>& pulls,
                                           const Execution& execution);

  RowsView rows_;
  const Cells& cells_;
  std::size_t positive_;
  const TrainOptions& options_;
  ThreadPool& pool_;
  std::optional<LinearTrainer> linear_;
  std::vector<Lesson> lessons_;
  std::vector<Fold> folds_;  // none: rows are counted by the model trained on them
};

}  // namespace noiseplus
