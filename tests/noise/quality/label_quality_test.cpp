#include <gtest/gtest.h>

#include <cmath>

#include "noise/latent_class/class_clusters.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using namespace testing_support;

struct Case {
  Matrix posterior;
  NoiseEstimate estimate;
  std::vector<std::int32_t> codes;
};

// 1000 rows of each kind, with labels in exactly the shares that its posterior and T say.
Case exact_case(const std::vector<std::vector<double>>& kinds,
                const std::vector<double>& transition) {
  constexpr std::size_t rows_of_a_kind = 1000;
  const std::size_t classes = kinds.front().size();
  Case exact;
  exact.posterior = Matrix(kinds.size() * rows_of_a_kind, classes);
  exact.estimate.transition = transition;
  exact.estimate.prior.resize(classes);
  for (const std::vector<double>& h : kinds) {
    for (std::size_t i = 0; i < classes; ++i) {
      exact.estimate.prior[i] += h[i] / static_cast<double>(kinds.size());
    }
    for (std::size_t j = 0; j < classes; ++j) {
      double share = 0;
      for (std::size_t i = 0; i < classes; ++i) share += h[i] * transition[i * classes + j];
      for (long n = std::lround(share * rows_of_a_kind); n > 0; --n) {
        for (std::size_t i = 0; i < classes; ++i) {
          exact.posterior.row(exact.codes.size())[i] = static_cast<float>(h[i]);
        }
        exact.codes.push_back(static_cast<std::int32_t>(j));
      }
    }
  }
  return exact;
}

// P(clean | posterior h, label), by Bayes' rule.
std::vector<double> bayes(const std::vector<double>& h, const std::vector<double>& transition,
                          std::size_t label) {
  std::vector<double> clean(h.size());
  double sum = 0;
  for (std::size_t i = 0; i < h.size(); ++i) {
    sum += clean[i] = h[i] * transition[i * h.size() + label];
  }
  for (double& p : clean) p /= sum;
  return clean;
}

const std::vector<double> two = {.8, .2, .3, .7};
const std::vector<std::vector<double>> kinds_of_two = {{.9, .1}, {.2, .8}};
const std::vector<double> three = {.7, .2, .1, .1, .6, .3, .2, .1, .7};
const std::vector<std::vector<double>> kinds_of_three = {
    {.8, .1, .1}, {.1, .75, .15}, {.3, .3, .4}};

void expect_bayes(const Case& exact, const LabelQuality& quality,
                  const std::vector<std::vector<double>>& kinds, double tolerance) {
  ASSERT_EQ(quality.right.size(), exact.codes.size());
  for (std::size_t n = 0; n < exact.codes.size(); ++n) {
    const auto label = static_cast<std::size_t>(exact.codes[n]);
    const std::vector<double> clean = bayes(kinds[n / 1000], exact.estimate.transition, label);
    ASSERT_NEAR(quality.right[n], clean[label], tolerance) << n;
    const auto likeliest = std::max_element(clean.begin(), clean.end()) - clean.begin();
    ASSERT_EQ(quality.suggested[n], static_cast<std::int32_t>(likeliest)) << n;
  }
}

TEST(LabelQuality, IsBayesRuleWherePosteriorAndEstimateAgree) {
  for (const auto& [kinds, transition] :
       {std::pair{kinds_of_two, two}, std::pair{kinds_of_three, three}}) {
    const Case exact = exact_case(kinds, transition);
    const LabelQuality quality = label_quality(exact.posterior.view(), exact.estimate, exact.codes);
    EXPECT_EQ(quality.power, 1);
    expect_bayes(exact, quality, kinds, 1e-6);
  }
}

// A posterior that is a power of the right one, with the classes weighted wrongly, is put right.
TEST(LabelQuality, BringsThePosteriorInLineWithTheEstimate) {
  for (const double power : {.7, 2.5}) {
    for (const auto& [kinds, transition] :
         {std::pair{kinds_of_two, two}, std::pair{kinds_of_three, three}}) {
      Case exact = exact_case(kinds, transition);
      for (std::size_t n = 0; n < exact.codes.size(); ++n) {
        float* row = exact.posterior.row(n);
        float sum = 0;
        for (std::size_t i = 0; i < exact.posterior.columns(); ++i) {
          row[i] = std::pow(row[i], static_cast<float>(1 / power)) * (i == 0 ? 1.5F : 1.F);
          sum += row[i];
        }
        for (std::size_t i = 0; i < exact.posterior.columns(); ++i) row[i] /= sum;
      }
      const LabelQuality quality =
          label_quality(exact.posterior.view(), exact.estimate, exact.codes);
      EXPECT_NEAR(quality.power, power, .02 * power);
      expect_bayes(exact, quality, kinds, .01);
    }
  }
}

TEST(LabelQuality, SuggestsTheGivenLabelOnEqualTerms) {
  Matrix posterior(4, 2);
  std::fill(posterior.row(0), posterior.row(0) + 8, .5F);
  NoiseEstimate estimate;
  estimate.prior = {.5, .5};
  estimate.transition = {.5, .5, .5, .5};
  const std::vector<std::int32_t> codes = {0, 1, 1, 0};
  const LabelQuality quality = label_quality(posterior.view(), estimate, codes);
  EXPECT_EQ(quality.right, std::vector<double>(4, .5));
  EXPECT_EQ(quality.suggested, codes);
}

// Rows that are surely of a class, the last ten of one that is not their label; class 2 has none.
TEST(LabelQuality, CertaintyIsNoDivisionByZero) {
  Matrix posterior(100, 3);
  std::vector<std::int32_t> codes;
  for (std::size_t n = 0; n < 100; ++n) {
    codes.push_back(n % 2 == 0 ? 0 : 1);
    posterior.row(n)[n < 90 ? codes.back() : 1 - codes.back()] = 1;
  }
  NoiseEstimate estimate;
  estimate.prior = {.5, .5, 0};
  estimate.transition = {.9, .1, 0, .1, .9, 0, 0, 0, 1};
  const LabelQuality sure = label_quality(posterior.view(), estimate, codes);
  for (std::size_t n = 0; n < 100; ++n) {
    EXPECT_NEAR(sure.right[n], n < 90 ? 1 : 0, 1e-6) << n;
    EXPECT_EQ(sure.suggested[n], n < 90 ? codes[n] : 1 - codes[n]) << n;
  }
  estimate.transition = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const LabelQuality contradicted = label_quality(posterior.view(), estimate, codes);
  for (const double right : contradicted.right) EXPECT_TRUE(right >= 0 && right <= 1) << right;
}

// Mean squared error of the probability that the label is right, given whether it is.
double brier(const std::vector<double>& right, const std::vector<std::int32_t>& codes,
             const std::vector<std::int32_t>& clean) {
  double sum = 0;
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const double error = right[n] - (codes[n] == clean[n] ? 1 : 0);
    sum += error * error;
  }
  return sum / static_cast<double>(codes.size());
}

// Where neighbors share their clean label and T is known, nothing beats Bayes' rule on all views.
TEST(LabelQuality, OfVotesAndLatentClassesIsNearlyTheBestPossible) {
  constexpr double rate = .3;
  for (const std::size_t classes : {2, 5}) {
    const std::vector<double> prior(classes, 1 / static_cast<double>(classes));
    const Clusters clusters = random_clusters(20000, prior, 8, 30, 1);
    const std::vector<double> noise = symmetric_transition(classes, rate);
    const auto codes = draw_labels(clusters.clean, classes, noise, 2, Stream::corrupt);
    const auto names = numbered_names(classes);
    const Matrix votes = vote_scores(clusters.graph, codes, classes);
    const MatrixView scores[] = {votes.view()};
    const CurveFit curve = fit_curve(scores, codes, names);
    const NoiseEstimate latent = estimate_by_latent_class(clusters.graph, codes, names);
    const LabelQuality quality = label_quality(curve.posterior.view(), latent, codes);

    const Matrix counts = count_votes(clusters.graph, codes, classes);
    std::vector<double> best;
    for (std::size_t n = 0; n < codes.size(); ++n) {
      double sum = 0, given = 0;
      for (std::size_t i = 0; i < classes; ++i) {
        const bool is_given = static_cast<std::size_t>(codes[n]) == i;
        const double views = counts.row(n)[i] + (is_given ? 1.F : 0.F);
        const double odds = std::pow((1 - rate) / noise[1], views);
        sum += odds;
        if (is_given) given = odds;
      }
      best.push_back(given / sum);
    }
    EXPECT_LT(brier(quality.right, codes, clusters.clean),
              1.05 * brier(best, codes, clusters.clean));
  }
}

TEST(LabelQuality, SameAtAnyNumberOfThreads) {
  constexpr std::size_t classes = 20;
  const std::vector<double> prior(classes, 1.0 / classes);
  const Clusters clusters = random_clusters(7000, prior, 6, 15, 3);
  const auto codes =
      draw_labels(clusters.clean, classes, symmetric_transition(classes, .3), 3, Stream::corrupt);
  const Matrix votes = vote_scores(clusters.graph, codes, classes);
  NoiseEstimate estimate;
  estimate.prior = prior;
  estimate.transition = symmetric_transition(classes, .3);
  const LabelQuality one = label_quality(votes.view(), estimate, codes, {1, {}});
  const LabelQuality many = label_quality(votes.view(), estimate, codes, {3, {}});
  EXPECT_NE(one.power, 1);
  EXPECT_EQ(one.power, many.power);
  EXPECT_EQ(one.right, many.right);
  EXPECT_EQ(one.suggested, many.suggested);
}

TEST(LabelQuality, RefusesWhatDoesNotFit) {
  const Case exact = exact_case(kinds_of_two, two);
  const auto kind_of = [](const Case& wrong) {
    try {
      label_quality(wrong.posterior.view(), wrong.estimate, wrong.codes);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::cancelled;
  };
  Case wrong = exact;
  wrong.codes[3] = 2;
  EXPECT_EQ(kind_of(wrong), ErrorKind::usage);
  wrong = exact;
  wrong.codes.pop_back();
  EXPECT_EQ(kind_of(wrong), ErrorKind::usage);
  wrong = exact;
  wrong.estimate.transition.pop_back();
  EXPECT_EQ(kind_of(wrong), ErrorKind::usage);
  wrong = exact;
  wrong.estimate.prior = {.3, .3, .4};
  EXPECT_EQ(kind_of(wrong), ErrorKind::usage);
  wrong = exact;
  wrong.posterior.row(5)[0] = std::nanf("");
  EXPECT_EQ(kind_of(wrong), ErrorKind::data);
}

}  // namespace
}  // namespace noiseplus
