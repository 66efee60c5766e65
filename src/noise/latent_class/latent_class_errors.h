// How far the rates of a latent class fit may be off by chance. Internal.
#pragma once

#include <optional>

#include "noise/latent_class/latent_class.h"
#include "noise/views/sharing.h"

namespace noiseplus {

// Keeps a cell that no view fell into from making an information matrix singular; a fraction of one
// view.
inline constexpr double little_information = 0.1;

struct RateErrors {
  std::size_t classes = 0;
  std::vector<double> variance;  // of each class's rate
  std::vector<double> alone;     // the same, had no two view sets a row in common
  // Of every two rates, K x K; empty where only their own variances are known.
  std::vector<double> covariance;
  std::vector<double> covariance_alone;

  double sharing = 0;           // ordered pairs of view sets that share a row
  double common_row_pairs = 0;  // as in PairCounts
  double rows = 0;              // distinct ones among the views

  // Of the difference of two rates.
  double variance_of(std::size_t a, std::size_t b) const;
  double variance_alone_of(std::size_t a, std::size_t b) const;
};

RateErrors errors_of(const LatentClassFit& fit, const ViewPatterns& patterns,
                     const NeighborGraph& graph, std::size_t rows, ThreadPool& pool,
                     const Execution& execution);

// Sums over view sets of products of their influences on the rate of each class: of a set with
// itself, and with all that share a row with it.
struct RateSums {
  std::vector<double> alone, dependent;
  double sharing = 0, common_row_pairs = 0;  // as in RateErrors
};

// For many classes, as influences_of_three has the influences; nullopt when the view sets may be of
// so many classes each that the influences take less time. A step of the meter for each of
// blocks_of(graph.size(), K * K) blocks and for each part of the hubs.
std::optional<RateSums> sums_of_many_classes(const LatentClassFit& fit,
                                             const ViewPatterns& patterns,
                                             const NeighborGraph& graph,
                                             const Occurrences& occurrences, const Hubs& hubs,
                                             ThreadPool& pool, ProgressMeter& meter);

// What each pattern adds to the error of the rate of classes begin .. end: at q * (end - begin) + i
// - begin. With all parameters of the model uncertain, for few classes; or only a class's prior,
// its rate, and how often others have its label.
std::vector<double> influences_of_all(const LatentClassFit& fit, const ViewPatterns& patterns,
                                      ThreadPool& pool);
std::vector<double> influences_of_three(const LatentClassFit& fit, const ViewPatterns& patterns,
                                        std::size_t begin, std::size_t end, ThreadPool& pool);

}  // namespace noiseplus
