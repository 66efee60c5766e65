// The linear programme at the end of the game: which of the classifiers found to answer how often.
// Internal to the fair stage.
#pragma once

#include <optional>
#include <vector>

namespace noiseplus {

// A classifier, as far as the programme is concerned.
struct MixtureCandidate {
  double cost = 0;             // what is to be small
  std::vector<double> excess;  // each rate of each group, minus that of all rows
};

struct BestMixture {
  std::vector<double> shares;  // one a candidate; most are 0
  double cost = 0;
  // What each excess costs. A new candidate with a lower cost + sum of prices * excess than `worth`
  // improves the mixture.
  std::vector<double> prices;
  double worth = 0;
};

// Minimises the cost over all mixtures none of whose excesses is further from 0 than the tolerance.
// Nothing when there is no such mixture.
std::optional<BestMixture> best_mixture(const std::vector<MixtureCandidate>& candidates,
                                        double tolerance);

}  // namespace noiseplus
