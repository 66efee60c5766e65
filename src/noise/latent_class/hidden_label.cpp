#include "noise/latent_class/hidden_label.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "core/portable_math.h"

namespace noiseplus {
namespace {

constexpr double negligible = -35;  // logarithm of a share that no sum would notice
// With fewer classes than this a look at all is as fast.
constexpr std::size_t many_classes = 64;
constexpr double rounding = 1e-6;  // more than sums of logarithms can be off by

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
  rank_classes();
}

void HiddenLabel::rank_classes() {
  const std::size_t classes = log_prior_.size();
  ranked_first_.push_back(0);
  for (std::size_t label = 0; label < classes; ++label) {
    for (std::size_t i = 0; i < classes; ++i) {
      if (log_of(i, label) > log_least_) ranked_.push_back(static_cast<std::uint32_t>(i));
    }
    const auto begin = ranked_.begin() + static_cast<std::ptrdiff_t>(ranked_first_.back());
    std::sort(begin, ranked_.end(), [&](std::size_t a, std::size_t b) {
      const double of_a = log_of(a, label), of_b = log_of(b, label);
      return of_a != of_b ? of_a > of_b : a < b;
    });
    ranked_first_.push_back(ranked_.size());
  }
}

double HiddenLabel::score_of(std::size_t clean, Views views) const {
  double score = log_prior_[clean];
  for (const View view : views) score += view.count * log_of(clean, view.label);
  return score;
}

// Finds the classes whose share a sum would notice, and few more; false when that may be any.
//
// No class scores above what the most probable class of each view would. How far that is above the
// score of some good class, and above what is negligible, is all that a class may lose; so a class
// that loses more at one label is none of them, nor is any that the label ranks lower.
bool HiddenLabel::list_candidates(Views views, Posterior& posterior) const {
  std::vector<View>& by_count = posterior.by_count;
  by_count.assign(views.begin(), views.end());
  std::stable_sort(by_count.begin(), by_count.end(),
                   [](View a, View b) { return a.count > b.count; });
  const auto highest_of = [&](std::size_t label) {
    return ranked(label).empty() ? log_least_ : log_of(ranked(label).front(), label);
  };
  double most = highest_prior_;
  double good = -std::numeric_limits<double>::infinity();
  for (const View view : by_count) {
    most += view.count * highest_of(view.label);
    if (!ranked(view.label).empty()) {
      good = std::max(good, score_of(ranked(view.label).front(), views));
    }
  }
  const double allowed = most - good - negligible + rounding;

  std::span<const std::uint32_t> shortest;
  bool is_any_possible = true;
  for (const View view : by_count) {
    const double lowest = highest_of(view.label) - allowed / view.count;
    if (lowest <= log_least_) continue;
    const std::span<const std::uint32_t> all = ranked(view.label);
    const auto end = std::ranges::partition_point(
        all, [&](std::size_t i) { return log_of(i, view.label) >= lowest; });
    const std::span<const std::uint32_t> likely(all.begin(), end);
    if (is_any_possible || likely.size() < shortest.size()) shortest = likely;
    is_any_possible = false;
  }
  if (is_any_possible) return false;

  posterior.candidates.clear();
  for (const std::size_t i : shortest) {
    double lost = highest_prior_ - log_prior_[i];
    for (const View view : by_count) {
      lost += view.count * (highest_of(view.label) - log_of(i, view.label));
      if (lost > allowed) break;
    }
    if (lost <= allowed) posterior.candidates.push_back(i);
  }
  std::sort(posterior.candidates.begin(), posterior.candidates.end());
  return true;
}

// The sums are in the order of the views whichever classes are looked at, so that the bits are the
// same.
void HiddenLabel::score_some(Views views, Posterior& posterior) const {
  posterior.scores.clear();
  for (const std::size_t i : posterior.candidates) posterior.scores.push_back(score_of(i, views));
}

void HiddenLabel::score_all(Views views, Posterior& posterior) const {
  const std::size_t classes = log_prior_.size();
  posterior.candidates.resize(classes);
  std::iota(posterior.candidates.begin(), posterior.candidates.end(), std::size_t{0});
  posterior.scores = log_prior_;
  double* scores = posterior.scores.data();
  for (const View view : views) {
    const double count = view.count;
    const double* column = log_transition_.data() + view.label * classes;
    for (std::size_t i = 0; i < classes; ++i) scores[i] += count * column[i];
  }
}

void HiddenLabel::find(Views views, Posterior& posterior) const {
  if (!ranked_first_.empty() && list_candidates(views, posterior)) {
    score_some(views, posterior);
  } else {
    score_all(views, posterior);
  }
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
