// Mixtures of binomials fitted to a histogram of counts. Internal.
#pragma once

#include <span>
#include <vector>

#include "core/eigen.h"

namespace noiseplus {

// Atoms in the order of their positions.
struct BinomialMixture {
  std::size_t trials = 0;
  std::vector<double> positions, weights;

  // Atoms x (trials + 1): the probability of each atom given a count. Columns sum to 1, even where
  // the count itself is so improbable that no double could hold its probability.
  Eigen::MatrixXd shares() const;

  // log P(count), trials + 1 of them.
  Eigen::RowVectorXd log_probabilities() const;

  // Of one count: the slope of its log likelihood in the positions and then in all weights but the
  // last, which is what the others leave. (2 atoms - 1) x (trials + 1).
  Eigen::MatrixXd slopes() const;
};

// By EM from atoms spread evenly. `histogram` has trials + 1 cells, of any total.
BinomialMixture fit_mixture(std::span<const double> histogram, std::size_t atoms);

// Mean of log P(count) over the histogram.
double mean_log_likelihood(const BinomialMixture& mixture, std::span<const double> histogram);

}  // namespace noiseplus
