#include "noise/hidden_label.h"

#include <algorithm>

#include "util/portable_math.h"

namespace noiseplus {
namespace {

constexpr double negligible = -35;  // logarithm of a share that no sum would notice

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
}

void HiddenLabel::find(std::span<const ViewPatterns::Entry> views, Posterior& posterior) const {
  const std::size_t classes = log_prior_.size();
  std::vector<double>& scores = posterior.scores;
  scores.assign(log_prior_.begin(), log_prior_.end());
  for (const ViewPatterns::Entry entry : views) {
    const double count = entry.count;
    const double* column = log_transition_.data() + entry.label * classes;
    for (std::size_t i = 0; i < classes; ++i) scores[i] += count * column[i];
  }
  const double highest = *std::max_element(scores.begin(), scores.end());
  posterior.classes.clear();
  posterior.probabilities.clear();
  double sum = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    if (scores[i] - highest < negligible) continue;
    const double weight = portable::exp(scores[i] - highest);
    posterior.classes.push_back(i);
    posterior.probabilities.push_back(weight);
    sum += weight;
  }
  for (double& probability : posterior.probabilities) probability /= sum;
  posterior.log_likelihood = highest + portable::log(sum);
}

}  // namespace noiseplus
