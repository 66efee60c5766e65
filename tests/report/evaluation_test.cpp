#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "noiseplus/report.h"

namespace noiseplus {
namespace {

using Codes = std::vector<std::int32_t>;

// Every third row is predicted as the next class.
Evaluation some_evaluation(const std::vector<std::string>& classes,
                           const std::vector<std::string>& groups, std::size_t rows = 600) {
  Labels labels{{}, classes, classes}, group_labels{{}, groups, groups};
  Codes predicted;
  for (std::size_t n = 0; n < rows; ++n) {
    const std::size_t code = n % classes.size();
    labels.codes.push_back(static_cast<std::int32_t>(code));
    predicted.push_back(static_cast<std::int32_t>(n % 5 == 0 ? (code + 1) % classes.size() : code));
    if (!groups.empty()) {
      group_labels.codes.push_back(static_cast<std::int32_t>(n * n / 7 % groups.size()));
    }
  }
  return evaluate(predicted, labels, classes.size() - 1, group_labels);
}

TEST(EvaluationReport, JsonHasThePromisedKeys) {
  const Evaluation evaluation = some_evaluation({"no", "yes"}, {"a", "b"});
  const auto json = nlohmann::json::parse(to_json(evaluation));
  EXPECT_DOUBLE_EQ(json["accuracy"], .8);
  EXPECT_EQ(json["positive"], "yes");
  EXPECT_EQ(json["rows"], 600);
  EXPECT_EQ(json["confusion"][0][0].get<int>() + json["confusion"][1][1].get<int>(), 480);
  EXPECT_LT(json["accuracy_interval"][0], json["accuracy"]);
  ASSERT_EQ(json["groups"].size(), 2U);
  EXPECT_EQ(json["groups"][0]["group"], "a");
  for (const std::string key : {"rows", "accuracy", "tpr", "fpr", "positive_rate"}) {
    EXPECT_TRUE(json["groups"][1][key].is_number()) << key;
  }
  EXPECT_EQ(json["groups"][1]["tpr_interval"].size(), 2U);
  EXPECT_TRUE(json["equalized_odds_violation"].is_number());
  EXPECT_DOUBLE_EQ(json["equalized_odds_violation_interval"][1],
                   evaluation.equalized_odds_violation->high);
  EXPECT_TRUE(json["demographic_parity_violation"].is_number());
  EXPECT_TRUE(json["warnings"].is_array());
}

TEST(EvaluationReport, WhatIsUnknownIsNull) {
  const auto json = nlohmann::json::parse(to_json(some_evaluation({"no", "yes"}, {})));
  EXPECT_TRUE(json["groups"].empty());
  EXPECT_TRUE(json["equalized_odds_violation"].is_null());
  EXPECT_TRUE(json["demographic_parity_violation"].is_null());
  EXPECT_TRUE(json["demographic_parity_violation_interval"].is_null());
}

TEST(EvaluationReport, BytesThatAreNotUtf8) {
  const std::string json = to_json(some_evaluation({"\xff", "yes"}, {"a", "\xfe"}));
  EXPECT_EQ(nlohmann::json::parse(json)["classes"][0], "\xef\xbf\xbd");
}

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("warning: ")) continue;
    longest = std::max(longest, line.size());
  }
  return longest;
}

TEST(EvaluationReport, TextOfTwoClassesAndGroups) {
  const std::string text = to_text(some_evaluation({"no", "yes"}, {"a", "b"}));
  EXPECT_TRUE(text.starts_with("600 rows, accuracy 80.0 % (95 % interval 76.6 to 83.0 %)\n"));
  EXPECT_NE(text.find("label   no  yes\nno     240   60\nyes     60  240\n"), text.npos) << text;
  EXPECT_NE(text.find("Equalized odds: largest difference 0.3 points (0.0 to "), text.npos) << text;
  EXPECT_LE(longest_line(text), 80U) << text;
}

TEST(EvaluationReport, TextWithoutGroups) {
  const std::string text = to_text(some_evaluation({"no", "yes"}, {}));
  EXPECT_EQ(text.find("group"), text.npos) << text;
}

TEST(EvaluationReport, NamesThatDoNotFitBecomeNumbers) {
  std::vector<std::string> classes;
  for (int c = 0; c < 12; ++c)
    classes.push_back("a name of many letters, number " + std::to_string(c));
  const std::string text = to_text(some_evaluation(classes, {"x\ny", std::string(60, 'z')}));
  EXPECT_NE(text.find("12  a name of many letter..."), text.npos) << text;
  EXPECT_NE(text.find("x?y"), text.npos) << text;
  EXPECT_LE(longest_line(text), 80U) << text;
}

TEST(EvaluationReport, ManyClassesAreSummedUp) {
  std::vector<std::string> classes;
  for (int c = 0; c < 26; ++c) classes.emplace_back(1, static_cast<char>('a' + c));
  const std::string text = to_text(some_evaluation(classes, {}, 2600));
  EXPECT_NE(text.find("Of 26 classes those that are found least often"), text.npos) << text;
  EXPECT_NE(text.find("b (20.0 %)"), text.npos) << text;
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 16);
}

// Of 600 rows those of "no" are predicted as "yes" with probability .3, those of "yes" by 1 / 3.
Evaluation expected_evaluation() {
  Labels labels{{}, {"no", "yes"}, {"no", "yes"}};
  Matrix shares(600, 2);
  for (std::size_t n = 0; n < 600; ++n) {
    labels.codes.push_back(n < 121 ? 0 : 1);
    shares.row(n)[1] = n < 121 ? .3F : 1 / 3.0F;
    shares.row(n)[0] = 1 - shares.row(n)[1];
  }
  return evaluate(shares.view(), labels, 1);
}

TEST(EvaluationReport, CountsOfPlainModelsAreWholeNumbers) {
  const auto json = nlohmann::json::parse(to_json(some_evaluation({"no", "yes"}, {})));
  EXPECT_EQ(json["confusion"].dump(), "[[240,60],[60,240]]");
}

TEST(EvaluationReport, ExpectedCountsAreRounded) {
  const auto json = nlohmann::json::parse(to_json(expected_evaluation()));
  EXPECT_EQ(json["confusion"].dump(), "[[84.7,36.3],[319.333,159.667]]");
  EXPECT_TRUE(json["rows"].is_number_integer());
  const std::string text = to_text(expected_evaluation());
  EXPECT_NE(text.find("what they are expected to be predicted as:"), text.npos) << text;
  EXPECT_NE(text.find("label     no    yes\nno      84.7   36.3\nyes    319.3  159.7\n"), text.npos)
      << text;
}

TEST(EvaluationReport, ExpectedCountsOverAThousand) {
  Labels labels{std::vector<std::int32_t>(4999), {"no", "yes"}, {"no", "yes"}};
  Matrix shares(4999, 2);
  for (std::size_t n = 0; n < 4999; ++n) shares.row(n)[0] = shares.row(n)[1] = .5F;
  const std::string text = to_text(evaluate(shares.view(), labels, 1));
  EXPECT_NE(text.find("no     2,499.5  2,499.5\nyes        0.0      0.0\n"), text.npos) << text;
}

TEST(EvaluationReport, WarningsComeLast) {
  const std::string text = to_text(some_evaluation({"no", "yes"}, {"a", "b"}, 40));
  EXPECT_NE(text.find("warning: fewer than 30 rows in "), text.npos) << text;
}

}  // namespace
}  // namespace noiseplus
