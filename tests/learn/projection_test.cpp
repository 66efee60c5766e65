#include "learn/projection.h"

#include <gtest/gtest.h>

#include <cmath>

namespace noiseplus {
namespace {

Matrix alternating(std::size_t rows, std::size_t columns) {
  Matrix matrix(rows, columns);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t c = 0; c < columns; ++c) matrix.row(n)[c] = n % 2 == 0 ? 0 : 1;
  }
  return matrix;
}

// 200 x 5000 once ended in a segmentation fault: no directions were found.
TEST(PrincipalCoordinates, TellAlternatingLongRowsApart) {
  for (const auto& [rows, columns, directions] :
       {std::tuple{200, 5000, 64}, std::tuple{20, 20000, 20}}) {
    const Matrix matrix = alternating(rows, columns);
    const Matrix narrow = principal_coordinates(matrix.view(), 64, {1, {}});
    ASSERT_EQ(narrow.rows(), matrix.rows());
    ASSERT_EQ(narrow.columns(), static_cast<std::size_t>(directions));
    for (std::size_t n = 1; n < narrow.rows(); ++n) {
      const float step = narrow.row(n)[0] - narrow.row(n - 1)[0];
      ASSERT_NEAR(std::abs(step), 2, 1e-3) << rows << ' ' << n;
    }
  }
}

TEST(PrincipalCoordinates, AreTheRowsWhereThereAreNoDirections) {
  Matrix matrix = alternating(30, 7);
  matrix.row(11)[3] = std::nanf("");
  const Matrix same = principal_coordinates(matrix.view(), 5, {1, {}});
  ASSERT_EQ(same.rows(), 30U);
  ASSERT_EQ(same.columns(), 7U);
  for (std::size_t i = 0; i < 30 * 7; ++i) {
    const float found = same.row(0)[i], expected = matrix.row(0)[i];
    EXPECT_TRUE(found == expected || (std::isnan(found) && std::isnan(expected))) << i;
  }
  EXPECT_EQ(principal_coordinates(Matrix(0, 7).view(), 5, {1, {}}).rows(), 0U);
}

}  // namespace
}  // namespace noiseplus
