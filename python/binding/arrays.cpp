#include "arrays.h"

#include <algorithm>

namespace noiseplus::python {
namespace {

bool is_rows(const py::array& array) {
  return array.ndim() == 2 && (array.flags() & py::array::c_style) != 0;
}

}  // namespace

RowsView rows_of(const py::array& array) {
  const py::dtype type = array.dtype();
  if (!is_rows(array) || type.kind() != 'f' || (type.itemsize() != 4 && type.itemsize() != 2)) {
    throw py::type_error("rows must be a C-contiguous array of float32 or float16");
  }
  const auto rows = static_cast<std::size_t>(array.shape(0));
  const auto columns = static_cast<std::size_t>(array.shape(1));
  if (type.itemsize() == 2) {
    return {static_cast<const std::uint16_t*>(array.data()), rows, columns};
  }
  return MatrixView{static_cast<const float*>(array.data()), rows, columns};
}

MatrixView matrix_of(const py::array& array) {
  const RowsView rows = rows_of(array);
  if (rows.type != ValueType::float32) throw py::type_error("float32 is needed here");
  return {static_cast<const float*>(rows.data), rows.rows, rows.columns};
}

std::span<const std::int32_t> codes_below(const py::array_t<std::int32_t>& codes,
                                          std::size_t classes) {
  const std::span<const std::int32_t> values = values_of(codes);
  const auto is_unknown = [classes](std::int32_t code) {
    return code < 0 || static_cast<std::size_t>(code) >= classes;
  };
  const auto found = std::find_if(values.begin(), values.end(), is_unknown);
  if (found == values.end()) return values;
  throw Error(ErrorKind::usage, "the code " + std::to_string(*found) + " of row " +
                                    std::to_string(found - values.begin() + 1) +
                                    " is out of range: there are " + std::to_string(classes));
}

py::array_t<float> to_array(Matrix&& matrix) {
  auto owner = std::make_unique<Matrix>(std::move(matrix));
  const Shape shape = {static_cast<py::ssize_t>(owner->rows()),
                       static_cast<py::ssize_t>(owner->columns())};
  const float* data = owner->view().data;
  const py::capsule keeper(owner.release(), [](void* held) { delete static_cast<Matrix*>(held); });
  return py::array_t<float>(shape, data, keeper);
}

py::array_t<double> to_array(const std::vector<EstimateWithInterval>& estimates) {
  std::vector<double> values;
  values.reserve(3 * estimates.size());
  for (const EstimateWithInterval& estimate : estimates) {
    values.insert(values.end(), {estimate.value, estimate.low, estimate.high});
  }
  return to_array(std::move(values), {static_cast<py::ssize_t>(estimates.size()), 3});
}

py::array_t<double> to_square(const std::vector<double>& values, std::size_t classes) {
  const auto size = static_cast<py::ssize_t>(classes);
  return to_array(std::vector<double>(values), {size, size});
}

}  // namespace noiseplus::python
