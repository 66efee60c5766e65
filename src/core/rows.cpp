#include "core/checks.h"
#include "core/half.h"
#include "noiseplus/core.h"

namespace noiseplus {
namespace {

void widen_halves(const std::uint16_t* halves, std::size_t count, float* floats) {
  for (std::size_t i = 0; i < count; ++i) floats[i] = widen_half(halves[i]);
}

}  // namespace

Matrix::Matrix(std::size_t rows, std::size_t columns)
    : rows_(rows), columns_(columns), values_(count_values(rows, columns, "the matrix")) {}

const float* RowsView::row(std::size_t i, float* buffer) const {
  if (type == ValueType::float32) return static_cast<const float*>(data) + i * columns;
  widen_halves(static_cast<const std::uint16_t*>(data) + i * columns, columns, buffer);
  return buffer;
}

MatrixView RowsView::floats(Matrix& buffer) const {
  check_view(*this);
  if (type == ValueType::float32) return {static_cast<const float*>(data), rows, columns};
  buffer = Matrix(rows, columns);
  widen_halves(static_cast<const std::uint16_t*>(data), rows * columns, buffer.row(0));
  return buffer.view();
}

}  // namespace noiseplus
