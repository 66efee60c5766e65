#include "core/dense_lu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "noiseplus/core.h"

namespace noiseplus {
namespace {

std::vector<double> random_matrix(std::size_t n, std::uint64_t seed) {
  std::vector<double> matrix(n * n);
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    matrix[i] = uniform(seed, Stream::generate, i) - .5;
  }
  return matrix;
}

TEST(DenseLu, SolvesBothWays) {
  for (const std::size_t n : {0, 1, 2, 5, 40}) {
    const std::vector<double> matrix = random_matrix(n, n);
    DenseLu lu;
    ASSERT_TRUE(lu.factorize(matrix, n));
    std::vector<double> expected(n), right(n), right_transposed(n);
    for (std::size_t i = 0; i < n; ++i) expected[i] = 1 + static_cast<double>(i);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        right[i] += matrix[i * n + j] * expected[j];
        right_transposed[j] += matrix[i * n + j] * expected[i];
      }
    }
    const std::vector<double> x = lu.solve(right), z = lu.solve_transposed(right_transposed);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(x[i], expected[i], 1e-9) << n;
      EXPECT_NEAR(z[i], expected[i], 1e-9) << n;
    }
  }
}

TEST(DenseLu, ExchangesRowsWhereADiagonalIsZero) {
  DenseLu lu;
  ASSERT_TRUE(lu.factorize({0, 2, 0, 0, 0, 3, 4, 0, 0}, 3));
  EXPECT_EQ(lu.solve(std::vector<double>{2, 3, 4}), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(lu.solve_transposed(std::vector<double>{4, 2, 3}), (std::vector<double>{1, 1, 1}));
}

TEST(DenseLu, SaysWhichMatricesItCannotFactorize) {
  DenseLu lu;
  EXPECT_FALSE(lu.factorize({1, 2, 2, 4}, 2));
  EXPECT_FALSE(lu.factorize({0}, 1));
  EXPECT_FALSE(lu.factorize({std::numeric_limits<double>::infinity(), 1, 1, 1}, 2));
  EXPECT_FALSE(lu.factorize({std::nan(""), 1, 1, 1}, 2));
  for (const double odd : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    EXPECT_FALSE(lu.factorize({1, odd, 0, 1}, 2)) << odd;
    EXPECT_FALSE(lu.factorize({1, 0, odd, 1}, 2)) << odd;
    EXPECT_FALSE(lu.factorize({1, 0, 0, odd}, 2)) << odd;
  }
}

}  // namespace
}  // namespace noiseplus
