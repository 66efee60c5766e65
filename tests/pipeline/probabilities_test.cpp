// Audits with class probabilities that the caller brings.
#include <gtest/gtest.h>

#include <cmath>

#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "pipeline/generated.h"
#include "support.h"

namespace noiseplus {
namespace {

using namespace testing_support;

constexpr std::size_t rows = 3000;
const Execution one_thread{1, {}};

// Two overlapping normal classes with labels made wrong at rates e- and e+, and the probabilities
// of the noisy labels that a perfect model gives.
struct Sample {
  Dataset dataset;
  Matrix honest, memorized;
  std::vector<std::int32_t> clean;
};

Sample draw_sample(double e_negative, double e_positive, std::uint64_t seed = 5) {
  Sample sample;
  Matrix features(rows, 2);
  sample.honest = Matrix(rows, 2);
  sample.memorized = Matrix(rows, 2);
  sample.clean.resize(rows);
  for (std::size_t n = 0; n < rows; ++n) {
    const bool is_one = uniform(seed, Stream::corrupt, n, 0) < .5;
    sample.clean[n] = is_one ? 1 : 0;
    const double u = uniform(seed, Stream::corrupt, n, 1), v = uniform(seed, Stream::corrupt, n, 2);
    const double radius = std::sqrt(-2 * std::log(1 - u));
    const double x = radius * std::cos(6.283185307 * v) + (is_one ? 2 : -2);
    features.row(n)[0] = static_cast<float>(x);
    features.row(n)[1] = static_cast<float>(radius * std::sin(6.283185307 * v));
    const double clean_one = 1 / (1 + std::exp(-4 * x));
    const double one = clean_one * (1 - e_positive) + (1 - clean_one) * e_negative;
    sample.honest.row(n)[1] = static_cast<float>(one);
    sample.honest.row(n)[0] = static_cast<float>(1 - one);
  }
  sample.dataset.labels.codes = with_noise(sample.clean, e_positive, e_negative, seed + 1);
  sample.dataset.labels.classes = sample.dataset.labels.spellings = {"no", "yes"};
  sample.dataset.label_name = "y";
  sample.dataset.features = Features(std::move(features));
  for (std::size_t n = 0; n < rows; ++n) {
    const auto label = static_cast<std::size_t>(sample.dataset.labels.codes[n]);
    sample.memorized.row(n)[label] = .8F;
    sample.memorized.row(n)[1 - label] = .2F;
  }
  return sample;
}

AuditReport audit_with(const Dataset& dataset, MatrixView probabilities, bool judge_rows = false) {
  AuditOptions options;
  options.probabilities = probabilities;
  options.judge_rows = judge_rows;
  return audit(dataset, options, one_thread);
}

Dataset labels_of(const Dataset& dataset) {
  Dataset labels;
  labels.labels = dataset.labels;
  labels.label_name = dataset.label_name;
  return labels;
}

bool has_warning(const AuditReport& report, const std::string& part) {
  return std::any_of(report.warnings.begin(), report.warnings.end(),
                     [&](const std::string& text) { return text.find(part) != text.npos; });
}

TEST(GivenProbabilities, ServeEveryEstimatorThatLooksAtScores) {
  const Sample sample = draw_sample(.1, .3);
  const std::vector<std::string> names = {"no", "yes"};
  for (const EstimatorKind kind :
       {EstimatorKind::edges, EstimatorKind::confident, EstimatorKind::curve}) {
    NoiseEstimatorOptions options;
    NoiseEstimator linear(sample.dataset.features.view(), sample.dataset.labels.codes, names,
                          options, one_thread);
    options.probabilities = sample.honest.view();
    NoiseEstimator given(sample.dataset.features.view(), sample.dataset.labels.codes, names,
                         options, one_thread);
    EXPECT_EQ(given.scores().data, sample.honest.view().data);
    EXPECT_NE(given.estimate(kind).transition, linear.estimate(kind).transition) << to_string(kind);
  }
}

TEST(GivenProbabilities, FindTheRatesWithAndWithoutFeatures) {
  const Sample sample = draw_sample(.1, .3);
  for (const bool has_features : {true, false}) {
    const Dataset alone = labels_of(sample.dataset);
    const AuditReport report =
        audit_with(has_features ? sample.dataset : alone, sample.honest.view(), true);
    EXPECT_NEAR(report.estimate.noise[0].value, .1, .05) << has_features;
    EXPECT_NEAR(report.estimate.noise[1].value, .3, .05) << has_features;
    EXPECT_EQ(report.estimate.noisier, 1) << has_features;
    EXPECT_EQ(report.features, has_features ? 2U : 0U);
    EXPECT_EQ(has_warning(report, "there are no features"), !has_features);
    EXPECT_FALSE(has_warning(report, "seen their own labels"));
    EXPECT_FALSE(has_warning(report, "not of one kind"));
    ASSERT_EQ(report.quality.right.size(), rows);
    std::size_t found = 0, wrong = 0;
    for (std::size_t n = 0; n < rows; ++n) {
      if (sample.dataset.labels.codes[n] == sample.clean[n]) continue;
      ++wrong;
      found += report.quality.suggested[n] == sample.clean[n] ? 1 : 0;
    }
    EXPECT_GT(static_cast<double>(found), .85 * static_cast<double>(wrong));
    EXPECT_NE(to_json(report).find("\"probabilities\": true"), std::string::npos);
  }
}

TEST(GivenProbabilities, ThatNothingLooksAtAreSaidToBeUnused) {
  const Sample sample = draw_sample(.1, .3);
  AuditOptions options;
  options.probabilities = sample.honest.view();
  for (const std::string estimator : {"moments", "latent-class", "confident", "auto"}) {
    options.estimator = estimator;
    EXPECT_EQ(has_warning(audit(sample.dataset, options, one_thread), "were not used"),
              estimator == "moments" || estimator == "latent-class");
  }
  options.anchors = 500;
  EXPECT_TRUE(has_warning(audit(sample.dataset, options, one_thread), "were not used"));
}

TEST(GivenProbabilities, ThatHaveSeenTheirLabelsAreNoticed) {
  const Sample sample = draw_sample(.2, .2);
  EXPECT_TRUE(
      has_warning(audit_with(sample.dataset, sample.memorized.view()), "seen their own labels"));
  EXPECT_TRUE(has_warning(audit_with(labels_of(sample.dataset), sample.memorized.view()),
                          "predict every given label"));
}

TEST(GivenProbabilities, OfFoldsThatDifferAreNoticed) {
  Sample sample = draw_sample(.1, .1);
  for (std::size_t n = 0; n < rows / 5; ++n) {  // a fold whose model knows nothing, and is sure
    sample.honest.row(n)[n % 2] = .9F;
    sample.honest.row(n)[1 - n % 2] = .1F;
  }
  EXPECT_TRUE(has_warning(audit_with(sample.dataset, sample.honest.view()), "not of one kind"));
}

TEST(GivenProbabilities, OfAGroupAreItsRowsOfTheMatrix) {
  Sample sample = draw_sample(.2, .2);
  Labels& groups = sample.dataset.groups;
  groups.classes = groups.spellings = {"even", "odd"};
  for (std::size_t n = 0; n < rows; ++n) groups.codes.push_back(n % 2 == 0 ? 0 : 1);
  sample.dataset.group_name = "g";
  AuditOptions options;
  options.estimator = "confident";
  options.probabilities = sample.honest.view();
  const AuditReport report = audit(sample.dataset, options, one_thread);
  ASSERT_EQ(report.groups.size(), 2U);
  Matrix odd(rows / 2, 2);
  std::vector<std::int32_t> codes;
  for (std::size_t n = 1; n < rows; n += 2) {
    odd.row(n / 2)[0] = sample.honest.row(n)[0];
    odd.row(n / 2)[1] = sample.honest.row(n)[1];
    codes.push_back(sample.dataset.labels.codes[n]);
  }
  const NoiseEstimate expected =
      estimate_from_probabilities(odd.view(), codes, sample.dataset.labels.classes);
  EXPECT_EQ(report.groups[1].estimate.transition, expected.transition);
}

TEST(GivenProbabilities, BalanceAndTrainUseThem) {
  const Sample sample = draw_sample(.05, .3);
  BalanceOptions balancing;
  balancing.audit.probabilities = sample.honest.view();
  const Dataset alone = labels_of(sample.dataset);
  const BalanceResult balanced = balance(alone, balancing, one_thread);
  EXPECT_GT(balanced.report.flipped[0], rows / 20);
  TrainModelOptions model;
  model.train.loss = LossKind::backward;
  model.transition = "confident";
  const TrainModelResult without = train_model(sample.dataset, model, one_thread);
  model.audit.probabilities = sample.honest.view();
  const TrainModelResult with = train_model(sample.dataset, model, one_thread);
  EXPECT_EQ(with.report.transition,
            estimate_from_probabilities(sample.honest.view(), sample.dataset.labels.codes,
                                        sample.dataset.labels.classes)
                .transition);
  EXPECT_NE(with.report.transition, without.report.transition);
  EXPECT_THROW(train_model(alone, model, one_thread), Error);
}

TEST(GivenProbabilities, AnswersDoNotDependOnThreads) {
  const Sample sample = draw_sample(.1, .3);
  const Dataset alone = labels_of(sample.dataset);
  AuditOptions options;
  options.probabilities = sample.honest.view();
  options.judge_rows = true;
  AuditReport one = audit(alone, options, {1, {}}), four = audit(alone, options, {4, {}});
  EXPECT_EQ(one.quality.right, four.quality.right);
  one.seconds = four.seconds = {};
  EXPECT_EQ(to_json(one), to_json(four));
}

TEST(GivenProbabilities, ThatDoNotFitAreRefused) {
  const Sample sample = draw_sample(.1, .3);
  const Matrix few(rows - 1, 2), wide(rows, 3), zeros(rows, 2);
  for (const Matrix* wrong : {&few, &wide, &zeros}) {
    EXPECT_THROW(audit_with(sample.dataset, wrong->view()), Error);
    EXPECT_THROW(audit_with(labels_of(sample.dataset), wrong->view()), Error);
  }
}

}  // namespace
}  // namespace noiseplus
