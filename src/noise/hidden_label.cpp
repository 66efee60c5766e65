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
    : log_prior_(prior.size()), log_transition_(transition.size()) {
  const std::size_t classes = prior.size();
  for (std::size_t i = 0; i < classes; ++i) {
    log_prior_[i] = portable::log(std::max(prior[i], least));
    for (std::size_t j = 0; j < classes; ++j) {
      log_transition_[j * classes + i] =
          portable::log(std::max(transition[i * classes + j], least));
    }
  }
  highest_prior_ = *std::max_element(log_prior_.begin(), log_prior_.end());
  if (classes >= many_classes) list_candidates();
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

// The sums are in the order of the views whichever classes are looked at, so that the bits are the
// same.
void HiddenLabel::score(Views views, Posterior& posterior) const {
  const std::size_t classes = log_prior_.size();
  std::vector<double>& scores = posterior.scores;
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

// Whether no class outside the candidates can have a share that a sum would notice. A little room
// is left for rounding.
bool HiddenLabel::others_are_negligible(Views views, double highest) const {
  double limit = highest_prior_ + 1e-6;
  for (const ViewPatterns::Entry entry : views) limit += entry.count * highest_other_[entry.label];
  return limit - highest < negligible;
}

void HiddenLabel::find(Views views, Posterior& posterior) const {
  std::vector<std::size_t>& candidates = posterior.candidates;
  const std::vector<double>& scores = posterior.scores;
  candidates.clear();
  if (!candidates_.empty()) {
    for (const ViewPatterns::Entry entry : views) {
      const auto first =
          candidates_.begin() + static_cast<std::ptrdiff_t>(entry.label * candidates_per_label);
      candidates.insert(candidates.end(), first, first + candidates_per_label);
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    score(views, posterior);
  }
  if (candidates.empty() ||
      !others_are_negligible(views, *std::max_element(scores.begin(), scores.end()))) {
    candidates.resize(log_prior_.size());
    std::iota(candidates.begin(), candidates.end(), std::size_t{0});
    score(views, posterior);
  }
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
