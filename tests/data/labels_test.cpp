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

TEST(Labels, ThePositiveClassIsTheLastOrTheOneNamed) {
  const Labels labels = make_labels(Texts{"1.0", "0"}, "f");
  EXPECT_EQ(labels.positive(""), 1U);
  EXPECT_EQ(labels.positive("0.0"), 0U);
  const auto message = [](const Labels& all) -> std::string {
    try {
      all.positive("x");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(labels), "--positive x: no such class; there are '0' and '1'");
  EXPECT_EQ(message(make_labels(Texts{"c", "b", "a"}, "f")),
            "--positive x: no such class; the first is 'a', the last 'c'");
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

TEST(Relabel, SomeOfTheClassesInTheModelsOrder) {
  const Labels labels = relabel(make_labels(Texts{"yes", "maybe", "yes"}, "f"),
                                {"maybe", "no", "yes"}, {"maybe", "no", "yes"}, "f");
  EXPECT_EQ(labels.codes, (Codes{2, 0, 2}));
  EXPECT_EQ(labels.classes, (Texts{"maybe", "no", "yes"}));
}

TEST(Relabel, NumbersHoweverTheyAreWritten) {
  EXPECT_EQ(relabel(make_labels(Texts{"1.0", "1", "+0"}, "f"), {"0", "1"}, {"0", "1"}, "f").codes,
            (Codes{1, 1, 0}));
  EXPECT_EQ(relabel(make_labels(Texts{"1"}, "f"), {"0", "1"}, {"0.0", "1.0"}, "f").codes, Codes{1});
}

TEST(Relabel, TextsThatLookLikeNumbersStayTexts) {
  const Texts classes = {"1", "1.0", "q"};
  EXPECT_EQ(relabel(make_labels(Texts{"1.0"}, "f"), classes, classes, "f").codes, Codes{1});
  EXPECT_EQ(relabel(make_labels(Texts{"1"}, "f"), classes, classes, "f").codes, Codes{0});
}

std::string relabel_message(const Texts& texts, const Texts& classes) {
  try {
    relabel(make_labels(texts, "f.csv"), classes, classes, "f.csv");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  return "";
}

TEST(Relabel, ALabelTheModelHasNeverSeen) {
  EXPECT_EQ(relabel_message({"yes", "no", "maybe", "maybe"}, {"no", "yes"}),
            "f.csv: row 3: the label 'maybe' is none of the model's classes no, yes; correct the "
            "label or leave out the row");
  EXPECT_NE(relabel_message({"1.5"}, {"1", "2"}), "");
  Texts many;
  for (int c = 0; c < 13; ++c) many.push_back("c" + std::to_string(c));
  EXPECT_NE(relabel_message({"x"}, many).find("c9 and 3 more;"), std::string::npos);
}

}  // namespace
}  // namespace noiseplus
