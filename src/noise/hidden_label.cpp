#include "noise/hidden_label.h"

#include <algorithm>
#include <numeric>

#include "util/portable_math.h"

namespace noiseplus {
namespace {

constexpr double negligible = -35;  // logarithm of a share that no sum would notice
// With fewer classes than this a look at all is as fast.
constexpr std::size_t many_classes = 64;
constexpr std::size_t candidates_per_label = 4;

}  // namespace

HiddenLabel::HiddenLabel(std::span<const double> prior, std::span<const double> transition,
                         double least)
    : log_prior_(prior.size()),
      log_transition_(transition.size()),
      log_least_(portable::log(least)) {
  const std::size_t classes = prior.size();
  for (std::size_t i = 0; i < classes; ++i) {
    log_prior_[i] = portable::log(std::max(prior[i], least));
    // With many classes nearly every cell is below `least`, and a logarithm takes long.
    for (std::size_t j = 0; j < classes; ++j) {
      const double cell = transition[i * classes + j];
      log_transition_[j * classes + i] = cell > least ? portable::log(cell) : log_least_;
    }
  }
  highest_prior_ = *std::max_element(log_prior_.begin(), log_prior_.end());
  if (classes < many_classes) return;
  list_candidates();
  list_likely_classes(transition, least);
}

void HiddenLabel::list_candidates() {
  const std::size_t classes = log_prior_.size();
  std::vector<std::size_t> order(classes);
  for (std::size_t label = 0; label < classes; ++label) {
    const double* column = log_transition_.data() + label * classes;
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto end = order.begin() + candidates_per_label;
    std::nth_element(order.begin(), end, order.end(), [&](std::size_t a, std::size_t b) {
      return column[a] != column[b] ? column[a] > column[b] : a < b;
    });
    candidates_.insert(candidates_.end(), order.begin(), end);
    highest_other_.push_back(column[*end]);
  }
}

void HiddenLabel::list_likely_classes(std::span<const double> transition, double least) {
  const std::size_t classes = log_prior_.size();
  likely_first_.assign(classes + 1, 0);
  for (std::size_t cell = 0; cell < transition.size(); ++cell) {
    if (transition[cell] > least) ++likely_first_[cell % classes + 1];
  }
  std::partial_sum(likely_first_.begin(), likely_first_.end(), likely_first_.begin());
  likely_.resize(likely_first_.back());
  std::vector<std::size_t> next(likely_first_.begin(), likely_first_.end() - 1);
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = 0; j < classes; ++j) {
      if (transition[i * classes + j] > least) likely_[next[j]++] = static_cast<std::uint32_t>(i);
    }
  }
}

// The sums are in the order of the views whichever classes are looked at, so that the bits are the
// same.
void HiddenLabel::score(Views views, Posterior& posterior) const {
  const std::size_t classes = log_prior_.size();
  std::vector<double>& scores = posterior.scores;
  std::sort(posterior.candidates.begin(), posterior.candidates.end());
  posterior.candidates.erase(std::unique(posterior.candidates.begin(), posterior.candidates.end()),
                             posterior.candidates.end());
  scores.clear();
  for (const std::size_t i : posterior.candidates) scores.push_back(log_prior_[i]);
  for (const ViewPatterns::Entry entry : views) {
    const double count = entry.count;
    const double* column = log_transition_.data() + entry.label * classes;
    for (std::size_t c = 0; c < scores.size(); ++c) {
      scores[c] += count * column[posterior.candidates[c]];
    }
  }
}

void HiddenLabel::expand(std::size_t label, Posterior& posterior) const {
  const auto first = likely_.begin();
  posterior.candidates.insert(posterior.candidates.end(),
                              first + static_cast<std::ptrdiff_t>(likely_first_[label]),
                              first + static_cast<std::ptrdiff_t>(likely_first_[label + 1]));
}

// Scores some classes, such that no other can have a share that a sum would notice. No class
// outside the lists of all labels scores above `limit`; where that is not low enough, labels get
// longer lists, the most frequent first.
void HiddenLabel::find_candidates(Views views, Posterior& posterior) const {
  std::vector<std::size_t>& candidates = posterior.candidates;
  const std::vector<double>& scores = posterior.scores;
  const std::size_t classes = log_prior_.size();
  candidates.clear();
  if (!candidates_.empty()) {
    double limit = highest_prior_ + 1e-6;  // a little room for rounding
    for (const ViewPatterns::Entry entry : views) {
      limit += entry.count * highest_other_[entry.label];
      const auto first =
          candidates_.begin() + static_cast<std::ptrdiff_t>(entry.label * candidates_per_label);
      candidates.insert(candidates.end(), first, first + candidates_per_label);
    }
    score(views, posterior);
    // Adding classes can only raise the highest score, so that this one stays on the safe side.
    const double highest = *std::max_element(scores.begin(), scores.end());
    if (limit - highest < negligible) return;
    std::vector<ViewPatterns::Entry>& by_count = posterior.by_count;
    by_count.assign(views.begin(), views.end());
    std::stable_sort(by_count.begin(), by_count.end(),
                     [](const auto& a, const auto& b) { return a.count > b.count; });
    for (const ViewPatterns::Entry entry : by_count) {
      expand(entry.label, posterior);
      if (candidates.size() >= classes) break;
      limit += entry.count * (log_least_ - highest_other_[entry.label]);
      if (limit - highest >= negligible) continue;
      score(views, posterior);
      return;
    }
  }
  candidates.resize(classes);
  std::iota(candidates.begin(), candidates.end(), std::size_t{0});
  score(views, posterior);
}

void HiddenLabel::find(Views views, Posterior& posterior) const {
  find_candidates(views, posterior);
  const std::vector<std::size_t>& candidates = posterior.candidates;
  const std::vector<double>& scores = posterior.scores;
  const double highest = *std::max_element(scores.begin(), scores.end());
  posterior.classes.clear();
  posterior.probabilities.clear();
  double sum = 0;
  for (std::size_t c = 0; c < scores.size(); ++c) {
    if (scores[c] - highest < negligible) continue;
    const double weight = portable::exp(scores[c] - highest);
    posterior.classes.push_back(candidates[c]);
    posterior.probabilities.push_back(weight);
    sum += weight;
  }
  for (double& probability : posterior.probabilities) probability /= sum;
  posterior.log_likelihood = highest + portable::log(sum);
}

}  // namespace noiseplus
