#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/checks.h"
#include "core/eigen_solvers.h"
#include "core/intervals.h"
#include "core/portable_math.h"
#include "noise/overlap/mixture.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

// About how many view sets with no row in common would tell as much: two sets that share m of their
// rows correlate by m / (k + 1).
double independent_sets(const NeighborGraph& graph, std::size_t rows) {
  std::vector<double> occurrences(rows);
  for (const std::uint32_t anchor : graph.anchors) ++occurrences[anchor];
  for (const std::uint32_t id : graph.ids) ++occurrences[id];
  double squares = 0;
  for (const double count : occurrences) squares += count * count;
  const auto sets = static_cast<double>(graph.size());
  return std::min(sets, sets * sets * static_cast<double>(graph.k + 1) / squares);
}

// Positives among the k + 1 views.
std::vector<double> histogram_of(const ViewCounts& views) {
  std::vector<double> histogram(views.k + 2);
  for (std::size_t cell = 0; cell < views.cells.size(); ++cell) {
    histogram[cell / (views.k + 1) + cell % (views.k + 1)] +=
        static_cast<double>(views.cells[cell]);
  }
  return histogram;
}

// By BIC, with the number of sets that are independent in place of all: otherwise what view sets
// repeat of each other would be taken for structure.
BinomialMixture choose_mixture(std::span<const double> histogram, double sets,
                               std::size_t max_atoms) {
  constexpr int max_worse = 2;  // in a row, before larger mixtures are given up
  BinomialMixture best;
  double lowest = 0;
  int worse = 0;
  for (std::size_t atoms = 2; atoms <= max_atoms && worse < max_worse; ++atoms) {
    BinomialMixture mixture = fit_mixture(histogram, atoms);
    const double criterion = -2 * sets * mean_log_likelihood(mixture, histogram) +
                             static_cast<double>(2 * atoms - 1) * portable::log(sets);
    ++worse;
    if (best.positions.empty() || criterion < lowest) {
      best = std::move(mixture);
      lowest = criterion;
      worse = 0;
    }
  }
  return best;
}

// Of the positions and weights: Fisher's information, and how view sets that share rows vary
// together (see errors_of).
Eigen::MatrixXd covariance(const BinomialMixture& mixture, const PairCounts& pairs, double sets) {
  const Eigen::MatrixXd slopes = mixture.slopes();
  const Eigen::RowVectorXd shares =
      mixture.log_probabilities().unaryExpr([](double log) { return portable::exp(log); });
  const Eigen::MatrixXd information = sets * slopes * shares.asDiagonal() * slopes.transpose();
  const std::size_t width = 2 * (pairs.k + 1);
  Eigen::MatrixXd together = Eigen::MatrixXd::Zero(slopes.cols(), slopes.cols());
  const auto positives = [&](std::size_t cell) {
    return static_cast<Eigen::Index>(cell / (pairs.k + 1) + cell % (pairs.k + 1));
  };
  for (std::size_t u = 0; u < width; ++u) {
    for (std::size_t v = 0; v < width; ++v) {
      together(positives(u), positives(v)) += static_cast<double>(pairs.cells[u * width + v]);
    }
  }
  const Eigen::MatrixXd bread = information.completeOrthogonalDecomposition().pseudoInverse();
  const Eigen::MatrixXd spread = slopes * together * slopes.transpose();
  const Eigen::MatrixXd robust = bread * spread * bread.transpose();
  // Sums over pairs can come out below what independent sets would have, by chance.
  return robust.diagonal().minCoeff() > 0 ? robust : bread;
}

// The outermost atoms that carry real weight.
struct Edges {
  std::size_t low = 0, high = 0;
};

Edges edges_of(const BinomialMixture& mixture, double min_weight) {
  Edges edges;
  const auto& weights = mixture.weights;
  edges.high = weights.size() - 1;
  while (edges.low < edges.high && weights[edges.low] < min_weight) ++edges.low;
  while (edges.high > edges.low && weights[edges.high] < min_weight) --edges.high;
  return edges;
}

// No narrower than if the atom's rows had been counted one by one, which also serves a rate of 0.
EstimateWithInterval rate_interval(double rate, double error, double rows) {
  const EstimateWithInterval counted = wilson_interval(rate * rows, rows);
  return {rate, std::max(0.0, std::min(counted.low, rate - usual_quantile * error)),
          std::min(1.0, std::max(counted.high, rate + usual_quantile * error))};
}

void compare(double signed_gap, double error, NoiseEstimate& estimate) {
  const double gap = std::abs(signed_gap);
  estimate.gap = {gap, std::max(gap - usual_quantile * error, -1.0),
                  std::min(gap + usual_quantile * error, 1.0)};
  if (error > 0) estimate.p_value = portable::erfc(gap / error / std::numbers::sqrt2);
  if (estimate.identified && estimate.p_value < significance) {
    estimate.leans = noisiest_class(estimate);
  }
}

void judge(const BinomialMixture& mixture, const Edges& edges, NoiseEstimate& estimate) {
  const double low = mixture.positions[edges.low], high = mixture.positions[edges.high];
  estimate.identified = edges.low < edges.high && low < .5 && high > .5;
  if (!estimate.identified) {
    estimate.warnings.emplace_back(
        "not identified: the labels of neighboring rows do not fall into two kinds, mostly the "
        "one or mostly the other class; the rates are not to be relied on");
  }
  estimate.warnings.emplace_back(
      "the rates are the least mixed kinds of neighborhood found; where none is pure they are too "
      "high, which the intervals do not cover");
}

}  // namespace

NoiseEstimate estimate_by_overlap(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                                  std::span<const std::string> class_names,
                                  const OverlapOptions& options, const Execution& execution) {
  if (class_names.size() != 2) throw Error(ErrorKind::usage, "overlap is for two classes");
  if (graph.k < 3 || graph.size() == 0) {
    throw Error(ErrorKind::usage, "overlap: k must be 3 or more; 30 is usual");
  }
  if (options.max_atoms < 2) throw Error(ErrorKind::usage, "overlap: atoms must be 2 or more");
  check_number(options.min_weight, 0, 1, "the least weight of an atom");
  check_codes(codes, 2);
  const ViewCounts views = count_views(graph, codes, 1);
  const PairCounts pairs = count_pairs(graph, codes, 1, execution);
  const std::vector<double> histogram = histogram_of(views);
  const auto sets = static_cast<double>(graph.size());
  // As many positions and weights as a histogram of k + 2 cells can tell.
  const std::size_t max_atoms = std::min(options.max_atoms, (graph.k + 2) / 2);
  const BinomialMixture mixture =
      choose_mixture(histogram, independent_sets(graph, codes.size()), max_atoms);
  const Edges edges = edges_of(mixture, options.min_weight);
  const double e_negative = mixture.positions[edges.low];
  const double e_positive = 1 - mixture.positions[edges.high];

  NoiseEstimate estimate;
  estimate.estimator = "overlap";
  estimate.transition = {1 - e_negative, e_negative, e_positive, 1 - e_positive};
  const std::vector<double> shares = label_shares(codes, 2);
  estimate.prior = prior_behind(estimate.transition, shares);
  if (estimate.prior.empty()) estimate.prior = shares;
  const Eigen::MatrixXd errors = covariance(mixture, pairs, sets);
  const auto low = static_cast<Eigen::Index>(edges.low),
             high = static_cast<Eigen::Index>(edges.high);
  estimate.noise = {
      rate_interval(e_negative, std::sqrt(errors(low, low)), mixture.weights[edges.low] * sets),
      rate_interval(e_positive, std::sqrt(errors(high, high)), mixture.weights[edges.high] * sets)};
  judge(mixture, edges, estimate);
  fill_two_class_terms(estimate);
  const double variance = errors(low, low) + errors(high, high) + 2 * errors(low, high);
  compare(e_positive - e_negative, std::sqrt(std::max(variance, 0.0)), estimate);
  widen_narrow_intervals(estimate, graph.size());
  return estimate;
}

}  // namespace noiseplus
