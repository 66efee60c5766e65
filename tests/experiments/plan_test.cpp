#include "experiments/plan.h"

#include <gtest/gtest.h>

#include "experiments/pace.h"

namespace noiseplus {
namespace {

std::string message_of(const std::string& text, const std::vector<std::string>& parts) {
  try {
    parse_only(text, parts);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
  return "";
}

TEST(Plan, AllIsEveryPart) {
  EXPECT_EQ(parts_called("all").size(), 5U);
  EXPECT_EQ(parts_called("table2"), std::vector<std::string>{"table2"});
  EXPECT_THROW(parts_called("table5"), Error);
}

TEST(Plan, OnlyPicksDataSetsAndSettings) {
  const std::vector<std::string> parts = {"table1", "table4"};
  const std::vector<Only> adult = {parse_only("adult", parts)};
  EXPECT_EQ(wanted_settings("table1", adult).size(), 10U);
  EXPECT_EQ(wanted_settings("table4", adult).size(), 4U);
  const std::vector<Only> two = {parse_only("adult:.2:.4", parts),
                                 parse_only("compas:0:0.1", parts)};
  ASSERT_EQ(wanted_settings("table1", two).size(), 2U);
  EXPECT_EQ(wanted_settings("table1", two)[0].setting, "0.2:0.4");
  EXPECT_EQ(wanted_settings("table1", two)[1].dataset, "compas");
  EXPECT_EQ(wanted_settings("table4", two).size(), 1U);
  EXPECT_EQ(wanted_settings("table1", {}).size(), 27U);
}

TEST(Plan, OnlyOfWhatIsNotThereSaysWhatIs) {
  EXPECT_EQ(message_of("mnist", {"table1"}),
            "--only mnist: no such data set here; there are adult, compas, fairface");
  EXPECT_NE(message_of("mnist:gap0.5", {"table2"}).find("there are gap0.1, gap0.2, gap0.3"),
            std::string::npos);
}

TEST(Pace, TellsWhatIsDone) {
  Pace pace;
  EXPECT_EQ(pace.done(), 1);
  pace.expect(8);
  pace.expect(4);
  pace.skip(2);
  pace.finish(5);
  EXPECT_DOUBLE_EQ(pace.done(), .5);
  EXPECT_DOUBLE_EQ(pace.done(2.5), .75);
}

TEST(Pace, PassesProgressOnWithTheNameOfTheCell) {
  Pace pace;
  pace.expect(4);
  std::string stage;
  double done = 0;
  const Execution outer{1, [&](const Progress& progress) {
                          stage = progress.stage;
                          done = progress.done;
                          return false;
                        }};
  const Execution inner = pace.watched(outer, "a cell", 2);
  EXPECT_FALSE(inner.progress({"training", .9}));
  EXPECT_EQ(stage, "a cell");
  EXPECT_DOUBLE_EQ(done, .25);
}

}  // namespace
}  // namespace noiseplus
