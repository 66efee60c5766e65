// Rows, labels and groups that Python holds, as a data set.
#pragma once

#include <pybind11/pybind11.h>

#include <memory>

#include "noiseplus/data.h"

namespace noiseplus::python {

namespace py = pybind11;

// A data set and the Python object whose memory its features may look into.
struct Data {
  py::object owner;
  std::unique_ptr<const Dataset> dataset;
};

void add_data(py::module_& module);

}  // namespace noiseplus::python
