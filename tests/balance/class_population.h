// Exact agreements of K classes whose rows share their clean label with their neighbors.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "noiseplus/balance.h"

namespace noiseplus::testing_support {

// K x K: class c keeps 1 - rates[c] of its labels, the rest goes to all others alike.
inline std::vector<double> uniform_diagonal(std::span<const double> rates) {
  const std::size_t classes = rates.size();
  std::vector<double> matrix(classes * classes);
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = 0; j < classes; ++j) {
      matrix[i * classes + j] = i == j ? 1 - rates[i] : rates[i] / static_cast<double>(classes - 1);
    }
  }
  return matrix;
}

// P(clean i, label j) = prior[i] * transition[i][j].
struct ClassPopulation {
  std::vector<double> prior, transition;

  static ClassPopulation of(const std::vector<double>& rates) {
    const double share = 1 / static_cast<double>(rates.size());
    return {std::vector<double>(rates.size(), share), uniform_diagonal(rates)};
  }

  std::size_t classes() const { return prior.size(); }

  double label_share(std::size_t j) const {
    double share = 0;
    for (std::size_t i = 0; i < classes(); ++i) share += prior[i] * transition[i * classes() + j];
    return share;
  }

  // Resampled to equally frequent labels.
  ClassPopulation balanced() const {
    const std::size_t size = classes();
    ClassPopulation sample{std::vector<double>(size), transition};
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        double& joint = sample.transition[i * size + j];
        joint *= prior[i] / (label_share(j) * static_cast<double>(size));
        sample.prior[i] += joint;
      }
      for (std::size_t j = 0; j < size; ++j) sample.transition[i * size + j] /= sample.prior[i];
    }
    return sample;
  }

  ClassPopulation flipped(std::span<const double> epsilons) const {
    return {prior, FlipPlan{classes(), uniform_diagonal(epsilons)}.after(transition)};
  }

  // KA of each class.
  std::vector<double> agreements() const {
    std::vector<double> found(classes());
    for (std::size_t k = 0; k < classes(); ++k) {
      for (std::size_t i = 0; i < classes(); ++i) {
        const double kept = transition[i * classes() + k];
        found[k] += prior[i] * kept * kept * kept / label_share(k);
      }
    }
    return found;
  }

  // Lowest and highest share of its labels that a class keeps.
  std::pair<double, double> kept() const {
    std::pair<double, double> range{1, 0};
    for (std::size_t i = 0; i < classes(); ++i) {
      const double share = transition[i * classes() + i];
      range = {std::min(range.first, share), std::max(range.second, share)};
    }
    return range;
  }
  double spread() const { return kept().second - kept().first; }
};

}  // namespace noiseplus::testing_support
