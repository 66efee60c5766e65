#include <gtest/gtest.h>

#include <cmath>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

using Codes = std::vector<std::int32_t>;

TEST(DrawLabels, ChangesTheWantedShareOfEachClass) {
  Codes codes(100000);
  for (std::size_t n = 0; n < codes.size(); ++n) codes[n] = static_cast<std::int32_t>(n % 3);
  const std::vector<double> matrix = {0.7, 0.2, 0.1, 0, 1, 0, 0.3, 0.3, 0.4};
  const Codes drawn = draw_labels(codes, 3, matrix, 1, Stream::corrupt);
  double counts[3][3] = {};
  for (std::size_t n = 0; n < codes.size(); ++n) counts[codes[n]][drawn[n]] += 3.0 / 100000;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const double p = matrix[i * 3 + j];
      EXPECT_NEAR(counts[i][j], p, 4 * std::sqrt(p * (1 - p) * 3 / 100000) + 1e-4) << i << j;
    }
  }
}

TEST(DrawLabels, DrawsAreNested) {
  const Codes codes(10000, 1);
  const Codes few = draw_labels(codes, 2, std::vector<double>{1, 0, 0.1, 0.9}, 5, Stream::flip);
  const Codes many = draw_labels(codes, 2, std::vector<double>{1, 0, 0.3, 0.7}, 5, Stream::flip);
  int more = 0;
  for (std::size_t n = 0; n < codes.size(); ++n) {
    if (few[n] == 0) {
      ASSERT_EQ(many[n], 0);
    }
    more += many[n] != few[n] ? 1 : 0;
  }
  EXPECT_GT(more, 1500);
}

TEST(DrawLabels, RefusesWhatIsNotStochastic) {
  const Codes codes = {0, 1};
  EXPECT_THROW(draw_labels(codes, 2, std::vector<double>{0.5, 0.6, 0, 1}, 0, Stream::flip), Error);
  EXPECT_THROW(draw_labels(codes, 2, std::vector<double>{1.5, -0.5, 0, 1}, 0, Stream::flip), Error);
  EXPECT_THROW(draw_labels(codes, 2, std::vector<double>{1, 0, 0}, 0, Stream::flip), Error);
  EXPECT_THROW(draw_labels(codes, 2, std::vector<double>{NAN, 1, 0, 1}, 0, Stream::flip), Error);
}

std::string transition_error(const std::string& text) {
  try {
    read_transition(Bytes(text), "T.txt", 2);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

TEST(Transition, ReadsNumbersInAnyUsualSpelling) {
  const std::vector<double> expected = {0.9, 0.1, 0.25, 0.75};
  EXPECT_EQ(read_transition(Bytes("0.9 0.1\n0.25 0.75\n"), "T", 2), expected);
  EXPECT_EQ(read_transition(Bytes("\n.9,1e-1\r\n\r\n.25;\t.75"), "T", 2), expected);
}

TEST(Transition, Faults) {
  EXPECT_EQ(transition_error("0.9 x\n"),
            "T.txt:1:5: not a number; give 2 lines of 2 numbers, row = clean class");
  EXPECT_EQ(transition_error("0.9 0.1\n0.2 0.7\n"),
            "T.txt:2:1: the line adds up to 0.8999999999999999, not to 1");
  EXPECT_EQ(transition_error("1 0\n"),
            "T.txt:2:1: too few lines; give 2 lines of 2 numbers, row = clean class");
  EXPECT_EQ(transition_error("1 0 0\n"),
            "T.txt:1:5: too many numbers; give 2 lines of 2 numbers, row = clean class");
  EXPECT_EQ(transition_error("1 0\n0 1\n0 1\n"),
            "T.txt:3:1: too many numbers; give 2 lines of 2 numbers, row = clean class");
  EXPECT_EQ(transition_error("1\n0\n"),
            "T.txt:1:2: too few numbers; give 2 lines of 2 numbers, row = clean class");
  EXPECT_EQ(transition_error(""),
            "T.txt:1:1: too few lines; give 2 lines of 2 numbers, row = clean class");
}

TEST(Generator, MakesTheWantedPriorExactly) {
  GeneratorOptions options;
  options.rows = 5000;
  options.positive = 0.24;
  const Generated data = generate(options);
  EXPECT_EQ(std::count(data.codes.begin(), data.codes.end(), 1), 1200);
  EXPECT_EQ(data.features.rows(), 5000U);
}

}  // namespace
}  // namespace noiseplus
