#include <gtest/gtest.h>

#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "pipeline/generated.h"

namespace noiseplus {
namespace {

using testing_support::generated;

// Clusters with noisy labels, and beside them a column that is the given label.
Dataset with_copied_label(double noise) {
  Dataset dataset = generated(.5, noise, noise, 2000);
  const RowsView view = dataset.features.view();
  Matrix rows(view.rows, view.columns + 1);
  std::vector<float> buffer(view.columns);
  for (std::size_t n = 0; n < view.rows; ++n) {
    const float* row = view.row(n, buffer.data());
    std::copy(row, row + view.columns, rows.row(n));
    rows.row(n)[view.columns] = dataset.labels.codes[n] == 1 ? 40.F : -40.F;
  }
  dataset.features = Features(std::move(rows));
  for (std::size_t n = 0; n < view.rows; ++n) {
    dataset.groups.codes.push_back(static_cast<std::int32_t>(n % 2));
  }
  dataset.groups.classes = dataset.groups.spellings = {"a", "b"};
  dataset.group_name = "g";
  return dataset;
}

class AuditWithGiveaway : public testing::TestWithParam<const char*> {};

TEST_P(AuditWithGiveaway, ClaimsNothing) {
  AuditOptions options;
  options.estimator = GetParam();
  const AuditReport report = audit(with_copied_label(.2), options);
  ASSERT_TRUE(report.giveaway);
  EXPECT_EQ(report.giveaway->columns, std::vector<std::string>{"9"});
  EXPECT_FALSE(report.estimate.identified);
  EXPECT_TRUE(report.claims.empty());
  EXPECT_TRUE(report.plan.flips_nothing());
  EXPECT_EQ(report.estimate.noisier, -1);
  EXPECT_EQ(report.comparison.noisier, -1);
  for (const EstimateWithInterval& rate : report.estimate.noise) {
    EXPECT_EQ(rate.low, 0);
    EXPECT_EQ(rate.high, 1);
  }
  for (const GroupNoise& group : report.groups) {
    EXPECT_FALSE(group.known());
    EXPECT_EQ(group.rate.high, 1);
    EXPECT_FALSE(group.symmetric_rate);
  }
  EXPECT_FALSE(report.has_upper_bound());
  if (report.wrong_share) {
    EXPECT_EQ(report.wrong_share->low, 0);
    EXPECT_EQ(report.wrong_share->high, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Estimators, AuditWithGiveaway,
                         testing::Values("auto", "moments", "latent-class", "edges", "paper"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(AuditGiveaway, IsSaidInTextAndJson) {
  const AuditReport report = audit(with_copied_label(.05), {});
  const std::string text = to_text(report), json = to_json(report);
  EXPECT_NE(text.find("Cannot be judged from these features"), text.npos) << text;
  EXPECT_NE(json.find("\"giveaway\""), json.npos);
  EXPECT_NE(json.find("column '9' alone reproduces 100 % of the labels"), json.npos);
}

TEST(AuditGiveaway, LeavesLabelsThatAreOnlyNoisyAlone) {
  const AuditReport report = audit(generated(.5, .3, .1, 2000), {});
  EXPECT_FALSE(report.giveaway);
  EXPECT_TRUE(report.estimate.identified);
}

TEST(AuditGiveaway, BalanceFlipsNothing) {
  const Dataset dataset = with_copied_label(.2);
  EXPECT_EQ(balance(dataset, {}).codes, dataset.labels.codes);
  for (const char* method : {"closed-form", "paper"}) {
    BalanceOptions options;
    options.method = method;
    options.force = true;
    options.scope = "class";
    try {
      balance(dataset, options);
      ADD_FAILURE() << method << " flipped labels";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::impossible) << error.what();
    }
  }
}

TEST(AuditGiveaway, TrainingWithEstimatedRatesIsRefused) {
  TrainModelOptions options;
  options.train.loss = LossKind::forward;
  try {
    train_model(with_copied_label(.2), options);
    ADD_FAILURE() << "trained";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::impossible);
    EXPECT_NE(std::string(error.what()).find("column '9' alone"), std::string::npos);
  }
}

// Clean clusters: no rate is known to be exactly 0.
TEST(AuditIntervals, AreNeverOfNoWidth) {
  const Dataset dataset = generated(.5, 0, 0, 2000);
  for (const char* estimator :
       {"auto", "curve", "moments", "latent-class", "edges", "overlap", "confident"}) {
    AuditOptions options;
    options.estimator = estimator;
    const AuditReport report = audit(dataset, options);
    for (const EstimateWithInterval& rate : report.estimate.noise) {
      EXPECT_GE(rate.high, 3.0 / 1010) << estimator;
      EXPECT_LT(rate.low, rate.high) << estimator;
    }
    EXPECT_LT(report.estimate.gap.low, report.estimate.gap.high) << estimator;
    const std::string text = to_text(report);
    EXPECT_EQ(text.find("0.0 to 0.0"), text.npos) << text;
  }
}

TEST(AuditIntervals, OfGroupsAreNeverOfNoWidth) {
  Dataset dataset = generated(.5, 0, 0, 600);
  for (std::size_t n = 0; n < 600; ++n) {
    dataset.groups.codes.push_back(static_cast<std::int32_t>(n % 2));
  }
  dataset.groups.classes = dataset.groups.spellings = {"a", "b"};
  const AuditReport report = audit(dataset, {});
  for (const GroupNoise& group : report.groups) EXPECT_GE(group.rate.high, 3.0 / 300);
}

}  // namespace
}  // namespace noiseplus
