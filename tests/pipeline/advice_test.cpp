#include <gtest/gtest.h>

#include <algorithm>

#include "noiseplus/kernels.h"
#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "pipeline/generated.h"

namespace noiseplus {
namespace {

using testing_support::generated;

// A table whose classes meet along a bent edge; some rows are between them. Labels of class c are
// wrong with probability rates[c].
Dataset table(double rate_0, double rate_1, std::size_t rows = 3000) {
  constexpr std::size_t columns = 6;
  Dataset dataset;
  Matrix features(rows, columns);
  for (std::size_t n = 0; n < rows; ++n) {
    float* const row = features.row(n);
    for (std::size_t j = 0; j < columns; ++j) {
      row[j] = static_cast<float>(normal(1, Stream::generate, n, 2 * j));
    }
    const double edge = double{row[0]} + double{row[1]} * double{row[2]};
    const double doubt = .3 * normal(2, Stream::generate, n, 0);
    const std::int32_t clean = edge + doubt > .3 ? 1 : 0;
    const bool is_wrong = uniform(3, Stream::generate, n) < (clean == 1 ? rate_1 : rate_0);
    dataset.labels.codes.push_back(is_wrong ? 1 - clean : clean);
  }
  dataset.labels.classes = dataset.labels.spellings = {"no", "yes"};
  dataset.label_name = "y";
  dataset.features = Features(std::move(features));
  return dataset;
}

const RouteGain* gain_of(const AuditReport& report, const std::string& action) {
  if (!report.advice.comparison) return nullptr;
  for (const RouteGain& gain : report.advice.comparison->gains) {
    if (gain.action == action) return &gain;
  }
  return nullptr;
}

TEST(Advice, WeightsWhereNoiseIsHighButEqual) {
  const AuditReport report = audit(table(.3, .3), {});
  EXPECT_EQ(report.advice.action, "weight");
  ASSERT_TRUE(report.advice.expected_gain);
  EXPECT_GT(report.advice.expected_gain->value, .01);
  EXPECT_LT(report.advice.expected_gain->low, report.advice.expected_gain->value);
  EXPECT_NE(report.advice.why.find("boosted trees"), std::string::npos);
  EXPECT_EQ(gain_of(report, "balance"), nullptr);
}

TEST(Advice, NothingWhereLabelsAreClean) {
  const AuditReport report = audit(table(0, 0), {});
  EXPECT_EQ(report.advice.action, "nothing");
  EXPECT_FALSE(report.advice.expected_gain);
  ASSERT_TRUE(report.advice.comparison);
  EXPECT_EQ(report.advice.comparison->rows, 3000U);
}

TEST(Advice, TakesTheBestRouteWhereAClassIsNoisier) {
  const AuditReport report = audit(table(.05, .4), {});
  ASSERT_EQ(report.estimate.noisier, 1);
  ASSERT_TRUE(report.advice.comparison);
  EXPECT_TRUE(report.advice.comparison->is_corrected);
  ASSERT_NE(gain_of(report, "balance"), nullptr);
  ASSERT_NE(gain_of(report, "correct"), nullptr);
  const RouteGain* const taken = gain_of(report, report.advice.action);
  ASSERT_NE(taken, nullptr) << report.advice.action << ": " << report.advice.why;
  for (const RouteGain& gain : report.advice.comparison->gains) {
    EXPECT_LE(gain.gain.value - gain.standard_error, taken->gain.value - taken->standard_error);
  }
  EXPECT_GT(taken->gain.value, taken->standard_error);
  EXPECT_GT(report.advice.balance_bound, 0);
  EXPECT_GT(report.advice.correct_bound, 0);
}

TEST(Advice, DecidesByBoundsWhereNothingWasTried) {
  AuditOptions options;
  options.compare_routes = false;
  const AuditReport report = audit(generated(.3, .3, .1), options);
  EXPECT_EQ(report.advice.action, "balance");
  EXPECT_FALSE(report.advice.comparison);
  EXPECT_LE(report.advice.balance_bound, report.advice.correct_bound);
}

TEST(Advice, FixesTheFewThatAreSurelyWrong) {
  const AuditReport report = audit(generated(.5, .02, .02), {});
  EXPECT_EQ(report.advice.action, "fix") << report.advice.why;
  EXPECT_NEAR(static_cast<double>(report.advice.rows_to_fix), .02 * 4000, 20);
  EXPECT_NE(report.advice.why.find(std::to_string(report.advice.rows_to_fix)), std::string::npos);
}

TEST(Advice, ManyWrongLabelsAreNotFixedByHand) {
  const AuditReport report = audit(generated(.5, .2, .2), {});
  EXPECT_NE(report.advice.action, "fix");
  EXPECT_EQ(report.advice.rows_to_fix, 0U);
}

// Fewer than a person could look at, and still a quarter of the labels.
TEST(Advice, AFewRowsWithMuchNoiseAreNotFixedByHand) {
  const AuditReport report = audit(generated(.5, .2, .2, 1200), {});
  EXPECT_NE(report.advice.action, "fix");
  EXPECT_EQ(report.advice.rows_to_fix, 0U);
}

TEST(Advice, ChecksWhereColumnsGiveTheLabelsAway) {
  Dataset dataset = table(.2, .2);
  const RowsView rows = dataset.features.view();
  Matrix wider(rows.rows, rows.columns + 1);
  std::vector<float> buffer(rows.columns);
  for (std::size_t n = 0; n < rows.rows; ++n) {
    std::copy_n(rows.row(n, buffer.data()), rows.columns, wider.row(n));
    wider.row(n)[rows.columns] = static_cast<float>(dataset.labels.codes[n]);
  }
  dataset.features = Features(std::move(wider));
  const AuditReport report = audit(dataset, {});
  ASSERT_TRUE(report.giveaway);
  EXPECT_EQ(report.advice.action, "check");
  EXPECT_NE(report.advice.why.find("columns give them away"), std::string::npos);
  EXPECT_FALSE(report.advice.comparison);
}

// Features that tell nothing of the labels.
TEST(Advice, ChecksWhereTheRatesAreNotIdentified) {
  const AuditReport report = audit(table(.5, .5, 1000), {});
  ASSERT_FALSE(report.estimate.identified);
  EXPECT_EQ(report.advice.action, "check") << report.advice.why;
  EXPECT_NE(report.advice.why.find("not identified"), std::string::npos);
}

TEST(Advice, FewRowsAreNotCompared) {
  const AuditReport report = audit(table(.2, .2, 200), {});
  EXPECT_FALSE(report.advice.comparison);
  EXPECT_FALSE(report.advice.action.empty());
}

TEST(Advice, ManyClassesAreNotCompared) {
  Dataset dataset = table(0, 0, 2000);
  std::vector<std::string> names;
  for (int c = 0; c < 40; ++c) names.push_back("class " + std::to_string(100 + c));
  for (std::size_t n = 0; n < 2000; ++n) dataset.labels.codes[n] = static_cast<int>(n % 40);
  dataset.labels.classes = dataset.labels.spellings = names;
  const AuditReport report = audit(dataset, {});
  EXPECT_FALSE(report.advice.comparison);
  EXPECT_FALSE(report.advice.action.empty());
}

// A class too rare to be in every fold takes no part, and the audit says what it says.
TEST(Advice, RareClassesTakeNoPart) {
  Dataset dataset = table(.2, .2);
  dataset.labels.classes = dataset.labels.spellings = {"no", "rare", "yes"};
  for (std::int32_t& code : dataset.labels.codes) code *= 2;
  dataset.labels.codes[7] = dataset.labels.codes[77] = dataset.labels.codes[777] = 1;
  const AuditReport report = audit(dataset, {});
  ASSERT_TRUE(report.advice.comparison);
  EXPECT_EQ(report.advice.comparison->rows, 2997U);
}

TEST(Advice, IsTheSameWithAnyNumberOfThreadsAndKernel) {
  const Dataset dataset = table(.1, .4, 1500);
  AuditReport one = audit(dataset, {}, {.threads = 1});
  AuditReport two = audit(dataset, {}, {.threads = 2});
  one.seconds = two.seconds = {};
  EXPECT_EQ(to_json(one), to_json(two));
  set_kernel("scalar");
  AuditReport scalar = audit(dataset, {});
  set_kernel("auto");
  scalar.seconds = {};
  if (kernel_in_use() != "sse4") {
    EXPECT_EQ(to_json(one), to_json(scalar));
  }
}

TEST(Advice, ComparisonCanBeCancelled) {
  bool seen = false;
  const Execution execution{.threads = 2, .progress = [&](const Progress& progress) {
                              seen |= progress.stage == "routes";
                              return progress.stage != "routes" || progress.done < .6;
                            }};
  try {
    audit(table(.2, .2, 1500), {}, execution);
    FAIL() << "not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_TRUE(seen);
}

}  // namespace
}  // namespace noiseplus
