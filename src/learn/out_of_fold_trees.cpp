#include <algorithm>

#include "core/checks.h"
#include "core/portable_math.h"
#include "core/row_count.h"
#include "learn/checks.h"
#include "learn/tree_booster.h"

namespace noiseplus {
namespace {

constexpr double max_score = 8;

// Rows are stored fold by fold: what a fold trains on is then all but one stretch.
struct FoldOrder {
  std::vector<std::size_t> begins;     // of each fold, and the end of the last
  std::vector<std::uint32_t> place;    // of each row
  std::vector<std::uint32_t> row_ids;  // the inverse
};

FoldOrder order_by_fold(const std::vector<std::int32_t>& fold_of, std::size_t folds) {
  FoldOrder order{std::vector<std::size_t>(folds + 1), std::vector<std::uint32_t>(fold_of.size()),
                  std::vector<std::uint32_t>(fold_of.size())};
  for (const std::int32_t fold : fold_of) ++order.begins[static_cast<std::size_t>(fold) + 1];
  for (std::size_t f = 0; f < folds; ++f) order.begins[f + 1] += order.begins[f];
  std::vector<std::size_t> next = order.begins;
  for (std::size_t n = 0; n < fold_of.size(); ++n) {
    const std::size_t at = next[static_cast<std::size_t>(fold_of[n])]++;
    order.place[n] = static_cast<std::uint32_t>(at);
    order.row_ids[at] = static_cast<std::uint32_t>(n);
  }
  return order;
}

void set_labels(TreeProblem& problem, const LabelTargets& targets) {
  const std::size_t rows = problem.row_ids.size();
  problem.labels.resize(rows);
  problem.weights.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint32_t n = problem.row_ids[i];
    problem.labels[i] = static_cast<float>(targets.codes[n]);
    problem.weights[i] = targets.weights[n];
  }
  problem.max_weight = *std::max_element(problem.weights.begin(), problem.weights.end());
}

}  // namespace

Matrix out_of_fold_tree_probabilities(RowsView rows, const GivenLabels& labels,
                                      const FoldOptions& folds, const TreeOptions& options,
                                      const Execution& execution) {
  check_tree_options(options);
  const LabelTargets targets = folds.transition.empty()
                                   ? label_targets(labels)
                                   : forward_label_targets(labels, folds.transition);
  check_that(labels.classes == 2, "boosted trees need two classes");
  check_targets(rows, targets);
  check_row_count(rows.rows);
  FoldOrder order = order_by_fold(
      stratified_folds(labels, folds.folds, folds.seed, folds.class_names), folds.folds);

  TreeProblem problem;
  problem.options = options;
  problem.seed = folds.seed;
  problem.row_ids = std::move(order.row_ids);
  set_labels(problem, targets);
  if (!folds.transition.empty()) {
    problem.negative_noise = folds.transition[1];
    problem.signal = folds.transition[3] - folds.transition[1];
  }
  ThreadPool pool(execution.threads);
  const auto trees = static_cast<std::size_t>(options.trees);
  ProgressMeter meter(execution, "scoring", rows.columns + folds.folds * trees);
  problem.binned = bin_rows(rows, order.place, options.max_bins, folds.seed, pool, meter);

  Matrix result(rows.rows, 2);
  pool.for_each(folds.folds, [&](std::size_t fold) {
    const std::size_t begin = order.begins[fold], end = order.begins[fold + 1];
    TreeBooster booster(problem, fold, begin, end);
    for (std::size_t t = 0; t < trees; ++t) booster.add_trees(meter);
    for (std::size_t i = begin; i < end; ++i) {
      const double score = std::clamp(booster.scores()[i], -max_score, max_score);
      float* const row = result.row(problem.row_ids[i]);
      row[1] = static_cast<float>(sigmoid(score));
      row[0] = 1 - row[1];
    }
  });
  return result;
}

}  // namespace noiseplus
