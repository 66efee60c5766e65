#include "noiseplus/noise.h"

namespace noiseplus {

NoiseEstimate estimate_by_confident_learning(RowsView rows, const GivenLabels& labels,
                                             const FoldOptions& options,
                                             const Execution& execution) {
  const Matrix shares = out_of_sample_probabilities(rows, labels, options, execution);
  return estimate_from_probabilities(shares.view(), labels.codes, options.class_names);
}

}  // namespace noiseplus
