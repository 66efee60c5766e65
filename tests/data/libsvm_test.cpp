#include <cmath>

#include "data/array_test_support.h"

namespace noiseplus {
namespace {

using namespace array_test;  // NOLINT

Arrays read(const std::string& text) {
  return read_arrays(Bytes(text), "x.svm", Format::libsvm);
}

std::string error_for(const std::string& text) {
  return features_error(text, Format::libsvm, "x.svm");
}

TEST(Libsvm, ReadsSparseRowsAsDenseOnes) {
  const Arrays arrays = read("+1 1:0.5 3:-2\n-1 2:1e2\n");
  EXPECT_EQ(rows_of(arrays.features), (Rows{{0.5F, 0, -2}, {0, 100, 0}}));
  EXPECT_EQ(arrays.labels, (Texts{"+1", "-1"}));
}

TEST(Libsvm, KeepsTheTextOfLabels) {
  EXPECT_EQ(read("+1 1:1\n1.0 1:1\nspam 1:1\n2,5 1:1").labels, (Texts{"+1", "1.0", "spam", "2,5"}));
}

TEST(Libsvm, CountsFromZeroWhenAnIndexIsZero) {
  EXPECT_EQ(rows_of(read("a 1:1 2:2\nb 0:3\n").features), (Rows{{0, 1, 2}, {3, 0, 0}}));
  EXPECT_EQ(rows_of(read("a 0:7\n").features), (Rows{{7}}));
}

TEST(Libsvm, SkipsCommentsAndBlankLines) {
  const Arrays arrays = read("# made by hand\n\n1 1:2 # 2:3\r\n  \t \r\n0\t1:4  2:5 \n#end");
  EXPECT_EQ(rows_of(arrays.features), (Rows{{2, 0}, {4, 5}}));
  EXPECT_EQ(arrays.labels, (Texts{"1", "0"}));
}

TEST(Libsvm, SkipsAByteOrderMark) {
  EXPECT_EQ(read("\xef\xbb\xbf"
                 "1 1:2\n")
                .labels,
            (Texts{"1"}));
}

TEST(Libsvm, TakesALabelAloneAsARowOfZeros) {
  EXPECT_EQ(rows_of(read("1\n0 2:5\n1").features), (Rows{{0, 0}, {0, 5}, {0, 0}}));
}

TEST(Libsvm, KeepsNan) {
  EXPECT_TRUE(std::isnan(rows_of(read("1 1:nan\n").features)[0][0]));
}

TEST(LibsvmErrors, SaysWhereAPairIsWrong) {
  EXPECT_EQ(
      error_for("1 1:1\n0 1:1 x\n"),
      "x.svm:2:7: 'x' is not a pair index:value; separate index and value by a colon, without "
      "blanks");
  EXPECT_EQ(error_for("1 1:one\n"), "x.svm:1:5: the value 'one' is not a number; correct it");
  EXPECT_EQ(error_for("1 1:\n"), "x.svm:1:5: the value '' is not a number; correct it");
  EXPECT_EQ(error_for("1 1:2:3\n"), "x.svm:1:5: the value '2:3' is not a number; correct it");
  EXPECT_EQ(error_for("1 1:1 qid:3 2:1\n"),
            "x.svm:1:7: 'qid:' marks the queries of ranking data, which is not supported; take it "
            "out");
}

TEST(LibsvmErrors, RefusesBadIndices) {
  for (const std::string index : {"-1", "+1", "1.5", "x", "", "0x1"}) {
    EXPECT_EQ(error_for("1 " + index + ":1\n"),
              "x.svm:1:3: the index '" + index + "' is not a whole number from 0");
  }
  for (const std::string index : {"2147483648", "4294967297", "99999999999999999999999"}) {
    EXPECT_EQ(error_for("1 " + index + ":1\n"),
              "x.svm:1:3: the index '" + index + "' is too large; the largest is 2147483647");
  }
}

TEST(LibsvmErrors, RefusesIndicesThatDoNotIncrease) {
  EXPECT_EQ(error_for("1 1:1\n\n1 3:1 2:1\n"),
            "x.svm:3:7: index 2 follows index 3; the indices of a line must increase");
  EXPECT_EQ(error_for("1 3:1 3:1\n"),
            "x.svm:1:7: index 3 follows index 3; the indices of a line must increase");
}

TEST(LibsvmErrors, RefusesInfiniteAndTooLargeValues) {
  for (const std::string value : {"inf", "-inf", "1e39", "-1e300", "1e999"}) {
    EXPECT_EQ(error_for("1 1:1 2:" + value),
              "x.svm:1:9: the value '" + value +
                  "' is infinite or too large for a 32-bit float; correct it");
  }
}

TEST(LibsvmErrors, RefusesLinesWithoutALabel) {
  EXPECT_EQ(error_for("1 1:1\n 1:1 2:2\n"),
            "x.svm:2:2: the line begins with '1:1' instead of a label; write the label first");
}

TEST(LibsvmErrors, RefusesFilesWithoutRowsOrColumns) {
  for (const char* text : {"", "\n\n", "# nothing\n"}) {
    EXPECT_EQ(error_for(text), "x.svm: there are no rows; write 'label index:value ...' lines");
  }
  EXPECT_EQ(error_for("1\n0\n"),
            "x.svm: there are no columns, only labels; write 'label index:value ...' lines");
}

TEST(LibsvmErrors, SaysTheSizeOfADenseMatrixThatIsTooLarge) {
  EXPECT_EQ(error_for("1 2147483647:1\n1 1:1\n"),
            "x.svm: 2 rows x 2147483647 columns would take 16 GiB as a dense matrix, and 8 GiB is "
            "the most; choose fewer rows or reduce the dimensions first");
}

TEST(LibsvmErrors, RefusesATinyFileThatAsksForMuchMemory) {
  EXPECT_EQ(
      error_for("1 2000000000:1\n"),
      "x.svm: the largest index, 2000000000, makes 1 rows x 2000000000 columns of a file of 15 "
      "bytes; correct the index or reduce the dimensions first");
  EXPECT_EQ(read("1 1000000:1\n").features.view().columns, 1000000U);
}

TEST(LibsvmErrors, AreOneLineWhateverTheInput) {
  EXPECT_EQ(error_for(std::string("1 a\0\x1b[31m\xff", 10)),
            "x.svm:1:3: 'a\\x00\\x1b[31m\\xff' is not a pair index:value; separate index and value "
            "by a colon, without blanks");
}

}  // namespace
}  // namespace noiseplus
