#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

const Labels three_rows = make_labels(std::vector<std::string>{"b", "a", "b"}, "y");

Matrix read_csv(const std::string& text, const Labels& labels = three_rows) {
  return read_probabilities(Bytes(text), "p.csv", labels, Format::automatic, {1, {}});
}

std::string message_of(const std::function<void()>& act, ErrorKind kind = ErrorKind::data) {
  try {
    act();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
}

void expect_refused(const std::string& csv, const std::vector<std::string>& parts,
                    const Labels& labels = three_rows) {
  const std::string message = message_of([&] { read_csv(csv, labels); });
  for (const std::string& part : parts) EXPECT_NE(message.find(part), message.npos) << message;
}

template <typename Number>
std::string npy(const std::string& type, const std::string& shape, bool fortran,
                const std::vector<Number>& numbers) {
  std::string header = "{'descr': '" + type +
                       "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': (" +
                       shape + "), }";
  header.resize(117, ' ');
  header += '\n';
  std::string text =
      std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header;
  text.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
  return text;
}

TEST(Probabilities, ColumnsOfACsvComeInTheOrderOfTheClasses) {
  const Matrix read = read_csv("b,a\n.25,.75\n1,0\n0.5,5e-1\n");
  ASSERT_EQ(read.rows(), 3U);
  ASSERT_EQ(read.columns(), 2U);
  EXPECT_EQ(read.row(0)[0], .75F);
  EXPECT_EQ(read.row(0)[1], .25F);
  EXPECT_EQ(read.row(1)[0], 0.F);
  EXPECT_EQ(read.row(2)[1], .5F);
}

TEST(Probabilities, ColumnsAreNamedLikeTheClassesHoweverNumbersAreWritten) {
  const Labels numbers = make_labels(std::vector<std::string>{"1.0", "0", "1"}, "y");
  const Matrix read = read_csv("1,0.0\n1,0\n0,1\n.25,.75\n", numbers);
  EXPECT_EQ(read.row(0)[1], 1.F);
  EXPECT_EQ(read.row(2)[0], .75F);
}

TEST(Probabilities, FaultsOfACsvNameTheirPlace) {
  expect_refused("a,b\n.5,.5\n1,x\n0,1\n", {"p.csv:3:3", "'x'", "number"});
  expect_refused("a,b\n.5,.5\n1,\n0,1\n", {"p.csv:3:3", "missing"});
  expect_refused("a,b\n.5,.5\n-.5,1.5\n0,1\n", {"p.csv:3:1", "-0.5", "below 0"});
  expect_refused("a,b\n.5,.5\n1.5,-.5\n0,1\n", {"p.csv:3:1", "1.5", "above 1"});
  expect_refused("a,b\n.5,.5\n.5,.48\n0,1\n", {"p.csv", "row 2", "0.98"});
  expect_refused("a,b\n.5,.5\n1,0\n", {"2 rows", "3 labels"});
  expect_refused("a\n1\n1\n1\n", {"no column", "'b'"});
  expect_refused("a,b,c\n1,0,0\n1,0,0\n1,0,0\n", {"'c'", "none of the classes"});
  expect_refused("a,b,a\n1,0,0\n1,0,0\n1,0,0\n", {"two columns", "'a'"});
}

TEST(Probabilities, RowsAddUpToOneWithinAThousandth) {
  EXPECT_EQ(read_csv("a,b\n.5,.5009\n1,0\n0,1\n").rows(), 3U);
  expect_refused("a,b\n.5,.5011\n1,0\n0,1\n", {"row 1", "1.0011"});
}

TEST(Probabilities, RoundingBeyondOneIsClamped) {
  const Matrix read = read_csv("a,b\n1.0000001,-1e-7\n1,0\n0,1\n");
  EXPECT_EQ(read.row(0)[0], 1.F);
  EXPECT_EQ(read.row(0)[1], 0.F);
}

TEST(Probabilities, ArraysOfAnyFloatsAndOrderAreRead) {
  const auto read = [](const std::string& bytes) {
    return read_probabilities(Bytes(bytes), "p.npy", three_rows);
  };
  const std::vector<std::string> same = {
      npy<float>("<f4", "3, 2", false, {.25F, .75F, 1, 0, .5F, .5F}),
      npy<double>("<f8", "3, 2", false, {.25, .75, 1, 0, .5, .5}),
      npy<double>("<f8", "3, 2", true, {.25, 1, .5, .75, 0, .5}),
      npy<std::uint16_t>("<f2", "3, 2", false, {0x3400, 0x3a00, 0x3c00, 0, 0x3800, 0x3800}),
  };
  for (const std::string& bytes : same) {
    const Matrix matrix = read(bytes);
    EXPECT_EQ(matrix.row(0)[0], .25F);
    EXPECT_EQ(matrix.row(0)[1], .75F);
    EXPECT_EQ(matrix.row(1)[0], 1.F);
    EXPECT_EQ(matrix.row(2)[1], .5F);
  }
  const auto refuse = [&](const std::string& bytes, const std::string& part) {
    const std::string message = message_of([&] { read(bytes); });
    EXPECT_NE(message.find(part), message.npos) << message;
  };
  refuse(npy<float>("<f4", "2, 2", false, {1, 0, 1, 0}), "2 rows");
  refuse(npy<float>("<f4", "3, 1", false, {1, 1, 1}), "1 column of");
  refuse(npy<float>("<f4", "3, 1, 2", false, {1, 0, 1, 0, 1, 0}), "3 dimensions");
  refuse(npy<float>("<f4", "3, 2", false, {1, 0, std::numeric_limits<float>::quiet_NaN(), 0, 1, 0}),
         "row 2, column 1");
}

}  // namespace
}  // namespace noiseplus
