#include <algorithm>
#include <cmath>

#include "learn/checks.h"
#include "learn/held_out.h"
#include "learn/layers.h"
#include "learn/trainers.h"

namespace noiseplus {

Matrix out_of_sample_probabilities(RowsView rows, const GivenLabels& labels,
                                   const FoldOptions& options, const Execution& execution) {
  const LabelTargets all = options.transition.empty()
                               ? label_targets(labels)
                               : forward_label_targets(labels, options.transition);
  check_targets(rows, all);
  const std::vector<std::int32_t> folds =
      stratified_folds(labels, options.folds, options.seed, options.class_names);
  ThreadPool pool(execution.threads);
  LinearTrainer trainer(rows, pool);
  Matrix result(rows.rows, labels.classes);
  // Each fold starts from zero: the model of another fold has seen the labels of this one, and of
  // wide rows it would remember them, because little pulls such weights back.
  for (std::size_t f = 0; f < options.folds; ++f) {
    const auto share = static_cast<double>(options.folds);
    const Execution part = part_of(execution, "scoring", static_cast<double>(f) / share,
                                   static_cast<double>(f + 1) / share);
    const std::vector<std::uint32_t> held = rows_of_fold(folds, static_cast<std::int32_t>(f));
    LabelTargets targets = all;
    hold_out(targets, held, labels);
    const FitResult training = trainer.fit(targets, options.linear, nullptr, part);
    const Matrix found =
        probabilities_or_nan(training.model, gather(trainer.rows(), held).view(), pool);
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (std::isnan(found.row(i)[0])) throw overflow_error(training.model, held[i]);
      std::copy_n(found.row(i), labels.classes, result.row(held[i]));
    }
  }
  return result;
}

}  // namespace noiseplus
