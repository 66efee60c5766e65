// What the views of a row say of its hidden label. Internal.
#pragma once

#include <span>
#include <vector>

#include "noise/view_patterns.h"

namespace noiseplus {

// Bayes' rule for views, with the logarithms of prior and T taken once. Probabilities below `least`
// count as that.
class HiddenLabel {
 public:
  HiddenLabel(std::span<const double> prior, std::span<const double> transition, double least);

  // Classes that are possible, with their probabilities; those below 1e-15 are left out, which with
  // many classes is nearly all of them. Each thread needs its own.
  struct Posterior {
    std::vector<std::size_t> classes;
    std::vector<double> probabilities;
    double log_likelihood = 0;  // of the views, but for the multinomial factor
    std::vector<double> scores;
  };
  void find(std::span<const ViewPatterns::Entry> views, Posterior& posterior) const;

 private:
  std::vector<double> log_prior_;
  std::vector<double> log_transition_;  // transposed: all clean classes of a label side by side
};

}  // namespace noiseplus
