#include "core/principal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace noiseplus {
namespace {

using Eigen::MatrixXd;

RowMajor centered(RowMajor rows) {
  const Eigen::RowVectorXd means = rows.colwise().mean();
  rows.rowwise() -= means;
  return rows;
}

RowMajor alternating(std::size_t rows, std::size_t columns) {
  RowMajor sample(index(rows), index(columns));
  for (std::size_t n = 0; n < rows; ++n) sample.row(index(n)).setConstant(n % 2 == 0 ? 0 : 1);
  return centered(std::move(sample));
}

RowMajor random_bits(std::size_t rows, std::size_t columns) {
  RowMajor sample(index(rows), index(columns));
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t c = 0; c < columns; ++c) {
      sample(index(n), index(c)) = static_cast<double>(hash(0, Stream::generate, n, c) & 1U);
    }
  }
  return centered(std::move(sample));
}

MatrixXd directions_of(const RowMajor& sample, std::size_t count) {
  const Execution execution{1, {}};
  ProgressMeter meter(execution, "", 1);
  return principal_directions(sample, count, meter);
}

TEST(Product, IsTheSumInTheOrderOfTheColumns) {
  for (const std::size_t width : {1, 7, 8, 9, 40}) {
    SCOPED_TRACE(width);
    RowMajor left = random_bits(20, 33);
    for (Eigen::Index i = 0; i < left.size(); i += 3) left.data()[i] = 0;
    RowMajor right(33, index(width));
    for (std::size_t i = 0; i < 33 * width; ++i)
      right.data()[i] = normal(1, Stream::generate, i, 0);
    const RowMajor found = product(left, right);
    ASSERT_EQ(found.rows(), 20);
    ASSERT_EQ(found.cols(), index(width));
    for (Eigen::Index n = 0; n < found.rows(); ++n) {
      for (Eigen::Index j = 0; j < found.cols(); ++j) {
        double sum = 0;
        for (Eigen::Index c = 0; c < left.cols(); ++c) sum += left(n, c) * right(c, j);
        EXPECT_EQ(found(n, j), sum);
      }
    }
  }
}

// The norms of reflections as long as these rows lose too many digits; the directions must be
// corrected, not given up.
TEST(PrincipalDirections, OfLongRowsAreOrthonormal) {
  const struct {
    const char* name;
    RowMajor sample;
    std::size_t count, expected;
  } cases[] = {{"200 x 5000", alternating(200, 5000), 64, 64},
               {"20 x 20000", alternating(20, 20000), 32, 20},
               {"8 x 1000000", random_bits(8, 1000000), 32, 8}};
  for (const auto& [name, sample, count, expected] : cases) {
    SCOPED_TRACE(name);
    const MatrixXd directions = directions_of(sample, count);
    ASSERT_EQ(directions.rows(), sample.cols());
    ASSERT_EQ(directions.cols(), index(expected));
    const MatrixXd gram = directions.transpose() * directions;
    EXPECT_LT((gram - MatrixXd::Identity(gram.rows(), gram.cols())).cwiseAbs().maxCoeff(), 1e-11);
  }
}

TEST(PrincipalDirections, OfAlternatingRowsStartWithTheDiagonal) {
  const MatrixXd directions = directions_of(alternating(20, 20000), 32);
  ASSERT_EQ(directions.rows(), 20000);
  EXPECT_NEAR(std::abs(directions.col(0).sum()), std::sqrt(20000.0), 1e-6);
}

TEST(PrincipalDirections, AreNoneOfNothingAndOfNaN) {
  EXPECT_EQ(directions_of(RowMajor(0, 5), 3).cols(), 0);
  EXPECT_EQ(directions_of(RowMajor(5, 0), 0).cols(), 0);
  EXPECT_EQ(directions_of(alternating(6, 5), 0).cols(), 0);
  for (const std::size_t columns : {4, 100}) {
    RowMajor sample = alternating(50, columns);
    sample(7, 2) = std::nan("");
    EXPECT_EQ(directions_of(sample, 3).cols(), 0) << columns;
  }
}

}  // namespace
}  // namespace noiseplus
