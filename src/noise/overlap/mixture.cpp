#include "noise/overlap/mixture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/portable_math.h"
#include "core/principal.h"

namespace noiseplus {
namespace {

// Keeps the logarithms of a position and of what it leaves to 1 finite.
constexpr double smallest_position = 1e-6;
constexpr double smallest_weight = 1e-12;

constexpr int max_steps = 20000;
constexpr double smallest_change = 1e-9;  // of a position or a weight in one step

void sort_atoms(BinomialMixture& mixture) {
  std::vector<std::size_t> order(mixture.positions.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return mixture.positions[a] < mixture.positions[b];
  });
  const BinomialMixture before = mixture;
  for (std::size_t i = 0; i < order.size(); ++i) {
    mixture.positions[i] = before.positions[order[i]];
    mixture.weights[i] = before.weights[order[i]];
  }
}

// Of each count: how probable the atoms are given it, and log P(count) but for the binomial
// coefficient, which all atoms have in common. In logarithms, because the powers of a position
// leave the range of doubles from some 50 trials on.
struct AtomShares {
  RowMajor shares;  // atoms x (trials + 1)
  std::vector<double> log_sums;
};

AtomShares posterior_of(const BinomialMixture& mixture, bool with_log_sums) {
  const std::size_t cells = mixture.trials + 1;
  AtomShares posterior{RowMajor(index(mixture.positions.size()), index(cells)), {}};
  std::vector<double> highest(cells, -std::numeric_limits<double>::infinity()), sums(cells);
  for (std::size_t a = 0; a < mixture.positions.size(); ++a) {
    const double log_left = portable::log1p(-mixture.positions[a]);
    const double log_odds = portable::log(mixture.positions[a]) - log_left;
    const double first =
        portable::log(mixture.weights[a]) + static_cast<double>(mixture.trials) * log_left;
    double* const logs = posterior.shares.row(index(a)).data();
    for (std::size_t c = 0; c < cells; ++c) {
      logs[c] = first + static_cast<double>(c) * log_odds;
      highest[c] = std::max(highest[c], logs[c]);
    }
  }
  for (Eigen::Index a = 0; a < posterior.shares.rows(); ++a) {
    double* const shares = posterior.shares.row(a).data();
    for (std::size_t c = 0; c < cells; ++c) {
      sums[c] += shares[c] = vector_exp(shares[c] - highest[c]);
    }
  }
  for (Eigen::Index a = 0; a < posterior.shares.rows(); ++a) {
    double* const shares = posterior.shares.row(a).data();
    for (std::size_t c = 0; c < cells; ++c) shares[c] /= sums[c];
  }
  if (!with_log_sums) return posterior;
  for (std::size_t c = 0; c < cells; ++c) {
    posterior.log_sums.push_back(highest[c] + portable::log(sums[c]));
  }
  return posterior;
}

// Moves the atoms once; the largest change.
double step(std::span<const double> histogram, double total, BinomialMixture& mixture) {
  const AtomShares posterior = posterior_of(mixture, false);
  double change = 0;
  for (std::size_t a = 0; a < mixture.positions.size(); ++a) {
    const double* const shares = posterior.shares.row(index(a)).data();
    double weight = 0, count = 0;
    for (std::size_t c = 0; c < histogram.size(); ++c) {
      const double share = histogram[c] * shares[c];
      weight += share;
      count += share * static_cast<double>(c);
    }
    const double position = weight > 0
                                ? std::clamp(count / weight / static_cast<double>(mixture.trials),
                                             smallest_position, 1 - smallest_position)
                                : mixture.positions[a];
    weight = std::max(weight / total, smallest_weight);
    change = std::max(
        {change, std::abs(position - mixture.positions[a]), std::abs(weight - mixture.weights[a])});
    mixture.positions[a] = position;
    mixture.weights[a] = weight;
  }
  return change;
}

}  // namespace

Eigen::MatrixXd BinomialMixture::shares() const {
  return posterior_of(*this, false).shares;
}

Eigen::RowVectorXd BinomialMixture::log_probabilities() const {
  const AtomShares posterior = posterior_of(*this, true);
  Eigen::RowVectorXd logs(index(trials + 1));
  double log_choices = 0;  // of the binomial coefficient
  for (std::size_t c = 0; c <= trials; ++c) {
    logs[index(c)] = posterior.log_sums[c] + log_choices;
    if (c < trials) {
      log_choices += portable::log(static_cast<double>(trials - c) / static_cast<double>(c + 1));
    }
  }
  return logs;
}

Eigen::MatrixXd BinomialMixture::slopes() const {
  const Eigen::MatrixXd all = shares();
  const auto atoms = static_cast<Eigen::Index>(positions.size());
  Eigen::MatrixXd slopes(2 * atoms - 1, all.cols());
  for (Eigen::Index c = 0; c < all.cols(); ++c) {
    const double last = all(atoms - 1, c) / weights.back();
    for (Eigen::Index a = 0; a < atoms; ++a) {
      const double position = positions[static_cast<std::size_t>(a)];
      const double share = all(a, c);
      slopes(a, c) = share * (static_cast<double>(c) - static_cast<double>(trials) * position) /
                     (position * (1 - position));
      if (a + 1 < atoms) {
        slopes(atoms + a, c) = share / weights[static_cast<std::size_t>(a)] - last;
      }
    }
  }
  return slopes;
}

BinomialMixture fit_mixture(std::span<const double> histogram, std::size_t atoms) {
  BinomialMixture mixture;
  mixture.trials = histogram.size() - 1;
  for (std::size_t a = 0; a < atoms; ++a) {
    mixture.positions.push_back((static_cast<double>(a) + .5) / static_cast<double>(atoms));
    mixture.weights.push_back(1 / static_cast<double>(atoms));
  }
  const double total = std::accumulate(histogram.begin(), histogram.end(), 0.0);
  for (int i = 0; i < max_steps && step(histogram, total, mixture) > smallest_change; ++i) {
  }
  sort_atoms(mixture);
  return mixture;
}

double mean_log_likelihood(const BinomialMixture& mixture, std::span<const double> histogram) {
  const Eigen::RowVectorXd logs = mixture.log_probabilities();
  double sum = 0, total = 0;
  for (std::size_t c = 0; c < histogram.size(); ++c) {
    if (!(histogram[c] > 0)) continue;
    sum += histogram[c] * logs[index(c)];
    total += histogram[c];
  }
  return sum / total;
}

}  // namespace noiseplus
