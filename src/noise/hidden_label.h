// What the views of a row say of its hidden label. Internal.
#pragma once

#include <cstdint>
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
    double log_likelihood = 0;   // of the views, but for the multinomial factor
    std::vector<double> scores;  // of `candidates`
    std::vector<std::size_t> candidates;
    std::vector<ViewPatterns::Entry> by_count;  // the views, most frequent label first
  };
  void find(std::span<const ViewPatterns::Entry> views, Posterior& posterior) const;

 private:
  using Views = std::span<const ViewPatterns::Entry>;

  void list_candidates();
  void list_likely_classes(std::span<const double> transition, double least);
  void expand(std::size_t label, Posterior& posterior) const;
  void find_candidates(Views views, Posterior& posterior) const;
  void score(Views views, Posterior& posterior) const;

  std::vector<double> log_prior_;
  std::vector<double> log_transition_;  // transposed: all clean classes of a label side by side

  // With many classes, for each label the clean classes that most often have it, and the highest
  // logarithm among all others: few rows need a look at more. Empty with few classes.
  std::vector<std::size_t> candidates_;
  std::vector<double> highest_other_;
  double highest_prior_ = 0;

  // For the rows that do: the clean classes of each label whose probability is above `least`, at
  // likely_first_[label] and on. All others have log_least_.
  std::vector<std::size_t> likely_first_;
  std::vector<std::uint32_t> likely_;
  double log_least_ = 0;
};

}  // namespace noiseplus
