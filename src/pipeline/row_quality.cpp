#include "pipeline/row_quality.h"

#include "noise/scores.h"
#include "pipeline/shrunk_rates.h"

namespace noiseplus {

LabelQuality judge_rows(const JudgedRows& rows, NoiseEstimator& evidence,
                        const Execution& execution) {
  // Where neighbors share their clean label, rates are known well enough to judge rows by.
  const bool shrinks = rows.probabilities.rows != 0 && rows.mode == "overlap";
  const NoiseEstimate estimate = shrinks ? shrink_rates(rows.estimate, rows.codes) : rows.estimate;
  Matrix posterior;
  if (shrinks && !rows.has_features && rows.probabilities.columns == 2) {
    posterior = posterior_behind(rows.probabilities, estimate);
  }
  const MatrixView used = posterior.rows() != 0 ? posterior.view() : evidence.posterior().view();
  LabelQuality quality = label_quality(used, estimate, rows.codes, execution);
  // Where classes overlap, the probabilities order the rows well and are off by more than this
  // field promises (docs/estimators.md).
  constexpr double max_mixed = .1;
  quality.is_calibrated = rows.estimate.identified && shape_of(used).mixed <= max_mixed;
  return quality;
}

}  // namespace noiseplus
