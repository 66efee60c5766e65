// numpy arrays as the library sees them, and back. Nothing is copied unless it says so.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "noiseplus/core.h"

namespace noiseplus::python {

namespace py = pybind11;

// Rows of a C-contiguous array of float32 or float16, where they lie. Throws TypeError for others:
// whoever calls has converted them.
RowsView rows_of(const py::array& array);

// Small arrays of numbers that are read in C order, however they lie: copied where they lie
// otherwise.
using Numbers = py::array_t<double, py::array::c_style | py::array::forcecast>;

// A C-contiguous array of float32 of two dimensions.
MatrixView matrix_of(const py::array& array);

// The values of a C-contiguous array of exactly this type and one dimension, where they lie.
template <typename Value>
std::span<const Value> values_of(const py::array_t<Value>& array) {
  if (array.ndim() != 1 || (array.flags() & py::array::c_style) == 0) {
    throw py::type_error("an array of one dimension, contiguous, is needed");
  }
  return {array.data(), static_cast<std::size_t>(array.size())};
}

// The same for codes of classes. Throws usage when one is none of 0 .. classes - 1.
std::span<const std::int32_t> codes_below(const py::array_t<std::int32_t>& codes,
                                          std::size_t classes);

using Shape = std::vector<py::ssize_t>;

// An array that takes the vector over; `shape` holds as many values.
template <typename Value>
py::array_t<Value> to_array(std::vector<Value>&& values, const Shape& shape) {
  auto owner = std::make_unique<std::vector<Value>>(std::move(values));
  const Value* data = owner->data();
  const py::capsule keeper(owner.release(),
                           [](void* held) { delete static_cast<std::vector<Value>*>(held); });
  return py::array_t<Value>(shape, data, keeper);
}

template <typename Value>
py::array_t<Value> to_array(std::vector<Value>&& values) {
  const auto size = static_cast<py::ssize_t>(values.size());
  return to_array(std::move(values), {size});
}

// n x K, taken over too.
py::array_t<float> to_array(Matrix&& matrix);

// K x 3: value, low, high.
py::array_t<double> to_array(const std::vector<EstimateWithInterval>& estimates);

// classes x classes, copied: these are small.
py::array_t<double> to_square(const std::vector<double>& values, std::size_t classes);

}  // namespace noiseplus::python
