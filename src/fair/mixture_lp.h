// The linear program that mixes the classifiers found so far: how often each of them answers.
// Internal to the fair stage.
#pragma once

#include <optional>
#include <vector>

namespace noiseplus {

// What the linear program needs to know of a classifier.
struct MixtureCandidate {
  double cost = 0;             // to be minimized
  std::vector<double> excess;  // each rate of each group minus that rate over all rows
};

struct BestMixture {
  std::vector<double> shares;  // one per candidate, at least 0, summing to 1; most are 0
  double cost = 0;
  // The dual solution. A new candidate improves the mixture if its cost + sum of prices * excess is
  // below `worth`. A price is positive where the mixture has the largest excess allowed, negative
  // where it has the smallest, and 0 elsewhere.
  std::vector<double> prices;
  double worth = 0;
};

// Minimizes the cost over all mixtures whose excesses are within [-tolerance, tolerance], up to a
// rounding error of 1e-10 times the largest size of the same excess among the candidates (or 1).
// Shares below 1e-7 are then left out where no excess is beyond the tolerance by more than 1e-6
// without them.
//
// Returns nothing when there is no such mixture (also for no candidates), or when rounding errors
// keep the solver from an answer within its iteration limit, which has not been seen. Throws usage
// unless all numbers are finite, the tolerance is at least 0, and all candidates have equally many
// excesses. Deterministic: additions, multiplications, divisions and comparisons in a fixed order.
// Each iteration takes O(k^3 + k * (candidates + excesses)), with k at most
// min(candidates, excesses + 1); there are about as many iterations as active constraints.
std::optional<BestMixture> best_mixture(const std::vector<MixtureCandidate>& candidates,
                                        double tolerance);

}  // namespace noiseplus
