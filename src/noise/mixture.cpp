#include "noise/mixture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace noiseplus {
namespace {

// Keeps powers of a position and of what it leaves to 1 within a double.
constexpr double smallest_position = 1e-6;
constexpr double smallest_weight = 1e-12;

constexpr int most_steps = 20000;
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

// Moves the atoms once; the largest change.
double step(std::span<const double> histogram, double total, BinomialMixture& mixture) {
  const Eigen::MatrixXd parts = mixture.parts();
  const Eigen::RowVectorXd sums = parts.colwise().sum();
  double change = 0;
  for (std::size_t a = 0; a < mixture.positions.size(); ++a) {
    double weight = 0, count = 0;
    for (std::size_t c = 0; c < histogram.size(); ++c) {
      const auto cell = static_cast<Eigen::Index>(c);
      if (!(histogram[c] > 0) || !(sums[cell] > 0)) continue;
      const double share = histogram[c] * parts(static_cast<Eigen::Index>(a), cell) / sums[cell];
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

Eigen::MatrixXd BinomialMixture::parts() const {
  Eigen::MatrixXd parts(static_cast<Eigen::Index>(positions.size()),
                        static_cast<Eigen::Index>(trials + 1));
  for (std::size_t a = 0; a < positions.size(); ++a) {
    const double odds = positions[a] / (1 - positions[a]);
    double part = weights[a] * std::pow(1 - positions[a], static_cast<double>(trials));
    for (std::size_t c = 0; c <= trials; ++c) {
      parts(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(c)) = part;
      part *= odds * static_cast<double>(trials - c) / static_cast<double>(c + 1);
    }
  }
  return parts;
}

Eigen::MatrixXd BinomialMixture::slopes() const {
  const Eigen::MatrixXd all = parts();
  const Eigen::RowVectorXd sums = all.colwise().sum();
  const auto atoms = static_cast<Eigen::Index>(positions.size());
  Eigen::MatrixXd slopes(2 * atoms - 1, all.cols());
  for (Eigen::Index c = 0; c < all.cols(); ++c) {
    const double last = all(atoms - 1, c) / sums[c] / weights.back();
    for (Eigen::Index a = 0; a < atoms; ++a) {
      const double position = positions[static_cast<std::size_t>(a)];
      const double share = all(a, c) / sums[c];
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
  for (int i = 0; i < most_steps && step(histogram, total, mixture) > smallest_change; ++i) {
  }
  sort_atoms(mixture);
  return mixture;
}

double mean_log_likelihood(const BinomialMixture& mixture, std::span<const double> histogram) {
  const Eigen::RowVectorXd sums = mixture.parts().colwise().sum();
  double sum = 0, total = 0;
  for (std::size_t c = 0; c < histogram.size(); ++c) {
    if (!(histogram[c] > 0)) continue;
    sum += histogram[c] * std::log(std::max(sums[static_cast<Eigen::Index>(c)], 1e-300));
    total += histogram[c];
  }
  return sum / total;
}

}  // namespace noiseplus
