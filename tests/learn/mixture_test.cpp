#include <gtest/gtest.h>

#include <numeric>

#include "learn/learn_support.h"
#include "learn/saved_models.h"

namespace noiseplus {
namespace {

// Class 1 where the only column is above `bound`.
Model above(float bound) {
  return {2, {{1, 1, {1}, {-bound}}}};
}

Matrix column(const std::vector<float>& values) {
  Matrix rows(values.size(), 1);
  for (std::size_t n = 0; n < values.size(); ++n) rows.row(n)[0] = values[n];
  return rows;
}

Matrix constant_chances(std::size_t rows, const std::vector<float>& chances) {
  Matrix matrix(rows, chances.size());
  for (std::size_t n = 0; n < rows; ++n) {
    std::copy(chances.begin(), chances.end(), matrix.row(n));
  }
  return matrix;
}

bool are_equal(const Matrix& a, const Matrix& b) {
  return std::equal(a.row(0), a.row(0) + a.rows() * a.columns(), b.row(0));
}

TEST(Mixture, AnAnswerIsAsLikelyAsTheModelsThatGiveIt) {
  const Mixture mixture{{.2, .3, .5}, {above(1), above(2), above(3)}};
  const Matrix rows = column({0.5F, 1.5F, 2.5F, 3.5F});
  const Matrix shares = probabilities(mixture, rows.view());
  const float positive[] = {0, .2F, .5F, 1};
  for (std::size_t n = 0; n < 4; ++n) {
    EXPECT_FLOAT_EQ(shares.row(n)[1], positive[n]);
    EXPECT_FLOAT_EQ(shares.row(n)[0], 1 - positive[n]);
  }
  EXPECT_EQ(shares.row(0)[0], 1) << "exactly, where all models agree";
  EXPECT_EQ(shares.row(3)[1], 1);
}

// Many shares that do not add up to 1 in floating point, and three classes.
TEST(Mixture, RowsAddUpToOne) {
  const LearnSample sample = blobs(500, 3, 1);
  Mixture mixture;
  for (std::size_t t = 0; t < 49; ++t) {
    Model model{3, {{5, 3, std::vector<float>(15), std::vector<float>(3)}}};
    for (std::size_t i = 0; i < 15; ++i) {
      model.layers[0].weights[i] = static_cast<float>(normal(t, Stream::generate, i, 0));
    }
    mixture.models.push_back(std::move(model));
    mixture.shares.push_back(1 / 49.0);
  }
  const Matrix shares = probabilities(mixture, sample.rows.view());
  for (std::size_t n = 0; n < shares.rows(); ++n) {
    EXPECT_NEAR(std::accumulate(shares.row(n), shares.row(n) + 3, 0.0), 1, 2e-7);
  }
  EXPECT_TRUE(are_equal(shares, probabilities(mixture, sample.rows.view(), {.threads = 1})));
  EXPECT_TRUE(are_equal(shares, probabilities(mixture, sample.rows.view(), {.threads = 5})));
}

TEST(Mixture, OneModelIsItsMostLikelyAnswer) {
  const Matrix rows = column({-1, 0.1F, 2});
  const Matrix shares = probabilities(Mixture{{1}, {above(0)}}, rows.view());
  EXPECT_EQ(most_likely(shares.view()), most_likely(probabilities(above(0), rows.view()).view()));
  EXPECT_EQ(shares.row(1)[1], 1) << "and not the model's own probability";
}

TEST(Mixture, WhatIsNoMixtureIsRefused) {
  const Matrix rows = column({1});
  const auto refuses = [&](const Mixture& mixture) {
    EXPECT_THROW(probabilities(mixture, rows.view()), Error);
  };
  refuses({});
  refuses({{1}, {above(0), above(1)}});
  refuses({{.5, .4}, {above(0), above(1)}});
  refuses({{1.5, -.5}, {above(0), above(1)}});
  refuses({{.5, .5}, {above(0), {2, {layer(2, 1)}}}});
  refuses({{.5, .5}, {above(0), {3, {layer(1, 3)}}}});
  refuses({{1}, {{2, {layer(2, 1)}}}});
}

TEST(Mixture, ProgressGoesOnFromModelToModel) {
  const Matrix rows = column(std::vector<float>(5000, 1));
  std::vector<double> done;
  Execution execution{.threads = 1, .progress = [&](const Progress& progress) {
                        done.push_back(progress.done);
                        return true;
                      }};
  probabilities(Mixture{{.5, .5}, {above(0), above(1)}}, rows.view(), execution);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  ASSERT_FALSE(done.empty());
  EXPECT_LE(done.front(), .5);
  EXPECT_EQ(done.back(), 1);
}

TEST(Mixture, ASavedModelIsTheMixtureOrTheModel) {
  Matrix rows(3, 4);
  for (std::size_t i = 0; i < 12; ++i) rows.row(0)[i] = static_cast<float>(i) / 5 - 1;
  const SavedModel mixture = mixture_model(), plain = table_model();
  EXPECT_TRUE(
      are_equal(probabilities(mixture, rows.view()), probabilities(mixture.mixture, rows.view())));
  EXPECT_TRUE(
      are_equal(probabilities(plain, rows.view()), probabilities(plain.model, rows.view())));
}

TEST(Drawn, AnswersAreAsFrequentAsTheirShares) {
  constexpr std::size_t rows = 40000;
  const std::vector<float> chances = {.5F, 0, .3F, .2F};
  const std::vector<std::int32_t> answers =
      sample_labels(constant_chances(rows, chances).view(), 3);
  for (std::size_t c = 0; c < chances.size(); ++c) {
    const auto count = std::count(answers.begin(), answers.end(), static_cast<std::int32_t>(c));
    EXPECT_NEAR(static_cast<double>(count) / rows, chances[c], chances[c] == 0 ? 0 : .01);
  }
}

TEST(Drawn, TheSeedAndTheRowDecide) {
  const Matrix chances = constant_chances(1000, {.5F, .5F});
  const std::vector<std::int32_t> answers = sample_labels(chances.view(), 7);
  EXPECT_EQ(sample_labels(chances.view(), 7), answers);
  EXPECT_NE(sample_labels(chances.view(), 8), answers);
  const std::vector<std::int32_t> fewer = sample_labels({chances.row(0), 10, 2}, 7);
  EXPECT_TRUE(std::equal(fewer.begin(), fewer.end(), answers.begin()));
}

// A lot beyond the sum of the shares goes to a class that some model gives.
TEST(Drawn, WhatNoModelGivesIsNeverDrawn) {
  const std::vector<std::int32_t> answers =
      sample_labels(constant_chances(2000, {0, .5F, .4F, 0}).view(), 1);
  for (const std::int32_t answer : answers) EXPECT_TRUE(answer == 1 || answer == 2) << answer;
}

}  // namespace
}  // namespace noiseplus
