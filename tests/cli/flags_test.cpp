#include "../../cli/flags.h"

#include <gtest/gtest.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace noiseplus::cli {
namespace {

using Texts = std::vector<std::string>;

DataRequest parse(const std::string& line) {
  CLI::App app;
  DataFlags flags;
  add_data(app, flags);
  add_group(app, flags);
  app.parse(line);
  return flags.request();
}

TEST(Flags, GroupsAreRepeatedColumnsOrAFile) {
  const DataRequest table = parse("--group sex --group race t.csv --label y --missing NA,none");
  EXPECT_EQ(table.groups, (Texts{"sex", "race"}));
  EXPECT_EQ(table.path, "t.csv");
  EXPECT_EQ(table.missing, (Texts{"NA", "none"}));
  const DataRequest array = parse("x.npy --labels y.csv --label y --groups g.csv");
  EXPECT_TRUE(array.groups.empty());
  EXPECT_EQ(array.groups_path, "g.csv");
  EXPECT_EQ(array.labels_path, "y.csv");
}

}  // namespace
}  // namespace noiseplus::cli
