// Exact probabilities of views, for tests that need no sample.
#pragma once

#include <cmath>
#include <vector>

namespace noiseplus::testing_support {

// P(label y, c of k neighbors positive), in the layout of ViewCounts, for clean prior p.
inline std::vector<double> exact_shares(double p, double e_positive, double e_negative,
                                        std::size_t k) {
  std::vector<double> shares(2 * (k + 1));
  double ways = 1;
  for (std::size_t c = 0; c <= k; ++c) {
    for (const auto& [prior, one] : {std::pair{p, 1 - e_positive}, std::pair{1 - p, e_negative}}) {
      const double neighbors = ways * std::pow(one, static_cast<double>(c)) *
                               std::pow(1 - one, static_cast<double>(k - c));
      shares[c] += prior * (1 - one) * neighbors;
      shares[(k + 1) + c] += prior * one * neighbors;
    }
    ways *= static_cast<double>(k - c) / static_cast<double>(c + 1);
  }
  return shares;
}

// What resampling to equally frequent *noisy* labels does to prior and rates.
struct Population {
  double p, e_positive, e_negative;

  Population balanced() const {
    const double q = p * (1 - e_positive) + (1 - p) * e_negative;
    const double to_one = p * (1 - e_positive) / (2 * q);
    const double to_zero = p * e_positive / (2 * (1 - q));
    const double p_new = to_one + to_zero;
    return {p_new, to_zero / p_new, (1 - p) * e_negative / (2 * q) / (1 - p_new)};
  }
  Population flipped(int label, double epsilon) const {
    if (label == 1) {
      return {p, e_positive + (1 - e_positive) * epsilon, e_negative * (1 - epsilon)};
    }
    return {p, e_positive * (1 - epsilon), e_negative + (1 - e_negative) * epsilon};
  }
  std::vector<double> shares(std::size_t k) const {
    return exact_shares(p, e_positive, e_negative, k);
  }
};

}  // namespace noiseplus::testing_support
