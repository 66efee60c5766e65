// Groups and many classes through the whole audit.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/format.h"
#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"
#include "support.h"

namespace noiseplus {
namespace {

// Clusters of one clean class each, in a plane; a cluster is of one group.
struct Population {
  Dataset dataset;
  std::vector<std::int32_t> clean;
};

struct PopulationOptions {
  std::size_t rows = 6000;
  std::size_t classes = 2;
  std::vector<std::string> groups = {};  // names; none: no groups
  std::vector<double> transitions = {};  // one matrix a group, or one
  std::size_t rows_of_last_group = 0;    // 0: as many as the others
  std::uint64_t seed = 1;
};

Population make(const PopulationOptions& options) {
  constexpr std::size_t size = 60;
  Population made;
  Matrix features(options.rows, 2);
  std::vector<std::int32_t> groups;
  const std::size_t group_count = std::max<std::size_t>(options.groups.size(), 1);
  for (std::size_t n = 0; n < options.rows; ++n) {
    const std::size_t cluster = n / size;
    for (std::size_t c = 0; c < 2; ++c) {
      features.row(n)[c] =
          static_cast<float>(100 * uniform(options.seed, Stream::generate, cluster, c) +
                             .01 * normal(options.seed, Stream::generate, n, 2 + c));
    }
    made.clean.push_back(static_cast<std::int32_t>(cluster % options.classes));
    std::size_t group = cluster / options.classes % group_count;
    if (options.rows_of_last_group > 0) {
      group = n + options.rows_of_last_group >= options.rows
                  ? group_count - 1
                  : cluster / options.classes % (group_count - 1);
    }
    groups.push_back(static_cast<std::int32_t>(group));
  }
  Dataset& dataset = made.dataset;
  dataset.features = Features(std::move(features));
  dataset.labels.codes = draw_labels(made.clean, groups, options.classes, options.transitions,
                                     options.seed, Stream::corrupt);
  for (std::size_t c = 0; c < options.classes; ++c) {
    dataset.labels.classes.push_back(std::string(1, static_cast<char>('a' + c)));
  }
  dataset.labels.spellings = dataset.labels.classes;
  dataset.label_name = "y";
  if (!options.groups.empty()) {
    dataset.groups = {groups, options.groups, options.groups};
    dataset.group_name = "z";
  }
  return made;
}

std::vector<double> joined(std::initializer_list<std::vector<double>> matrices) {
  std::vector<double> all;
  for (const auto& matrix : matrices) all.insert(all.end(), matrix.begin(), matrix.end());
  return all;
}

// Rate of wrong labels of each (group, class).
std::vector<double> wrong(const Population& made, const std::vector<std::int32_t>& codes) {
  const std::size_t classes = made.dataset.labels.classes.size();
  const std::size_t groups = std::max<std::size_t>(made.dataset.groups.classes.size(), 1);
  std::vector<double> rows(classes * groups), errors(classes * groups);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const auto group = made.dataset.groups.codes.empty()
                           ? 0U
                           : static_cast<std::size_t>(made.dataset.groups.codes[n]);
    const std::size_t cell = group * classes + static_cast<std::size_t>(made.clean[n]);
    rows[cell] += 1;
    errors[cell] += codes[n] != made.clean[n] ? 1 : 0;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) errors[i] /= rows[i];
  return errors;
}

PopulationOptions two_groups() {
  PopulationOptions options;
  options.groups = {"left", "right"};
  options.transitions = joined({symmetric_transition(2, .1), symmetric_transition(2, .3)});
  return options;
}

TEST(AuditGroups, SaysWhichGroupIsNoisier) {
  const Population made = make(two_groups());
  const AuditReport report = audit(made.dataset, {});
  ASSERT_EQ(report.groups.size(), 2U);
  EXPECT_NEAR(report.groups[0].rate.value, .1, .03);
  EXPECT_NEAR(report.groups[1].rate.value, .3, .03);
  EXPECT_EQ(report.comparison.noisier, 1);
  EXPECT_EQ(report.comparison.cleaner, 0);
  EXPECT_EQ(report.scope, "group");
  ASSERT_EQ(report.plan.groups, 2U);
  EXPECT_NEAR(report.plan.of_group(0)[1], .25, .05);  // (.3 - .1) / (1 - 2 * .1)
  EXPECT_EQ(report.plan.of_group(1)[1], 0);
  const auto json = nlohmann::json::parse(to_json(report));
  EXPECT_EQ(json["noisier_group"], "right");
  EXPECT_EQ(json["groups"][0]["noise"][0]["class"], "a");
  EXPECT_EQ(json["plan"][1]["group"], "right");
  EXPECT_NE(to_text(report).find("Group 'right' is noisier than 'left'"), std::string::npos);
}

// Noise by class alone, by group alone, and by both.
TEST(AuditGroups, TheDefaultScopeIsWhatTheFindingsSupport) {
  const std::vector<std::pair<std::vector<double>, std::string>> cases = {
      {{.95, .05, .3, .7, .95, .05, .3, .7}, "class"},
      {{.9, .1, .1, .9, .7, .3, .3, .7}, "group"},
      {{.95, .05, .25, .75, .65, .35, .2, .8}, "class-in-group"}};
  for (const auto& [transitions, scope] : cases) {
    PopulationOptions options = two_groups();
    options.rows = 9000;
    options.transitions = transitions;
    AuditOptions how;
    how.compare_routes = false;
    const Population made = make(options);
    EXPECT_EQ(audit(made.dataset, how).scope, scope);
    BalanceOptions balancing;
    balancing.audit = how;
    EXPECT_EQ(balance(made.dataset, balancing).report.scope, scope);
  }
}

TEST(AuditGroups, OneRateForAllClassesIsNamedWhereItIsUsed) {
  AuditOptions how;
  how.compare_routes = false;
  const AuditReport report = audit(make(two_groups()).dataset, how);
  ASSERT_TRUE(report.groups[0].symmetric_rate && report.groups[1].symmetric_rate);
  std::string text = to_text(report);
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::string named = "balanced by the same rate for all classes ('left' " +
                            percent(report.groups[0].symmetric_rate->value) + ", 'right' " +
                            percent(report.groups[1].symmetric_rate->value) + ")";
  EXPECT_NE(text.find(named), text.npos) << text;
  AuditReport by_class = report;
  by_class.groups[0].symmetric_rate.reset();
  EXPECT_EQ(to_text(by_class).find("same rate for all classes"), std::string::npos);
}

TEST(AuditGroups, BalancingMakesThemAlike) {
  const Population made = make(two_groups());
  const std::vector<double> after = wrong(made, balance(made.dataset, {}).codes);
  for (const double rate : after) EXPECT_NEAR(rate, .3, .05);
}

TEST(AuditGroups, EqualOnesAreLeftAlone) {
  PopulationOptions options = two_groups();
  options.transitions = joined({symmetric_transition(2, .2), symmetric_transition(2, .2)});
  const Population made = make(options);
  const BalanceResult balanced = balance(made.dataset, {});
  EXPECT_EQ(balanced.report.comparison.noisier, -1);
  EXPECT_EQ(balanced.codes, made.dataset.labels.codes);
}

TEST(AuditGroups, SmallOnesAreReportedAsSuch) {
  PopulationOptions options = two_groups();
  options.groups = {"left", "right", "few"};
  options.transitions = joined(
      {symmetric_transition(2, .1), symmetric_transition(2, .3), symmetric_transition(2, .45)});
  options.rows_of_last_group = 3;
  const Population made = make(options);
  BalanceOptions how;
  how.force = true;
  const BalanceResult balanced = balance(made.dataset, how);
  const GroupNoise& few = balanced.report.groups[2];
  EXPECT_EQ(few.rows, 3U);
  EXPECT_FALSE(few.known());
  EXPECT_EQ(few.rate.low, 0);
  EXPECT_EQ(few.rate.high, 1);
  EXPECT_EQ(balanced.report.plan.of_group(2)[1], 0);
  const auto json = nlohmann::json::parse(to_json(balanced.report));
  EXPECT_EQ(json["groups"][2]["too_small"], "3 rows, fewer than 50");
  EXPECT_NE(to_text(balanced.report).find("too small"), std::string::npos);
}

TEST(AuditGroups, ClassesInGroupsAreAllMadeAlike) {
  PopulationOptions options = two_groups();
  options.rows = 12000;
  options.transitions = {.95, .05, .25, .75, .7, .3, .2, .8};
  const Population made = make(options);
  BalanceOptions how;
  how.scope = "class-in-group";
  const std::vector<double> after = wrong(made, balance(made.dataset, how).codes);
  for (const double rate : after) EXPECT_NEAR(rate, after.front(), .06);
  how.scope = "class";
  EXPECT_EQ(balance(made.dataset, how).report.plan.groups, 1U);
}

TEST(AuditGroups, ThePapersMethodHasGroupsToo) {
  const Population made = make(two_groups());
  BalanceOptions how;
  how.method = "paper";
  const BalanceResult balanced = balance(made.dataset, how);
  EXPECT_EQ(balanced.report.paper->noisiest, 1);
  EXPECT_EQ(balanced.report.comparison.noisier, 1);
  EXPECT_GT(balanced.report.paper->parts[0].epsilon, .1);
  how.scope = "class-in-group";
  EXPECT_THROW(balance(made.dataset, how), Error);
}

TEST(AuditGroups, ScopesWithoutGroupsAreRefused) {
  PopulationOptions options;
  options.rows = 600;
  options.transitions = symmetric_transition(2, .1);
  const Population made = make(options);
  for (const std::string scope : {"group", "class-in-group", "rows"}) {
    BalanceOptions how;
    how.scope = scope;
    EXPECT_THROW(balance(made.dataset, how), Error) << scope;
  }
}

TEST(AuditGroups, SameBytesAtAnyNumberOfThreads) {
  PopulationOptions options = two_groups();
  options.rows = 1800;
  const Population made = make(options);
  AuditReport one = audit(made.dataset, {}, {1, {}});
  AuditReport three = audit(made.dataset, {}, {3, {}});
  one.seconds = three.seconds = {};
  EXPECT_EQ(to_json(one), to_json(three));
}

PopulationOptions three_classes() {
  PopulationOptions options;
  options.classes = 3;
  options.rows = 9000;
  options.transitions = {.9, .05, .05, .15, .7, .15, .02, .18, .8};
  return options;
}

TEST(AuditClasses, AnyNumberOfThem) {
  const Population made = make(three_classes());
  const AuditReport report = audit(made.dataset, {});
  EXPECT_EQ(report.estimate.noisier, 1);
  for (std::size_t i = 0; i < 9; ++i) {
    EXPECT_NEAR(report.estimate.transition[i], three_classes().transitions[i], .03) << i;
  }
  for (const char* name : {"auto", "curve", "latent-class", "edges", "confident"}) {
    EXPECT_EQ(report.estimates.at(name).size(), 3U) << name;
  }
  EXPECT_FALSE(report.estimates.contains("moments"));
  EXPECT_FALSE(to_text(report).empty());
}

TEST(AuditClasses, BalancingMakesTheDiagonalAlike) {
  const Population made = make(three_classes());
  const BalanceResult balanced = balance(made.dataset, {});
  const std::vector<double> after = wrong(made, balanced.codes);
  for (const double rate : after) EXPECT_NEAR(rate, after.front(), .04);
  EXPECT_EQ(balanced.report.flipped[1], 0U);
}

TEST(AuditClasses, ThePapersMethodRanksThem) {
  const Population made = make(three_classes());
  BalanceOptions how;
  how.method = "paper";
  how.audit.paper.gamma = .01;
  const BalanceResult balanced = balance(made.dataset, how);
  EXPECT_EQ(balanced.report.estimate.noisier, 1);
  EXPECT_GT(balanced.report.flipped[0], 0U);
}

TEST(AuditClasses, EstimatorsOfTwoAreRefused) {
  const Population made = make(three_classes());
  for (const std::string estimator : {"moments", "overlap"}) {
    AuditOptions options;
    options.estimator = estimator;
    EXPECT_THROW(audit(made.dataset, options), Error) << estimator;
  }
}

TEST(AuditClasses, ARareClassDoesNotStopAuto) {
  Population made = make(three_classes());
  std::vector<std::int32_t>& codes = made.dataset.labels.codes;
  std::replace(codes.begin(), codes.end(), 2, 0);
  codes[5] = 2;
  const AuditReport report = audit(made.dataset, {});
  EXPECT_EQ(report.estimate.estimator, "latent-class");
  EXPECT_FALSE(report.estimate.identified);
}

TEST(AuditRows, SuggestTheRightLabel) {
  const Population made = make(three_classes());
  AuditOptions options;
  options.judge_rows = true;
  const AuditReport report = audit(made.dataset, options);
  ASSERT_EQ(report.quality.right.size(), made.clean.size());
  std::size_t better = 0, given = 0;
  for (std::size_t n = 0; n < made.clean.size(); ++n) {
    better += report.quality.suggested[n] == made.clean[n] ? 1 : 0;
    given += made.dataset.labels.codes[n] == made.clean[n] ? 1 : 0;
  }
  EXPECT_GT(better, made.clean.size() * 95 / 100);
  EXPECT_LT(given, made.clean.size() * 85 / 100);
  options.anchors = 500;
  EXPECT_THROW(audit(made.dataset, options), Error);
}

TEST(AuditAssume, WhatTheUserKnowsDecides) {
  Dataset dataset = make(two_groups()).dataset;
  dataset.groups = {};
  AuditOptions options;
  options.assume = "table";
  EXPECT_EQ(audit(dataset, options).mode, "overlap");
  options.assume = "embedding";
  EXPECT_EQ(audit(dataset, options).mode, "dense");
  options.assume = "cloud";
  EXPECT_THROW(audit(dataset, options), Error);
  options.assume = "table";
  options.estimator = "edges";
  EXPECT_THROW(audit(dataset, options), Error);
}

}  // namespace
}  // namespace noiseplus
