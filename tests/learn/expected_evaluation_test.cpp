// Evaluation of answers by lot, in expectation.
#include <gtest/gtest.h>

#include <limits>

#include "core/intervals.h"
#include "learn/learn_support.h"

namespace noiseplus {
namespace {

// Four rows: the shares of "yes" are .25, .5 (no, no), .75 and 1 (yes, yes); groups a, b, a, b.
struct FourRows {
  Labels labels{{0, 0, 1, 1}, {"no", "yes"}, {"no", "yes"}};
  Labels groups{{0, 1, 0, 1}, {"a", "b"}, {"a", "b"}};
  Matrix shares{4, 2};

  FourRows() {
    const float positive[] = {.25F, .5F, .75F, 1};
    for (std::size_t n = 0; n < 4; ++n) {
      shares.row(n)[0] = 1 - positive[n];
      shares.row(n)[1] = positive[n];
    }
  }
  Evaluation evaluate() const { return noiseplus::evaluate(shares.view(), labels, 1, groups); }
};

TEST(ExpectedEvaluation, AnExampleByHand) {
  const Evaluation evaluation = FourRows().evaluate();
  EXPECT_EQ(evaluation.all.confusion.counts, (std::vector<double>{1.25, .75, .25, 1.75}));
  EXPECT_EQ(evaluation.all.confusion.class_rows, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(evaluation.all.confusion.rows(), 4);
  EXPECT_DOUBLE_EQ(evaluation.all.accuracy.value, .75);
  EXPECT_DOUBLE_EQ(evaluation.all.accuracy.low, wilson_interval(3, 4).low);
  EXPECT_DOUBLE_EQ(evaluation.all.tpr->value, .875);
  EXPECT_DOUBLE_EQ(evaluation.all.tpr->high, wilson_interval(1.75, 2).high);
  EXPECT_DOUBLE_EQ(evaluation.all.fpr->value, .375);
  EXPECT_DOUBLE_EQ(evaluation.all.positive_rate->value, .625);
  EXPECT_DOUBLE_EQ(evaluation.groups[0].tpr->value, .75);
  EXPECT_DOUBLE_EQ(evaluation.groups[1].fpr->value, .5);
  EXPECT_DOUBLE_EQ(evaluation.equalized_odds_violation->value, .25);
  EXPECT_DOUBLE_EQ(evaluation.demographic_parity_violation->value, .25);
}

// Every count and rate is the mean over the models, by their shares.
TEST(ExpectedEvaluation, IsTheMeanOverTheModels) {
  const LearnSample sample = blobs(700, 3, 1);
  const Labels labels{sample.codes, {"x", "y", "z"}, {"x", "y", "z"}};
  Mixture mixture{{.5, .3, .2}, {}};
  for (std::uint64_t t = 0; t < 3; ++t) {
    MlpOptions options{.hidden = 4, .epochs = 2, .seed = t, .stopping = {}};
    mixture.models.push_back(
        train_mlp(sample.rows.view(), cross_entropy_targets(sample.labels()), options).model);
  }
  const Evaluation evaluation =
      evaluate(probabilities(mixture, sample.rows.view()).view(), labels, 2);
  std::vector<double> counts(9);
  double tpr = 0, accuracy = 0;
  for (std::size_t t = 0; t < 3; ++t) {
    const Evaluation one = evaluate(
        most_likely(probabilities(mixture.models[t], sample.rows.view()).view()), labels, 2);
    for (std::size_t i = 0; i < 9; ++i) {
      counts[i] += mixture.shares[t] * one.all.confusion.counts[i];
    }
    tpr += mixture.shares[t] * one.all.tpr->value;
    accuracy += mixture.shares[t] * one.all.accuracy.value;
  }
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(evaluation.all.confusion.counts[i], counts[i], 1e-4);
  }
  EXPECT_NEAR(evaluation.all.tpr->value, tpr, 1e-6);
  EXPECT_NEAR(evaluation.all.accuracy.value, accuracy, 1e-6);
}

// Where every answer is sure, it is the evaluation of these answers.
TEST(ExpectedEvaluation, SureAnswersAreCounted) {
  FourRows rows;
  for (std::size_t n = 0; n < 4; ++n) {
    rows.shares.row(n)[0] = n % 2 == 0 ? 0 : 1;
    rows.shares.row(n)[1] = n % 2 == 0 ? 1 : 0;
  }
  const std::vector<std::int32_t> answers = {1, 0, 1, 0};
  const Evaluation counted = evaluate(answers, rows.labels, 1, rows.groups);
  const Evaluation expected = rows.evaluate();
  EXPECT_EQ(expected.all.confusion.counts, counted.all.confusion.counts);
  EXPECT_EQ(expected.equalized_odds_violation->high, counted.equalized_odds_violation->high);
  EXPECT_EQ(expected.warnings, counted.warnings);
}

TEST(ExpectedEvaluation, WrongUsage) {
  const auto refuses = [](auto change) {
    FourRows rows;
    change(rows);
    EXPECT_THROW(rows.evaluate(), Error);
  };
  refuses([](FourRows& rows) { rows.shares.row(2)[0] = -.1F; });
  refuses([](FourRows& rows) { rows.shares.row(2)[0] = .5F; });
  refuses([](FourRows& rows) { rows.shares.row(2)[0] = std::numeric_limits<float>::quiet_NaN(); });
  refuses([](FourRows& rows) { rows.shares = Matrix(4, 3); });
  refuses([](FourRows& rows) { rows.shares = Matrix(3, 2); });
  refuses([](FourRows& rows) { rows.labels.codes[0] = 2; });
}

}  // namespace
}  // namespace noiseplus
