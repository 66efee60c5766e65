#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "noiseplus/core.h"

namespace noiseplus {
namespace {

TEST(Random, IsAFunctionOfSeedStreamAndRow) {
  EXPECT_EQ(hash(1, Stream::flip, 7), hash(1, Stream::flip, 7));
  EXPECT_NE(hash(1, Stream::flip, 7), hash(2, Stream::flip, 7));
  EXPECT_NE(hash(1, Stream::flip, 7), hash(1, Stream::corrupt, 7));
  EXPECT_NE(hash(1, Stream::flip, 7), hash(1, Stream::flip, 8));
}

// The seeds of published results: a change of the hash changes everybody's files.
TEST(Random, ValuesStay) {
  EXPECT_EQ(hash(0, Stream::flip, 0), 3391245575278488096ULL);
  EXPECT_EQ(hash(42, Stream::corrupt, 123456), 18191349063681726840ULL);
}

TEST(Random, UniformHasTheRightMomentsAndIsUncorrelatedBetweenRowsAndStreams) {
  constexpr int n = 200000;
  double sum = 0, squares = 0, next = 0, other = 0;
  for (int i = 0; i < n; ++i) {
    const double u = uniform(3, Stream::flip, static_cast<std::uint64_t>(i)) - 0.5;
    ASSERT_GE(u, -0.5);
    ASSERT_LT(u, 0.5);
    sum += u;
    squares += u * u;
    next += u * (uniform(3, Stream::flip, static_cast<std::uint64_t>(i) + 1) - 0.5);
    other += u * (uniform(3, Stream::corrupt, static_cast<std::uint64_t>(i)) - 0.5);
  }
  EXPECT_NEAR(sum / n, 0, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(squares / n, 1.0 / 12, 0.001);
  EXPECT_NEAR(next / n, 0, 4.0 / 12 / std::sqrt(n));
  EXPECT_NEAR(other / n, 0, 4.0 / 12 / std::sqrt(n));
}

TEST(Random, NormalHasMeanZeroAndVarianceOne) {
  constexpr int n = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = normal(5, Stream::generate, static_cast<std::uint64_t>(i), 0);
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / n, 0, 4 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 4 * std::sqrt(2.0 / n));
}

TEST(Random, SamplesAreNestedSortedAndExact) {
  const auto small = sample_rows(1000, 10, 9, Stream::anchors);
  const auto large = sample_rows(1000, 200, 9, Stream::anchors);
  EXPECT_EQ(small.size(), 10U);
  EXPECT_EQ(large.size(), 200U);
  EXPECT_TRUE(std::is_sorted(large.begin(), large.end()));
  EXPECT_TRUE(std::includes(large.begin(), large.end(), small.begin(), small.end()));
  EXPECT_EQ(std::set<std::uint32_t>(large.begin(), large.end()).size(), 200U);
  EXPECT_EQ(sample_rows(5, 9, 0, Stream::anchors).size(), 5U);
}

}  // namespace
}  // namespace noiseplus
