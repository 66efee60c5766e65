#include <gtest/gtest.h>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

using Texts = std::vector<std::string>;
using Codes = std::vector<std::int32_t>;

TEST(Labels, NumbersAreSortedByValueAndNamedWithoutPointZero) {
  const Labels labels = make_labels(Texts{"10", "9.0", "9", "-1", "0.50"}, "f");
  EXPECT_EQ(labels.classes, (Texts{"-1", "0.50", "9", "10"}));
  EXPECT_EQ(labels.codes, (Codes{3, 2, 2, 0, 1}));
  EXPECT_EQ(labels.spellings[2], "9.0");
}

TEST(Labels, TextsAreSortedByBytes) {
  const Labels labels = make_labels(Texts{"b", "a", "Z", "é", "10", "9"}, "f");
  EXPECT_EQ(labels.classes, (Texts{"10", "9", "Z", "a", "b", "é"}));
}

TEST(Labels, FoundByNameSpellingOrNumber) {
  const Labels labels = make_labels(Texts{"1.0", "0"}, "f");
  EXPECT_EQ(labels.find("1"), 1U);
  EXPECT_EQ(labels.find("1.0"), 1U);
  EXPECT_EQ(labels.find("+1.00"), 1U);
  EXPECT_EQ(labels.find("2"), std::nullopt);
  const Labels texts = make_labels(Texts{"1", "1.0", "q"}, "f");
  ASSERT_EQ(texts.classes.size(), 3U);
  EXPECT_EQ(texts.find("1.0"), 1U);
  EXPECT_EQ(texts.find("1"), 0U);
  EXPECT_EQ(texts.find("1.00"), std::nullopt);
}

TEST(Labels, LargeIntegersStayApart) {
  const Labels labels = make_labels(Texts{"9007199254740993", "9007199254740992"}, "f");
  EXPECT_EQ(labels.classes, (Texts{"9007199254740992", "9007199254740993"}));
}

TEST(Labels, AMissingLabelIsAnErrorWithItsLine) {
  TableOptions options;
  options.text_columns = {"y"};
  const Table table = read_table(Bytes("x,y\n1,a\n2,?\n"), "t.csv", options);
  try {
    make_labels(table.column("y"), table);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_STREQ(error.what(),
                 "t.csv:3:3: column 'y': the label is missing; fill it in or remove the row");
  }
  EXPECT_THROW(make_labels(Texts{"1", "nan"}, "f"), Error);
}

}  // namespace
}  // namespace noiseplus
