// Tables 1 and 2: labels of some classes are noisier than those of others; which way of training
// makes the most of them, by clean test rows.
#pragma once

#include "experiments/methods/cells.h"
#include "noiseplus/learn.h"

namespace noiseplus {

struct ClassNoiseCase {
  const KnownRows& training;  // with its graph
  const KnownRows& test;
  std::vector<std::int32_t> given;  // labels of the training rows
  std::vector<double> transition;   // the true one: of mis-sl and the oracle's flip
  TrainOptions train;               // the model, alike for all methods
  double gamma = 0.001;             // of the paper's search
  std::uint64_t seed = 0;           // of flips, folds and networks
};

// Accuracy of the methods
//   * mis-sl: backward correction with a random matrix of the true one's trace
//   * est-sl: the same with the matrix of confident learning
//   * ce, peer: labels as given; peer loss with alpha by accuracy on noisy labels held out
//   * paper-ce, paper-peer: after the paper's search; classes whose search is unsuccessful stay as
//     they are
//   * balanced-ce, balanced-peer: after the closed form by auto's estimate, claimed or not; labels
//     as they are where it is not identified
//   * oracle-ce: after the closed form by the true matrix
//   * clean-ce: clean labels
// and, beyond the paper's
//   * rebalanced-ce: after the paper's search with its sample drawn again after each flip
//   * auto-sl: backward correction with auto's matrix
// A method that is impossible on these labels has no value.
CellResult class_noise_cell(const ClassNoiseCase& one, const Execution& execution = {});

}  // namespace noiseplus
