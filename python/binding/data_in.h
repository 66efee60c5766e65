// Rows, labels and groups that Python holds, as a data set.
#pragma once

#include <pybind11/numpy.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "noiseplus/data.h"

namespace noiseplus::python {

namespace py = pybind11;

// A data set and the Python object whose memory its features may look into.
struct Data {
  py::object owner;
  std::unique_ptr<const Dataset> dataset;
};

// Throws usage when a code is none of the names.
Labels labels_of(const py::array_t<std::int32_t>& codes, const std::vector<std::string>& names);

void add_data(py::module_& module);

}  // namespace noiseplus::python
