#include "experiments/methods/cells.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support.h"

namespace noiseplus {
namespace {

using testing_support::content_of;
using testing_support::TemporaryFolder;

const Cell cell = {"table1", "adult", "0.2:0.4", 3};

CellResult some_result() {
  CellResult result;
  result.add("ce", "accuracy", 71.96123456789012);
  result.add("lr", "violation", 1.0 / 3);
  result.facts["claim"] = -1;
  return result;
}

TEST(Cells, ComeBackToTheLastBit) {
  const std::optional<CellResult> back = parse_cell(cell_text(some_result(), 7), 7);
  ASSERT_TRUE(back);
  ASSERT_EQ(back->measured.size(), 2U);
  EXPECT_EQ(back->measured[0].value, 71.96123456789012);
  EXPECT_EQ(back->measured[1].value, 1.0 / 3);
  EXPECT_EQ(back->measured[1].metric, "violation");
  EXPECT_EQ(back->facts.at("claim"), -1);
}

TEST(Cells, OfOtherDataOrDamagedAreNotFinished) {
  const std::string text = cell_text(some_result(), 7);
  EXPECT_FALSE(parse_cell(text, 8));
  EXPECT_FALSE(parse_cell("", 7));
  EXPECT_FALSE(parse_cell("[]", 7));
  EXPECT_FALSE(parse_cell("{\"fingerprint\": 7}", 7));
  for (std::size_t length = 0; length + 2 < text.size(); ++length) {
    EXPECT_FALSE(parse_cell(text.substr(0, length), 7)) << length;
  }
  CellResult lost;
  lost.add("ce", "accuracy", std::nan(""));
  EXPECT_FALSE(parse_cell(cell_text(lost, 7), 7));
}

TEST(Cells, AreKeptInFilesOfTheirNames) {
  const TemporaryFolder folder;
  const CellStore store(folder.file("a/b"));
  EXPECT_FALSE(store.find(cell, 7));
  store.keep(cell, 7, some_result());
  EXPECT_TRUE(store.find(cell, 7));
  EXPECT_FALSE(store.find(cell, 8));
  EXPECT_FALSE(store.find({"table1", "adult", "0.2:0.4", 4}, 7));
  EXPECT_EQ(content_of(folder.file("a/b/table1-adult-0.2-0.4-seed3.json")),
            cell_text(some_result(), 7));
}

TEST(Cells, AFileInPlaceOfTheFolderIsNoAccess) {
  const TemporaryFolder folder;
  folder.write("a", "");
  try {
    CellStore store(folder.file("a/b"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
  }
}

TEST(Fingerprint, ChangesWithEachPartOfTheData) {
  KnownRows set;
  set.rows = Matrix(2, 2);
  set.clean = {0, 1};
  set.classes = {"a", "b"};
  const std::uint64_t before = fingerprint(set);
  EXPECT_EQ(fingerprint(set), before);
  KnownRows other = set;
  other.rows.row(1)[1] = 1e-30F;
  EXPECT_NE(fingerprint(other), before);
  other = set;
  other.clean[0] = 1;
  EXPECT_NE(fingerprint(other), before);
  other = set;
  other.groups = {0, 0};
  EXPECT_NE(fingerprint(other), before);
  other = set;
  other.classes[1] = "c";
  EXPECT_NE(fingerprint(other), before);
  EXPECT_NE(fingerprint(before, "x"), fingerprint(before, "y"));
}

}  // namespace
}  // namespace noiseplus
