// What an audit says of what it found: one wording, for every front end.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "noiseplus/pipeline.h"
#include "noiseplus/report.h"

namespace noiseplus {
namespace {

EstimateWithInterval about(double value) {
  return {value, value - .02, value + .02};
}

// Two classes of which the second is noisier.
AuditReport two_classes() {
  AuditReport report;
  report.label = "y";
  report.rows = 1000;
  report.classes = {"no", "yes"};
  report.class_rows = {600, 400};
  report.estimate.estimator = "auto";
  report.estimate.identified = true;
  report.estimate.prior = {.5, .5};
  report.estimate.noise = {about(.05), about(.3)};
  report.estimate.transition = {.95, .05, .3, .7};
  report.estimate.gap = {.25, .2, .3};
  report.estimate.p_value = 1e-9;
  report.estimate.noisier = 1;
  report.estimate.cleaner = 0;
  report.claims = {{1, 0}};
  report.wrong_share = about(.17);
  return report;
}

GroupNoise group(const std::string& name, double rate) {
  GroupNoise made;
  made.name = name;
  made.rows = 500;
  made.estimate = two_classes().estimate;
  made.rate = about(rate);
  return made;
}

const Finding* find(const std::vector<Finding>& found, FindingId id, const std::string& subject) {
  for (const Finding& finding : found) {
    if (finding.id == id && finding.subject == subject) return &finding;
  }
  return nullptr;
}

TEST(Findings, BeginWithTheShareOfWrongLabelsAndItsCondition) {
  const std::vector<Finding> found = findings(two_classes());
  ASSERT_GE(found.size(), 3U);
  EXPECT_EQ(found[0].id, FindingId::wrong_share);
  EXPECT_EQ(found[0].text, "17.0 % of all labels are wrong (15.0 to 19.0 %).");
  EXPECT_EQ(found[0].numbers.at("value"), .17);
  EXPECT_EQ(found[1].id, FindingId::condition);
  EXPECT_EQ(found[2].id, FindingId::difference);
}

TEST(Findings, NameTheNoisierClassAndTheGap) {
  const std::vector<Finding> found = findings(two_classes());
  const Finding* const difference = find(found, FindingId::difference, "classes");
  ASSERT_NE(difference, nullptr);
  EXPECT_EQ(difference->severity, Severity::notice);
  EXPECT_TRUE(difference->text.starts_with("Class 'yes' is noisier than 'no' by 25.0 points"))
      << difference->text;
  EXPECT_EQ(difference->numbers.at("gap"), .25);
  EXPECT_EQ(difference->numbers.at("low"), .2);
}

TEST(Findings, HaveAnIntervalAmongTheirNumbersOnlyWhereItIsInTheText) {
  AuditReport report = two_classes();
  report.estimate.noisier = report.estimate.cleaner = -1;
  report.claims.clear();
  for (const double p_value : {.4, .001}) {
    report.estimate.p_value = p_value;
    const std::vector<Finding> found = findings(report);
    const Finding* const none = find(found, FindingId::no_difference, "classes");
    ASSERT_NE(none, nullptr);
    EXPECT_EQ(none->text.find("interval") != std::string::npos, p_value == .4) << none->text;
    EXPECT_EQ(none->numbers.contains("low"), p_value == .4);
    EXPECT_EQ(none->numbers.contains("p_value"), p_value == .4);
  }
}

TEST(Findings, ClaimNothingThatTheReportDoesNotClaim) {
  AuditReport report = two_classes();
  report.estimate.noisier = report.estimate.cleaner = -1;
  report.claims.clear();
  report.estimate.p_value = .4;
  report.estimate.gap.low = -.1;
  const std::vector<Finding> found = findings(report);
  EXPECT_EQ(find(found, FindingId::difference, "classes"), nullptr);
  const Finding* const none = find(found, FindingId::no_difference, "classes");
  ASSERT_NE(none, nullptr);
  EXPECT_EQ(none->severity, Severity::info);
  EXPECT_NE(none->text.find("does not prove them equally noisy"), std::string::npos);
}

TEST(Findings, GiveNoRatesWhereNoneAreIdentified) {
  AuditReport report = two_classes();
  report.estimate.identified = false;
  const std::vector<Finding> found = findings(report);
  EXPECT_EQ(find(found, FindingId::wrong_share, "labels"), nullptr);
  EXPECT_EQ(find(found, FindingId::condition, "labels"), nullptr);
  const Finding* const unknown = find(found, FindingId::not_identified, "classes");
  ASSERT_NE(unknown, nullptr);
  EXPECT_EQ(unknown->severity, Severity::warning);
}

TEST(Findings, SayOnlyThatColumnsGiveTheLabelsAway) {
  AuditReport report = two_classes();
  report.giveaway = Giveaway{GiveawayKind::column, {"code"}, .99, "code is above 3"};
  const std::vector<Finding> found = findings(report);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].id, FindingId::giveaway);
  EXPECT_NE(found[0].text.find("'code'"), std::string::npos) << found[0].text;
  EXPECT_NE(found[0].text.find("code is above 3"), std::string::npos) << found[0].text;
}

TEST(Findings, TellNoiseOfGroupsApartFromNoiseWithinAClass) {
  AuditReport report = two_classes();
  report.groups = {group("f", .1), group("m", .2)};
  report.comparison.gap = {.1, -.05, .2};
  report.comparison.p_value = .3;
  const Finding* found = nullptr;
  const std::vector<Finding> without = findings(report);
  found = find(without, FindingId::no_difference, "groups");
  ASSERT_NE(found, nullptr);
  report.comparison.class_claims = {{1, 1, 0}};
  const std::vector<Finding> with = findings(report);
  found = find(with, FindingId::difference_within_class, "groups");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->severity, Severity::notice);
  EXPECT_NE(found->text.find("labels of class 'yes' are noisier in 'm' than in 'f'"),
            std::string::npos)
      << found->text;
}

TEST(Findings, SayWhatBalancingDoesOnlyWhereItIsDoneOrAdvised) {
  AuditReport report = two_classes();
  report.plan = FlipPlan{2, {.8, .2, 0, 1}, 1};
  EXPECT_EQ(find(findings(report), FindingId::balancing, "labels"), nullptr);
  report.advice.action = "balance";
  const std::vector<Finding> advised = findings(report);
  ASSERT_NE(find(advised, FindingId::balancing, "labels"), nullptr);
  EXPECT_TRUE(find(advised, FindingId::balancing, "labels")->text.starts_with("To balance: flip"));
  report.advice.action = "nothing";
  report.flipped = {120, 0};
  const std::vector<Finding> done = findings(report);
  ASSERT_NE(find(done, FindingId::balancing, "labels"), nullptr);
  EXPECT_TRUE(
      find(done, FindingId::balancing, "labels")->text.starts_with("Flipped 120 of the 600"));
}

TEST(Findings, AreTheSentencesOfJsonAndText) {
  AuditReport report = two_classes();
  report.groups = {group("f", .1), group("m", .2)};
  report.comparison.gap = {.1, -.05, .2};
  const nlohmann::json json = nlohmann::json::parse(to_json(report));
  std::string text = to_text(report);
  std::replace(text.begin(), text.end(), '\n', ' ');
  const std::vector<Finding> found = findings(report);
  ASSERT_EQ(json["findings"].size(), found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(json["findings"][i]["id"], to_string(found[i].id));
    EXPECT_EQ(json["findings"][i]["severity"], to_string(found[i].severity));
    EXPECT_EQ(json["findings"][i]["text"], found[i].text);
    EXPECT_NE(text.find(found[i].text), std::string::npos) << found[i].text << "\n" << text;
  }
}

TEST(Findings, HaveANameEach) {
  std::set<std::string_view> names;
  for (int id = 0; id <= static_cast<int>(FindingId::balancing); ++id) {
    names.insert(to_string(static_cast<FindingId>(id)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(FindingId::balancing) + 1);
  EXPECT_FALSE(names.contains(""));
}

}  // namespace
}  // namespace noiseplus
