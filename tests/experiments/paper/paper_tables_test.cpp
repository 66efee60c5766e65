#include "experiments/paper/paper_tables.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "noiseplus/core.h"

namespace noiseplus {
namespace {

std::ptrdiff_t settings_of_set(const std::string& table, const std::string& dataset) {
  const std::vector<PaperSetting>& all = paper_table(table);
  return std::count_if(all.begin(), all.end(),
                       [&](const PaperSetting& one) { return one.dataset == dataset; });
}

double printed(const std::string& table, const std::string& dataset, const std::string& setting,
               const std::string& method, const std::string& metric = "accuracy") {
  const auto number = published_number(table, dataset, setting, method, metric);
  return number ? number->mean : -1;
}

TEST(PaperTables, HaveEverySettingOfThePaper) {
  EXPECT_EQ(settings_of_set("table1", "adult"), 10);
  EXPECT_EQ(settings_of_set("table1", "compas"), 9);
  EXPECT_EQ(settings_of_set("table1", "fairface"), 8);
  EXPECT_EQ(settings_of_set("table2", "mnist"), 3);
  EXPECT_EQ(settings_of_set("table2", "cifar10"), 3);
  EXPECT_EQ(settings_of_set("table3", "clothing1m"), 1);
  EXPECT_EQ(settings_of_set("table4", "adult"), 4);
  EXPECT_EQ(settings_of_set("table4", "compas"), 4);
  EXPECT_EQ(settings_of_set("table4", "fairface"), 5);
}

TEST(PaperTables, HaveANumberForEveryMethodOfEverySetting) {
  for (const PaperSetting& one : paper_table("table1")) {
    EXPECT_EQ(one.published.size(), 6U) << one.dataset << one.setting;
    EXPECT_TRUE(rates_of_setting(one.setting));
    for (const auto& [what, number] : one.published) EXPECT_TRUE(number.deviation);
  }
  for (const PaperSetting& one : paper_table("table2")) {
    EXPECT_EQ(one.published.size(), one.dataset == "cifar10n" ? 0U : 6U) << one.setting;
  }
  for (const PaperSetting& one : paper_table("table4")) {
    EXPECT_EQ(one.published.size(), 8U) << one.dataset << one.setting;
  }
}

// A few, read in the paper by eye.
TEST(PaperTables, NumbersAreThoseOfThePaper) {
  EXPECT_DOUBLE_EQ(printed("table1", "adult", "0.3:0.4", "mis-sl"), 52.65);
  EXPECT_DOUBLE_EQ(printed("table1", "adult", "0.2:0.4", "paper-ce"), 65.99);
  EXPECT_DOUBLE_EQ(printed("table1", "compas", "0.0:0.3", "ce"), 53.04);
  EXPECT_DOUBLE_EQ(printed("table1", "fairface", "0.1:0.4", "paper-peer"), 87.10);
  EXPECT_DOUBLE_EQ(*published_number("table1", "compas", "0.1:0.4", "ce", "accuracy")->deviation,
                   3.90);
  EXPECT_DOUBLE_EQ(printed("table2", "mnist", "gap0.3", "paper-ce"), 81.89);
  EXPECT_DOUBLE_EQ(printed("table3", "clothing1m", "given", "paper-ce"), 70.37);
  EXPECT_DOUBLE_EQ(printed("table4", "compas", "0.3:0.4", "lr", "violation"), 17.97);
  EXPECT_DOUBLE_EQ(printed("table4", "fairface", "0.2:0.4", "balanced-peer", "violation"), 0.25);
}

TEST(PaperTables, SayNothingWhereThePaperDoes) {
  EXPECT_FALSE(published_number("table1", "adult", "0.2:0.4", "balanced-ce", "accuracy"));
  EXPECT_FALSE(published_number("table2", "cifar10n", "worse", "ce", "accuracy"));
  EXPECT_THROW(paper_table("table5"), Error);
}

TEST(PaperTables, SettingsAreComparedByWhatTheyMean) {
  EXPECT_TRUE(is_same_setting("0:.1", "0.0:0.1"));
  EXPECT_FALSE(is_same_setting("0.1:0", "0.0:0.1"));
  EXPECT_TRUE(is_same_setting("gap.2", "gap0.2"));
  EXPECT_FALSE(is_same_setting("gap0.2", "0.2:0.4"));
  EXPECT_TRUE(is_same_setting("aggre", "aggre"));
  EXPECT_FALSE(rates_of_setting("x:0.1"));
  EXPECT_FALSE(gap_of_setting("gapless"));
}

}  // namespace
}  // namespace noiseplus
