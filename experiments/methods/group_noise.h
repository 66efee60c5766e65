// Table 4: labels of one group are noisier than those of the other; how accurate and how fair a
// model with equalized odds is, by clean test rows.
#pragma once

#include <utility>

#include "experiments/methods/cells.h"
#include "experiments/methods/fair_case.h"

namespace noiseplus {

// Accuracy and violation of the methods
//   * lr: constrained by the labels as given
//   * gpl: the same with group peer loss, told the true rates
//   * balanced-lr: groups balanced by auto's estimates, then constrained as `train --balance` does
//   * balanced-peer: the same with peer loss
//   * noise-aware-lr: constrained by clean labels, by way of the true rates
// and, beyond the paper's
//   * noise-aware-lr-estimated: by way of auto's; none where these are not identified
//   * unconstrained: labels as given, no constraint
//   * clean-lr: clean labels, constrained
// Rates are counted on rows unseen in training for all of them.
CellResult group_noise_cell(const FairSet& set, std::pair<double, double> rates, std::uint64_t seed,
                            const Execution& execution = {});

}  // namespace noiseplus
