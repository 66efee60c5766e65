#include "experiments/results/results.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace noiseplus {
namespace {

CellResult accuracies(double ce, double balanced, double clean, double claim) {
  CellResult result;
  result.add("ce", "accuracy", ce);
  result.add("balanced-ce", "accuracy", balanced);
  result.add("clean-ce", "accuracy", clean);
  result.facts = {{"claim", claim}, {"paper unsuccessful", claim == 0 ? 1 : 0}};
  return result;
}

TableResult small_table() {
  TableResult table;
  table.name = "table1";
  table.add({"table1", "adult", "0.2:0.4", 0}, accuracies(70, 79, 82, 1));
  table.add({"table1", "adult", "0.2:0.4", 1}, accuracies(72, 81, 82, 0));
  table.add({"table1", "compas", "0.0:0.1", 0}, accuracies(66, 65, 67, -1));
  table.descriptions["adult"] = "Some rows.";
  table.absent = {"fairface"};
  return table;
}

TEST(Spread, HasAMeanAndADeviation) {
  EXPECT_DOUBLE_EQ((Spread{{1, 2, 6}}).mean(), 3);
  EXPECT_DOUBLE_EQ((Spread{{1, 2, 6}}).deviation(), std::sqrt(7));
  EXPECT_EQ((Spread{{5}}).deviation(), 0);
}

TEST(Results, JsonHasMeansAndDeviationsInTheOrderOfTheTable) {
  const nlohmann::json rows = nlohmann::json::parse(results_json(small_table())).at("rows");
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0].at("dataset"), "adult");
  EXPECT_EQ(rows[0].at("setting"), "0.2:0.4");
  EXPECT_EQ(rows[0].at("method"), "ce");
  EXPECT_EQ(rows[0].at("metric"), "accuracy");
  EXPECT_DOUBLE_EQ(rows[0].at("mean").get<double>(), 71);
  EXPECT_DOUBLE_EQ(rows[0].at("sd").get<double>(), 1.4142);
  EXPECT_EQ(rows[0].at("seeds"), 2);
  EXPECT_EQ(rows[1].at("method"), "balanced-ce");
  EXPECT_EQ(rows[3].at("dataset"), "compas");
  EXPECT_EQ(rows[3].at("sd"), 0);
}

TEST(Results, PageHasThePapersNumbersBesideOurs) {
  const std::string page = results_markdown(small_table(), "noiseplus reproduce table1");
  EXPECT_NE(page.find("    noiseplus reproduce table1\n"), std::string::npos);
  EXPECT_NE(page.find("## Adult\n\nSome rows.\n"), std::string::npos);
  EXPECT_NE(page.find("| 71.00 ± 1.41 (63.49) |"), std::string::npos) << page;
}

TEST(Results, BestOfWhatAUserCouldChooseIsBold) {
  const std::string page = results_markdown(small_table(), "");
  EXPECT_NE(page.find("| **80.00** ± 1.41 |"), std::string::npos) << page;
  EXPECT_NE(page.find("| **66.00** (66.16) |"), std::string::npos) << page;
  EXPECT_EQ(page.find("**82"), std::string::npos);
}

TEST(Results, PageSaysWhatAutoClaimedAndWhatTheSearchFound) {
  const std::string page = results_markdown(small_table(), "");
  EXPECT_NE(page.find("| 1 right, 1 silent | unsuccessful in 1 of 2 |"), std::string::npos) << page;
  EXPECT_NE(page.find("| 1 wrong | found |"), std::string::npos) << page;
}

TEST(Results, AMethodThatSomeSeedsLackIsNotTheBest) {
  TableResult table = small_table();
  CellResult without = accuracies(60, 61, 62, 0);
  without.measured.erase(without.measured.begin() + 1);
  without.facts["not identified"] = 1;
  table.add({"table1", "adult", "0.2:0.4", 2}, without);
  const std::string page = results_markdown(table, "");
  EXPECT_NE(page.find("| 80.00 ± 1.41, 2 of 3 seeds |"), std::string::npos) << page;
  EXPECT_NE(page.find("| **67.33** ± 6.43 (63.49) |"), std::string::npos) << page;
  EXPECT_NE(page.find("| 1 right, 2 silent (1 not identified) |"), std::string::npos) << page;
}

TEST(Results, MethodsWithoutAValueAreADash) {
  const std::string page = results_markdown(small_table(), "");
  EXPECT_NE(page.find("| - (72.06) | - (71.97) |"), std::string::npos) << page;
}

TEST(Results, DataThatAreNotThereAreNamed) {
  const std::string page = results_markdown(small_table(), "");
  const std::size_t at = page.find("## FairFace\n\nNot at hand: the paper's numbers only.");
  ASSERT_NE(at, std::string::npos);
  EXPECT_NE(page.find("| 0.1 | 0.4 | - (59.30) | - (83.10) |", at), std::string::npos) << page;
}

TEST(Results, OfTwoViolationsTheSmallerIsTheBest) {
  TableResult table;
  table.name = "table4";
  CellResult result;
  result.add("lr", "accuracy", 80);
  result.add("lr", "violation", 9);
  result.add("balanced-lr", "accuracy", 79);
  result.add("balanced-lr", "violation", 3);
  result.facts["claim"] = 1;
  table.add({"table4", "adult", "0.2:0.4", 0}, result);
  const std::string page = results_markdown(table, "");
  EXPECT_NE(page.find("| accuracy | **80.00** (72.73) |"), std::string::npos) << page;
  EXPECT_NE(page.find("| violation | 9.00 (6.48) |"), std::string::npos) << page;
  EXPECT_NE(page.find("| **3.00** (3.16) |"), std::string::npos) << page;
}

}  // namespace
}  // namespace noiseplus
