#include <gtest/gtest.h>

#include <cmath>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

Table read(const std::string& text, TableOptions options = {}, unsigned threads = 1) {
  Execution execution;
  execution.threads = threads;
  return read_table(Bytes(text), "t.csv", options, execution);
}

std::string error_of(const std::string& text, ErrorKind kind = ErrorKind::data) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

std::vector<std::string> texts_of(const Column& column) {
  std::vector<std::string> texts;
  for (const std::int32_t code : column.codes) {
    texts.push_back(code < 0 ? "(missing)" : column.categories[static_cast<std::size_t>(code)]);
  }
  return texts;
}

using Texts = std::vector<std::string>;
using Numbers = std::vector<double>;

TEST(Table, NumbersAndTexts) {
  const Table table = read("a,b\n1,x\n-2.5,y\n1e3,x\n");
  ASSERT_EQ(table.rows, 3U);
  EXPECT_EQ(table.column("a").numbers, (Numbers{1, -2.5, 1000}));
  EXPECT_EQ(texts_of(table.column("b")), (Texts{"x", "y", "x"}));
}

TEST(Table, NumbersAreReadToTheLastBit) {
  const Table table = read(
      "a\n0.1\n0.30000000000000004\n9007199254740993\n1.7976931348623157e308\n123456789.123456789\n"
      "4.9e-324\n00012.500\n+7\n.5\n5.\n18446744073709551616\n2.2250738585072011e-308\n");
  EXPECT_EQ(table.columns[0].numbers,
            (Numbers{0.1, 0.30000000000000004, 9007199254740993.0, 1.7976931348623157e308,
                     123456789.123456789, 4.9e-324, 12.5, 7, .5, 5, 18446744073709551616.0,
                     2.2250738585072011e-308}));
}

TEST(Table, QuotesDelimitersLineEndsInsideCells) {
  const Table table = read("a,b\n\"x, \"\"y\"\"\",1\n\"two\nlines\",2\n \"blanks\" ,3\n");
  EXPECT_EQ(texts_of(table.column("a")), (Texts{"x, \"y\"", "two\nlines", "blanks"}));
  EXPECT_EQ(table.column("b").numbers, (Numbers{1, 2, 3}));
  EXPECT_EQ(table.where(2, table.columns[0]), "t.csv:5:1");
  EXPECT_EQ(table.where(0, table.columns[1]), "t.csv:2:12");
}

TEST(Table, WindowsLineEndsByteOrderMarkAndNoLastLineEnd) {
  const Table table = read(
      "\xef\xbb\xbf"
      "a,b\r\n1,x\r\n2,y");
  EXPECT_EQ(table.columns[0].name, "a");
  EXPECT_EQ(table.column("a").numbers, (Numbers{1, 2}));
  EXPECT_EQ(texts_of(table.column("b")), (Texts{"x", "y"}));
}

TEST(Table, MissingCells) {
  TableOptions options;
  options.missing.push_back("NA");
  const Table table = read("a,b\n,x\n?,\n3, ? \nnan,NA\n", options);
  EXPECT_EQ(table.column("a").missing(), 3U);
  EXPECT_EQ(table.column("a").numbers[2], 3);
  EXPECT_EQ(texts_of(table.column("b")), (Texts{"x", "(missing)", "(missing)", "(missing)"}));
}

TEST(Table, DuplicateNamesAreNumbered) {
  const Table table = read("a,a,b,a,,a.1\n1,2,3,4,5,6\n");
  Texts names;
  for (const Column& column : table.columns) names.push_back(column.name);
  EXPECT_EQ(names, (Texts{"a", "a.1", "b", "a.2", "5", "a.1.1"}));
  EXPECT_EQ(table.warnings.size(), 3U);
}

TEST(Table, WithoutHeaderColumnsAreNumbered) {
  TableOptions options;
  options.header = false;
  const Table table = read("1,x\n2,y\n", options);
  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.column("2").categories, (Texts{"x", "y"}));
}

TEST(Table, BlankLinesAreSkippedUnlessThereIsOneColumn) {
  EXPECT_EQ(read("a,b\n1,2\n\n\r\n3,4\n\n").rows, 2U);
  const Table one = read("a\n1\n\n3\n");
  EXPECT_EQ(one.rows, 3U);
  EXPECT_TRUE(std::isnan(one.columns[0].numbers[1]));
}

TEST(Table, ATextFarDownMakesTheWholeColumnText) {
  std::string text = "a,b\n";
  for (int i = 0; i < 300000; ++i) text += std::to_string(i % 7) + ",1\n";
  text += "seven,1\n";
  const Table table = read(text, {}, 2);
  ASSERT_TRUE(table.column("a").is_text);
  EXPECT_EQ(table.column("a").categories.size(), 8U);
  EXPECT_EQ(texts_of(table.column("a")).back(), "seven");
  EXPECT_EQ(texts_of(table.column("a"))[8], "1");
  EXPECT_FALSE(table.column("b").is_text);
}

// Chunks are a megabyte; quotes with line ends across their borders must not matter.
TEST(Table, ChunksAndThreadsDoNotShow) {
  std::string text = "id,word,x\n";
  for (int i = 0; i < 120000; ++i) {
    text += std::to_string(i) + (i % 3 == 0 ? ",\"line\nbreak, " : ",\"plain ") +
            std::to_string(i % 11) + "\"\"\"," + std::to_string(i * 0.5) + "\n";
  }
  ASSERT_GT(text.size(), std::size_t{3} << 20);
  const Table one = read(text, {}, 1);
  ASSERT_EQ(one.rows, 120000U);
  for (int i = 0; i < 120000; ++i)
    ASSERT_EQ(one.column("id").numbers[static_cast<std::size_t>(i)], i);
  EXPECT_EQ(texts_of(one.column("word"))[6], "line\nbreak, 6\"");
  const Table four = read(text, {}, 4);
  EXPECT_EQ(one.column("word").codes, four.column("word").codes);
  EXPECT_EQ(one.column("word").categories, four.column("word").categories);
  EXPECT_EQ(one.text.record_end, four.text.record_end);
}

TEST(Table, Faults) {
  EXPECT_EQ(error_of(""), "t.csv: the file is empty; give it a header line and rows");
  EXPECT_EQ(error_of("\n\n"), "t.csv: the file is empty; give it a header line and rows");
  EXPECT_EQ(error_of("a,b\n"), "t.csv: there is a header but no rows; add some");
  EXPECT_EQ(error_of("a,b\n1,2\n3\n"),
            "t.csv:3:2: the line has 1 cells, the first line 2; add the missing ones");
  EXPECT_EQ(error_of("a,b\n1,2,3\n"),
            "t.csv:2:4: more cells than the 2 of the first line; remove the surplus or quote the "
            "delimiter");
  EXPECT_EQ(error_of("a,b\n1,x\"y\n"),
            "t.csv:2:4: a quote inside a cell that does not begin with one; put the whole cell in "
            "quotes and double the inner one");
  EXPECT_EQ(error_of("a,b\n1,\"xy\n"), "t.csv:2:3: this quote is never closed; close it");
  EXPECT_EQ(error_of("a,b\n1,\"x\"y\n"),
            "t.csv:2:6: text after a closing quote; double a quote that belongs to the cell");
}

TEST(Table, OtherKindsOfFileAreRecognized) {
  using namespace std::string_literals;
  EXPECT_EQ(error_of("\xff\xfe"
                     "a\0,\0b\0"s),
            "t.csv: the text is UTF-16; save it as UTF-8");
  EXPECT_EQ(error_of("a,b\r1,2\r3,4\r"), "t.csv: the lines end in CR alone; convert them to LF");
  EXPECT_EQ(error_of("\x93NUMPY\x01\x00v"s),
            "t.csv: this is an npy file, not a table; say --format npy");
  EXPECT_EQ(
      error_of("a,b\n1,\0\n"s),
      "t.csv: holds NUL bytes, so it is no text; if it is npy, npz or idx, say so with --format");
}

TEST(Table, NumbersTooLargeAreInfiniteNotZero) {
  const std::string nines(400, '9');
  const Table table =
      read("a\n" + nines + "\n-" + nines + ".5\n1e999\n0." + std::string(400, '0') + "1\n");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(table.columns[0].numbers, (Numbers{infinity, -infinity, infinity, 0}));
}

TEST(Table, TheEarliestFaultIsReportedAtAnyNumberOfThreads) {
  std::string text = "a,b\n";
  for (int i = 0; i < 400000; ++i) {
    text += i == 150000 ? "1,\"x\n" : i % 100000 == 99999 && i > 150000 ? "1\n" : "1,2\n";
  }
  for (const unsigned threads : {1U, 3U}) {
    try {
      read(text, {}, threads);
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).substr(0, 15), "t.csv:150002:3:");
    }
  }
}

TEST(Table, AnUnknownColumnNamesThoseThereAre) {
  const Table table = read("a,b\n1,2\n");
  try {
    table.column("c");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_STREQ(error.what(), "t.csv: there is no column 'c'; the columns are: a, b");
  }
}

TEST(Table, AMillionColumns) {
  std::string header, row;
  for (int i = 0; i < 1000000; ++i) {
    header += (i == 0 ? "c" : ",c") + std::to_string(i);
    row += i == 0 ? "1" : i % 2 == 0 ? ",2" : ",x";
  }
  const Table table = read(header + '\n' + row + '\n' + row + '\n');
  EXPECT_EQ(table.columns.size(), 1000000U);
  EXPECT_EQ(table.rows, 2U);
  EXPECT_EQ(table.columns[999998].numbers[1], 2);
  EXPECT_EQ(texts_of(table.columns[999999]), (Texts{"x", "x"}));
}

TEST(Table, ManyEqualNamesGiveFewWarnings) {
  std::string header = "a";
  std::string row = "1";
  for (int i = 0; i < 5000; ++i) {
    header += ",a";
    row += ",1";
  }
  const Table table = read(header + '\n' + row + '\n');
  EXPECT_EQ(table.columns[5000].name, "a.5000");
  EXPECT_LE(table.warnings.size(), 10U);
}

TEST(Table, NonAsciiTextIsKept) {
  const Table table = read("straße,名\nä,é\n");
  EXPECT_EQ(table.columns[0].name, "straße");
  EXPECT_EQ(table.column("名").categories, (Texts{"é"}));
}

TEST(Numbers, ReadAndWritten) {
  EXPECT_EQ(format_number(1.0), "1");
  EXPECT_EQ(format_number(-0.0), "0");
  EXPECT_EQ(format_number(100000000), "100000000");
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(parse_number(" +5 "), 5);
  EXPECT_EQ(parse_number("1e-999"), 0);
  EXPECT_EQ(parse_number("-1e999"), -std::numeric_limits<double>::infinity());
  for (const char* bad : {"", " ", "+", "-", "+-5", "1,5", "0x10", "1 2", "e5", "five", "1e"}) {
    EXPECT_FALSE(parse_number(bad)) << bad;
  }
}

TEST(Table, TheDelimiterIsFoundWhereItIsPlain) {
  EXPECT_EQ(find_delimiter("a,b\n1,2\n"), ',');
  EXPECT_EQ(find_delimiter("a;b\n1,5;2\n"), ';');
  EXPECT_EQ(find_delimiter("\xef\xbb\xbf\r\na\tb\r\n1\t2\r\n"), '\t');
  EXPECT_EQ(find_delimiter("a|b|c\n1|2|3"), '|');
  EXPECT_EQ(find_delimiter("\"x, y\";b\n1;2\n"), ';');
  EXPECT_EQ(find_delimiter("a;b;c|d\n1;2;3|4\n"), ';') << "more cells";
  TableOptions options;
  options.delimiter.reset();
  const Table table = read("a;b\n1;x\n", options);
  EXPECT_EQ(table.text.delimiter, ';');
  EXPECT_EQ(table.column("a").numbers, (Numbers{1}));
}

TEST(Table, ACommaIsNeverMistakenForAnotherDelimiter) {
  for (const char* text : {
           "", "a", "a;b", "a\n1;2\n", "a;b\n1\n",       // one column
           "a;b,c\n1;2,3\n", "a,b\n1;2;3,4\n",           // of commas, with others in cells
           "a,b\n1,2\n3\n", "a,b;c\n1,2;3\n4;5\n",       // ragged
           "a;b\n1;2\n3;\"x\n", "a,b;c;d\n\"1,2;3;4\n",  // an open quote
       }) {
    EXPECT_EQ(find_delimiter(text), ',') << text;
  }
}

TEST(Table, ColumnsWithoutANameAreKnown) {
  const Table table = read(",a\n1,2\n");
  EXPECT_TRUE(table.columns[0].is_unnamed);
  EXPECT_FALSE(table.columns[1].is_unnamed);
  TableOptions options;
  options.header = false;
  EXPECT_FALSE(read("1,2\n", options).columns[0].is_unnamed);
}

}  // namespace
}  // namespace noiseplus
