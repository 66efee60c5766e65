#include "noise/latent_class/hidden_label.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/portable_math.h"
#include "noiseplus/core.h"

namespace noiseplus {
namespace {

constexpr std::size_t classes = 200;
constexpr double least = 1e-12;
constexpr double negligible = -35;

using RowViews = std::vector<ViewPatterns::Entry>;

double draw(std::size_t n, std::size_t which) {
  return uniform(5, Stream::corrupt, n, which);
}

std::size_t draw_class(std::size_t n, std::size_t which) {
  return std::min(static_cast<std::size_t>(draw(n, which) * classes), classes - 1);
}

// Rows of T with `others` cells besides the diagonal; all cells above 0 when that is `classes`.
std::vector<double> make_transition(std::size_t others) {
  std::vector<double> transition(classes * classes);
  for (std::size_t i = 0; i < classes; ++i) {
    double* row = transition.data() + i * classes;
    row[i] = 20;
    for (std::size_t n = 0; n < others; ++n) {
      row[others == classes ? n : draw_class(i, n)] += draw(i, 1000 + n);
    }
    double sum = 0;
    for (std::size_t j = 0; j < classes; ++j) sum += row[j];
    for (std::size_t j = 0; j < classes; ++j) row[j] /= sum;
  }
  return transition;
}

// One label `most` times, and eleven views in all.
RowViews make_views(std::size_t n, std::size_t most) {
  std::vector<std::uint16_t> counts(classes);
  counts[draw_class(n, 2000)] = static_cast<std::uint16_t>(most);
  for (std::size_t view = most; view < 11; ++view) ++counts[draw_class(n, 2001 + view)];
  RowViews views;
  for (std::size_t j = 0; j < classes; ++j) {
    if (counts[j] > 0) views.push_back({static_cast<std::uint16_t>(j), counts[j]});
  }
  return views;
}

// Bayes' rule with a look at every class.
HiddenLabel::Posterior find_among_all(const std::vector<double>& prior,
                                      const std::vector<double>& transition,
                                      const RowViews& views) {
  std::vector<double> scores;
  for (std::size_t i = 0; i < classes; ++i) {
    scores.push_back(portable::log(std::max(prior[i], least)));
    for (const ViewPatterns::Entry entry : views) {
      scores[i] +=
          entry.count * portable::log(std::max(transition[i * classes + entry.label], least));
    }
  }
  const double highest = *std::max_element(scores.begin(), scores.end());
  HiddenLabel::Posterior posterior;
  double sum = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    if (scores[i] - highest < negligible) continue;
    posterior.classes.push_back(i);
    posterior.probabilities.push_back(portable::exp(scores[i] - highest));
    sum += posterior.probabilities.back();
  }
  for (double& probability : posterior.probabilities) probability /= sum;
  posterior.log_likelihood = highest + portable::log(sum);
  return posterior;
}

TEST(HiddenLabel, OfManyClassesHasTheBitsOfALookAtAll) {
  std::vector<double> prior(classes);
  double sum = 0;
  for (std::size_t i = 0; i < classes; ++i) sum += prior[i] = .2 + draw(i, 3000);
  for (double& p : prior) p /= sum;
  std::size_t looked_at_some = 0, looked_at_all = 0;
  for (const std::size_t others : {std::size_t{3}, std::size_t{30}, classes}) {
    const std::vector<double> transition = make_transition(others);
    const HiddenLabel hidden(prior, transition, least);
    HiddenLabel::Posterior found;
    for (std::size_t n = 0; n < 600; ++n) {
      const RowViews views = make_views(n, 1 + n % 11);
      hidden.find(views, found);
      const HiddenLabel::Posterior expected = find_among_all(prior, transition, views);
      ASSERT_EQ(found.classes, expected.classes) << others << " cells, views " << n;
      ASSERT_EQ(found.probabilities, expected.probabilities) << others << " cells, views " << n;
      ASSERT_EQ(found.log_likelihood, expected.log_likelihood) << others << " cells, views " << n;
      looked_at_some += found.candidates.size() < classes ? 1 : 0;
      looked_at_all += found.candidates.size() == classes ? 1 : 0;
    }
  }
  EXPECT_GT(looked_at_some, 100U);
  EXPECT_GT(looked_at_all, 100U);
}

}  // namespace
}  // namespace noiseplus
