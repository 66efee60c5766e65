#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "pipeline/generated.h"

namespace noiseplus {
namespace {

using testing_support::generated;

ErrorKind kind_of_error(const Dataset& dataset, const BalanceOptions& options) {
  try {
    balance(dataset, options);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::cancelled;
}

TEST(Audit, PlansTheFlipThatBalances) {
  const AuditReport report = audit(generated(.3, .3, .1), {});
  EXPECT_EQ(report.estimate.noisier, 1);
  EXPECT_FALSE(report.plan.flips_nothing());
  const auto after = report.plan.after(report.estimate.transition);
  EXPECT_NEAR(after[0], after[3], 1e-12);
}

TEST(Audit, AnchorsAreASample) {
  AuditOptions options;
  options.anchors = 1000;
  const AuditReport report = audit(generated(.5, .3, .1), options);
  EXPECT_EQ(report.anchors, 1000U);
  EXPECT_EQ(report.estimate.noisier, 1);
}

// Classes in tight clusters of their own, of which the last is the noisiest.
Dataset many_classes(std::size_t classes, std::size_t rows, double last_rate) {
  Dataset dataset;
  Matrix features(rows, 2);
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t clean = n % classes;
    const double rate = clean + 1 == classes ? last_rate : .05;
    const bool is_wrong = uniform(1, Stream::generate, n, 0) < rate;
    const auto other = static_cast<std::size_t>(uniform(1, Stream::generate, n, 1) *
                                                static_cast<double>(classes - 1));
    const std::size_t label = is_wrong ? (clean + 1 + other) % classes : clean;
    dataset.labels.codes.push_back(static_cast<std::int32_t>(label));
    for (std::size_t j = 0; j < 2; ++j) {
      const double center = j == 0 ? static_cast<double>(clean) : 0;
      features.row(n)[j] = static_cast<float>(100 * center + normal(1, Stream::generate, n, 2 + j));
    }
  }
  for (std::size_t c = 0; c < classes; ++c) {
    dataset.labels.classes.push_back("class " + std::to_string(100 + c));
  }
  dataset.labels.spellings = dataset.labels.classes;
  dataset.features = Features(std::move(features));
  return dataset;
}

TEST(Audit, ManyClassesAreComparedWhereTheirRowsAreEnough) {
  constexpr std::size_t classes = 40;
  const AuditReport found = audit(many_classes(classes, classes * 300, .4), {});
  EXPECT_TRUE(found.estimate.identified);
  EXPECT_EQ(found.estimate.noisier, static_cast<int>(classes - 1));
  EXPECT_GT(found.estimate.gap.low, 0);
  const AuditReport alike = audit(many_classes(classes, classes * 300, .05), {});
  EXPECT_TRUE(alike.estimate.identified);
  EXPECT_LT(alike.estimate.noisier, 0);
  EXPECT_LT(alike.estimate.gap.low, 0);
  const AuditReport few = audit(many_classes(classes, classes * 60, .05), {});
  EXPECT_LT(few.estimate.noisier, 0);
  EXPECT_LT(few.estimate.gap.low, 0);
}

TEST(Audit, OptionsThatAreWrong) {
  const Dataset dataset = generated(.5, .3, .1, 200);
  for (const std::string estimator : {"curved", "", "Moments"}) {
    AuditOptions options;
    options.estimator = estimator;
    EXPECT_THROW(audit(dataset, options), Error);
  }
  for (const std::size_t k : {0, 1, 256, 200}) {
    AuditOptions options;
    options.k = k;
    EXPECT_THROW(audit(dataset, options), Error) << k;
  }
  for (const std::string metric : {"", "Cosine", "manhattan"}) {
    AuditOptions options;
    options.metric = metric;
    EXPECT_THROW(audit(dataset, options), Error) << metric;
  }
  AuditOptions options;
  options.positive = "maybe";
  EXPECT_THROW(audit(dataset, options), Error);
}

TEST(Audit, ClassesThatAreTooFewOrTooSmall) {
  Dataset one = generated(.5, 0, 0, 100);
  one.labels.classes = {"only"};
  std::fill(one.labels.codes.begin(), one.labels.codes.end(), 0);
  EXPECT_EQ(kind_of_error(one, {}), ErrorKind::impossible);
  Dataset rare = generated(.5, 0, 0, 100);
  std::fill(rare.labels.codes.begin(), rare.labels.codes.end(), 0);
  rare.labels.codes[5] = 1;
  EXPECT_EQ(kind_of_error(rare, {}), ErrorKind::data);
}

TEST(Balance, EqualizesTheTrueRates) {
  GeneratorOptions options;
  options.rows = 20000;
  options.positive = .24;
  const Generated clean = generate(options);
  const BalanceResult balanced = balance(generated(.24, .3, .1, 20000), {});
  double wrong[2] = {}, rows[2] = {};
  for (std::size_t n = 0; n < balanced.codes.size(); ++n) {
    ++rows[clean.codes[n]];
    wrong[clean.codes[n]] += balanced.codes[n] != clean.codes[n] ? 1 : 0;
  }
  EXPECT_NEAR(wrong[0] / rows[0], wrong[1] / rows[1], .03);
  EXPECT_GT(balanced.report.flipped[0], 1000U);
  EXPECT_EQ(balanced.report.flipped[1], 0U);
}

TEST(Balance, FlipsOnlyWhatIsProvedUnlessForced) {
  const Dataset equal = generated(.5, .2, .2);
  BalanceOptions options;
  const BalanceResult unchanged = balance(equal, options);
  EXPECT_EQ(unchanged.codes, equal.labels.codes);
  EXPECT_EQ(unchanged.report.advice.action, "nothing");
  options.force = true;
  EXPECT_NE(balance(equal, options).codes, equal.labels.codes);
}

TEST(Balance, ForceNeedsIdentifiedRates) {
  BalanceOptions options;
  options.force = true;
  EXPECT_EQ(kind_of_error(generated(.5, .5, .5), options), ErrorKind::impossible);
}

TEST(Balance, ThePapersMethodsFlipOrSayUnsuccessful) {
  BalanceOptions options;
  options.method = "paper-rebalanced";
  const BalanceResult balanced = balance(generated(.5, .3, .1), options);
  EXPECT_TRUE(balanced.report.paper->successful);
  EXPECT_GT(balanced.report.flipped[0], 0U);
  EXPECT_EQ(balanced.report.flipped[1], 0U);
  options.audit.paper.gamma = .9;
  EXPECT_EQ(kind_of_error(generated(.5, .3, .1), options), ErrorKind::impossible);
  options.method = "guess";
  EXPECT_EQ(kind_of_error(generated(.5, .3, .1), options), ErrorKind::usage);
}

TEST(Balance, ThePapersEstimatorIsAMethodNotAnEstimate) {
  BalanceOptions options;
  options.audit.estimator = "paper";
  EXPECT_EQ(kind_of_error(generated(.5, .3, .1, 200), options), ErrorKind::usage);
  options.audit.estimator = "bogus";
  options.method = "paper";
  EXPECT_EQ(kind_of_error(generated(.5, .3, .1, 200), options), ErrorKind::usage);
}

TEST(Balance, SameBytesAtAnyNumberOfThreads) {
  for (const std::string method : {"closed-form", "paper", "paper-rebalanced"}) {
    BalanceOptions options;
    options.method = method;
    const Dataset dataset = generated(.4, .3, .1, 2000);
    BalanceResult one = balance(dataset, options, {1, {}});
    BalanceResult three = balance(dataset, options, {3, {}});
    EXPECT_EQ(one.codes, three.codes);
    one.report.seconds = three.report.seconds = {};
    EXPECT_EQ(to_json(one.report), to_json(three.report));
  }
}

TEST(Json, SurvivesHostileNames) {
  Dataset dataset = generated(.5, .3, .1, 500);
  dataset.labels.classes = {"<script>\"\\\n", "\xff\xfe"};
  const AuditReport report = audit(dataset, {});
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["classes"][0], "<script>\"\\\n");
  EXPECT_EQ(to_text(report).find('\x1b'), std::string::npos);
}

TEST(Text, ShowsRatesVerdictAndFlips) {
  const std::string text = to_text(audit(generated(.3, .3, .1), {}));
  for (const char* part : {"4,000 rows", "noise rate", "'yes' is noisier than 'no' by"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  const std::string balanced = to_text(balance(generated(.3, .3, .1), {}).report);
  EXPECT_NE(balanced.find("Flipped "), std::string::npos) << balanced;
}

}  // namespace
}  // namespace noiseplus
