#include "core/rows.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace noiseplus {
namespace {

constexpr std::uint16_t one = 0x3c00;
constexpr std::uint16_t nan_half = 0x7e00;

bool is_nan(float value) {
  return std::isnan(value);
}

std::uint32_t bits_of(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

TEST(Rows, FloatsAreLookedAtWhereTheyAre) {
  const Matrix matrix(3, 2);
  const RowsView rows = matrix.view();
  EXPECT_EQ(rows.type, ValueType::float32);
  EXPECT_EQ(rows.row(2, nullptr), matrix.row(2));
  Matrix unused;
  EXPECT_EQ(rows.floats(unused).data, matrix.row(0));
  EXPECT_EQ(unused.rows(), 0U);
}

// In rows of an odd length, so that the last values of a row do not fill a vector.
TEST(Rows, HalvesAreConvertedRowByRowOrAllAtOnce) {
  constexpr std::size_t columns = 13;
  constexpr std::size_t count = 65536 / columns * columns;
  std::vector<std::uint16_t> halves(count);
  std::iota(halves.begin(), halves.end(), std::uint16_t{0});
  const RowsView rows(halves.data(), count / columns, columns);
  EXPECT_EQ(rows.type, ValueType::float16);
  Matrix converted;
  const MatrixView floats = rows.floats(converted);
  EXPECT_EQ(floats.data, converted.row(0));
  ASSERT_EQ(floats.rows, rows.rows);
  ASSERT_EQ(floats.columns, columns);
  std::vector<float> buffer(columns);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    ASSERT_EQ(rows.row(i, buffer.data()), buffer.data());
    for (std::size_t c = 0; c < columns; ++c) {
      const std::uint32_t expected = bits_of(widen_half(halves[i * columns + c]));
      ASSERT_EQ(bits_of(buffer[c]), expected) << halves[i * columns + c];
      ASSERT_EQ(bits_of(floats.row(i)[c]), expected) << halves[i * columns + c];
    }
  }
}

TEST(Rows, FindsTheFirstValueWherever) {
  constexpr std::size_t rows = 100;
  constexpr std::size_t columns = 101;
  const std::size_t count = rows * columns;
  for (const std::size_t first :
       {std::size_t{0}, std::size_t{4095}, std::size_t{4096}, count - 1}) {
    Matrix floats(rows, columns);
    std::vector<std::uint16_t> halves(count, one);
    for (const std::size_t at : {first, count - 1}) {
      floats.row(0)[at] = std::numeric_limits<float>::quiet_NaN();
      halves[at] = nan_half;
    }
    EXPECT_EQ(find_value(floats.view(), is_nan), first);
    EXPECT_EQ(find_value(RowsView(halves.data(), rows, columns), is_nan), first);
  }
}

TEST(Rows, FindsNothingWhereNothingIs) {
  const Matrix floats(7, 3);
  const std::vector<std::uint16_t> halves(21, one);
  EXPECT_EQ(find_value(floats.view(), is_nan), 21U);
  EXPECT_EQ(find_value(RowsView(halves.data(), 7, 3), is_nan), 21U);
  EXPECT_EQ(find_value(RowsView(), is_nan), 0U);
}

}  // namespace
}  // namespace noiseplus
