// What the views of a row say of its hidden label. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "noise/views/view_patterns.h"

namespace noiseplus {

// Bayes' rule for views, with the logarithms of prior and T taken once. Probabilities below `least`
// count as that.
class HiddenLabel {
 public:
  using View = ViewPatterns::Entry;
  using Views = std::span<const View>;

  HiddenLabel(std::span<const double> prior, std::span<const double> transition, double least);

  // Classes that are possible, with their probabilities; those below 1e-15 are left out, which with
  // many classes is nearly all of them. Each thread needs its own.
  struct Posterior {
    std::vector<std::size_t> classes;
    std::vector<double> probabilities;
    double log_likelihood = 0;   // of the views, but for the multinomial factor
    std::vector<double> scores;  // of `candidates`
    std::vector<std::size_t> candidates;
    std::vector<View> by_count;  // the views, most frequent label first
  };
  void find(Views views, Posterior& posterior) const;

 private:
  void rank_classes();
  bool list_candidates(Views views, Posterior& posterior) const;
  double score_of(std::size_t clean, Views views) const;
  void score_some(Views views, Posterior& posterior) const;
  void score_all(Views views, Posterior& posterior) const;

  double log_of(std::size_t clean, std::size_t label) const {
    return log_transition_[label * log_prior_.size() + clean];
  }
  std::span<const std::uint32_t> ranked(std::size_t label) const {
    return {ranked_.data() + ranked_first_[label], ranked_first_[label + 1] - ranked_first_[label]};
  }

  std::vector<double> log_prior_;
  std::vector<double> log_transition_;  // transposed: all clean classes of a label side by side
  double log_least_ = 0;
  double highest_prior_ = 0;

  // With many classes, so that few of them need a look: for each label the clean classes that have
  // it with a probability above `least`, the most probable first. Empty with few classes.
  std::vector<std::size_t> ranked_first_;
  std::vector<std::uint32_t> ranked_;
};

}  // namespace noiseplus
