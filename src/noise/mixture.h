// Mixtures of binomials fitted to a histogram of counts. Internal.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

namespace noiseplus {

// Atoms in the order of their positions.
struct BinomialMixture {
  std::size_t trials = 0;
  std::vector<double> positions, weights;

  // Atoms x (trials + 1): weight times probability of each count.
  Eigen::MatrixXd parts() const;

  // Of one count: the slope of its log likelihood in the positions and then in all weights but the
  // last, which is what the others leave. (2 atoms - 1) x (trials + 1).
  Eigen::MatrixXd slopes() const;
};

// By EM from atoms spread evenly. `histogram` has trials + 1 cells, of any total.
BinomialMixture fit_mixture(std::span<const double> histogram, std::size_t atoms);

// Mean over the histogram, up to a constant.
double mean_log_likelihood(const BinomialMixture& mixture, std::span<const double> histogram);

}  // namespace noiseplus
