#include <gtest/gtest.h>

#include <cmath>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

using Texts = std::vector<std::string>;

Table table_of(const std::string& text) {
  return read_table(Bytes(text), "t.csv", {});
}

std::vector<float> row(const Matrix& matrix, std::size_t i) {
  return {matrix.row(i), matrix.row(i) + matrix.columns()};
}

TEST(Encoder, StandardizesImputesAndIndicates) {
  const Table table = table_of("a,b\n1,10\n3,10\n,20\n");
  Texts warnings;
  const Encoder encoder = Encoder::learn(table, {"a", "b"}, {}, warnings);
  EXPECT_EQ(encoder.names(), (Texts{"a", "a is missing", "b"}));
  const Matrix m = encoder.encode(table);
  EXPECT_EQ(row(m, 0)[0], -1);
  EXPECT_EQ(row(m, 1)[0], 1);
  EXPECT_EQ(row(m, 2)[0], 0);
  EXPECT_EQ(row(m, 2)[1], 1);
  EXPECT_NEAR(row(m, 2)[2], std::sqrt(2.0), 1e-6);
  EXPECT_TRUE(warnings.empty());
}

TEST(Encoder, OneHotWithPooledRareCategoriesAndMissing) {
  std::string text = "city\n";
  for (int i = 0; i < 20; ++i) text += "A\n";
  for (int i = 0; i < 12; ++i) text += "B\n";
  text += "C\nD\n?\n";
  const Table table = table_of(text);
  Texts warnings;
  const Encoder encoder = Encoder::learn(table, {"city"}, {}, warnings);
  EXPECT_EQ(encoder.names(), (Texts{"city=A", "city=B", "city=(other)", "city is missing"}));
  const Matrix m = encoder.encode(table);
  EXPECT_EQ(row(m, 0), (std::vector<float>{1, 0, 0, 0}));
  EXPECT_EQ(row(m, 25), (std::vector<float>{0, 1, 0, 0}));
  EXPECT_EQ(row(m, 33), (std::vector<float>{0, 0, 1, 0}));
  EXPECT_EQ(row(m, 34), (std::vector<float>{0, 0, 0, 1}));
}

TEST(Encoder, WhatCarriesNothingIsLeftOutAndSaid) {
  std::string text = "constant,empty,name,x\n";
  for (int i = 0; i < 50; ++i)
    text += "5,,person " + std::to_string(i) + "," + std::to_string(i) + "\n";
  Texts warnings;
  const Encoder encoder =
      Encoder::learn(table_of(text), {"constant", "empty", "name", "x"}, {}, warnings);
  EXPECT_EQ(encoder.names(), (Texts{"x"}));
  EXPECT_EQ(warnings,
            (Texts{"1 column left out, with one value only: constant",
                   "1 column left out, with no value at all: empty",
                   "1 column left out, with nearly as many different texts as rows: name"}));
}

TEST(Encoder, AnOddCellAmongNumbersIsNamed) {
  Texts warnings;
  Encoder::learn(table_of("a,b\n1,x\n2,x\noops,y\n4,y\n"), {"a", "b"}, {}, warnings);
  ASSERT_FALSE(warnings.empty());
  EXPECT_EQ(
      warnings[0],
      "column 'a' is taken as text because of 'oops' at t.csv:4:1; if that means missing, say "
      "--missing oops");
}

TEST(Encoder, IsReusableOnNewRows) {
  Texts warnings;
  const Encoder encoder =
      Encoder::learn(table_of("a,c\n0,x\n2,x\n4,y\n0,y\n4,x\n"), {"a", "c"}, {}, warnings);
  // A category never seen is none of those known; a column order of its own does not matter.
  const Matrix m = encoder.encode(table_of("c,a,more\nz,2,1\ny,,2\n"));
  EXPECT_EQ(row(m, 0), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(row(m, 1), (std::vector<float>{0, 0, 1}));
  EXPECT_THROW(encoder.encode(table_of("a\n1\n")), Error);
  EXPECT_THROW(encoder.encode(table_of("a,c\nmany,x\n")), Error);
}

TEST(Encoder, ATextColumnThatHoldsOnlyNumbersInNewRowsIsStillText) {
  Texts warnings;
  const Encoder encoder = Encoder::learn(table_of("c\n1\n1\nx\nx\n"), {"c"}, {}, warnings);
  const Matrix m = encoder.encode(table_of("c\n1\n2\n"));
  EXPECT_EQ(row(m, 0), (std::vector<float>{1, 0}));
  EXPECT_EQ(row(m, 1), (std::vector<float>{0, 0}));
}

TEST(Encoder, HugeOffsetsKeepTheirDigits) {
  const Table table = table_of("t\n1700000000001\n1700000000002\n1700000000003\n");
  Texts warnings;
  const Matrix m = Encoder::learn(table, {"t"}, {}, warnings).encode(table);
  EXPECT_NEAR(row(m, 2)[0] - row(m, 1)[0], std::sqrt(1.5), 1e-6);
}

TEST(Encoder, InfiniteNumbersAreRefusedOnlyInColumnsThatAreUsed) {
  const Table table = table_of("a,b\n1,2\n3,-inf\n5,4\n");
  Texts warnings;
  EXPECT_EQ(Encoder::learn(table, {"a"}, {}, warnings).names(), (Texts{"a"}));
  try {
    Encoder::learn(table, {"a", "b"}, {}, warnings);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_EQ(std::string(error.what()).substr(0, 50),
              "t.csv:3:3: an infinite number in column 'b'; leave");
  }
}

TEST(Encoder, NumbersTooLargeForFloatAreRefusedWhenNotScaled) {
  EncoderOptions options;
  options.scale = false;
  const Table table = table_of("t\n1e300\n2\n");
  Texts warnings;
  const Encoder encoder = Encoder::learn(table, {"t"}, options, warnings);
  EXPECT_THROW(encoder.encode(table), Error);
}

// Several blocks of rows have a bad cell, and one block has one in each column. Whatever the order
// of the columns in the encoder, the first in the file is named.
TEST(Encoder, TheCellThatIsNamedIsTheFirstInTheFileAtAnyNumberOfThreads) {
  std::string text = "a,b,c\n";
  for (int line = 2; line < 5000; ++line) {
    const bool is_bad = line >= 700 && line % 3 == 0;
    text += (is_bad && line > 702 ? "1e300," : "1,") + std::to_string(line % 7) + ',' +
            (is_bad ? "1e300" : "2") + '\n';
  }
  const Table table = table_of(text);
  EncoderOptions options;
  options.scale = false;
  for (const Texts& columns : {Texts{"a", "b", "c"}, Texts{"c", "b", "a"}}) {
    Texts warnings;
    const Encoder encoder = Encoder::learn(table, columns, options, warnings);
    for (const unsigned threads : {1U, 2U, 8U, 8U, 8U, 8U, 8U, 8U}) {
      try {
        encoder.encode(table, {threads, {}});
        FAIL() << "no error";
      } catch (const Error& error) {
        ASSERT_TRUE(std::string(error.what()).starts_with("t.csv:702:5: ")) << error.what();
      }
    }
  }
}

// Of two bad cells in one row, the one further left.
TEST(Encoder, TheCellThatIsNamedIsTheFirstOfItsRow) {
  const Table table = table_of("a,b\n1,2\n1e300,1e300\n");
  EncoderOptions options;
  options.scale = false;
  Texts warnings;
  const Encoder encoder = Encoder::learn(table, {"b", "a"}, options, warnings);
  try {
    encoder.encode(table);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("t.csv:3:1: ")) << error.what();
  }
}

}  // namespace
}  // namespace noiseplus
