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

TEST(DrawLabels, UnknownCodesAreRefused) {
  const std::vector<double> same = {1, 0, 0, 1};
  for (const std::int32_t code : {-1, 2}) {
    EXPECT_THROW(draw_labels(Codes{0, code}, 2, same, 1, Stream::corrupt), Error);
    EXPECT_THROW(draw_labels(Codes{0, code}, Codes{0, 0}, 2, same, 1, Stream::corrupt), Error);
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

TEST(DrawLabels, EachGroupHasItsOwnMatrix) {
  const Codes codes(20000, 1);
  Codes groups(20000);
  for (std::size_t n = 0; n < groups.size(); ++n) groups[n] = static_cast<std::int32_t>(n % 2);
  const std::vector<double> matrices = {1, 0, 0.2, 0.8, 1, 0, 0, 1};
  const Codes drawn = draw_labels(codes, groups, 2, matrices, 5, Stream::corrupt);
  const Codes alone =
      draw_labels(codes, 2, std::vector<double>{1, 0, 0.2, 0.8}, 5, Stream::corrupt);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    ASSERT_EQ(drawn[n], groups[n] == 0 ? alone[n] : 1) << n;
  }
  EXPECT_THROW(draw_labels(codes, Codes(20000, 2), 2, matrices, 5, Stream::corrupt), Error);
  EXPECT_THROW(draw_labels(codes, Codes(20000, -1), 2, matrices, 5, Stream::corrupt), Error);
  EXPECT_THROW(draw_labels(codes, Codes(2), 2, matrices, 5, Stream::corrupt), Error);
  const std::vector<double> broken = {1, 0, 0.2, 0.8, 1, 0, 0, 0.9};
  EXPECT_THROW(draw_labels(codes, groups, 2, broken, 5, Stream::corrupt), Error);
}

TEST(RandomGap, TwoClassesKeepMore) {
  for (const std::size_t classes : {3, 10, 50}) {
    const std::vector<double> matrix = random_gap_transition(classes, .2, 4);
    int cleaner = 0;
    for (std::size_t i = 0; i < classes; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < classes; ++j) {
        EXPECT_GE(matrix[i * classes + j], 0);
        sum += matrix[i * classes + j];
      }
      EXPECT_NEAR(sum, 1, 1e-12);
      const double kept = matrix[i * classes + i];
      EXPECT_TRUE(kept == .4 || std::abs(kept - .6) < 1e-12) << kept;
      cleaner += kept > .5 ? 1 : 0;
    }
    EXPECT_EQ(cleaner, 2);
  }
}

TEST(RandomGap, DependsOnTheSeedAlone) {
  EXPECT_EQ(random_gap_transition(10, .2, 4), random_gap_transition(10, .2, 4));
  EXPECT_NE(random_gap_transition(10, .2, 4), random_gap_transition(10, .2, 5));
  // Every class is among the cleaner two now and then.
  std::vector<int> cleaner(5);
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::vector<double> matrix = random_gap_transition(5, .3, seed);
    for (std::size_t c = 0; c < 5; ++c) cleaner[c] += matrix[c * 6] > .5 ? 1 : 0;
  }
  for (const int times : cleaner) EXPECT_GT(times, 20);
}

TEST(RandomGap, OfTwoClassesOneKeepsMore) {
  const std::vector<double> matrix = random_gap_transition(2, .5, 0);
  EXPECT_NEAR(matrix[0] + matrix[3], .9 + .4, 1e-12);
}

TEST(RandomGap, RefusesWhatDoesNotFit) {
  EXPECT_THROW(random_gap_transition(10, .61, 0), Error);
  EXPECT_THROW(random_gap_transition(10, -.1, 0), Error);
  EXPECT_THROW(random_gap_transition(10, NAN, 0), Error);
  EXPECT_THROW(random_gap_transition(1, .1, 0), Error);
}

TEST(Transition, WrittenIsReadToTheLastBit) {
  const std::vector<double> matrix = random_gap_transition(7, .2, 3);
  EXPECT_EQ(read_transition(Bytes(write_transition(matrix, 7)), "T", 7), matrix);
  EXPECT_EQ(write_transition(std::vector<double>{1, 0, .25, .75}, 2), "1 0\n0.25 0.75\n");
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
