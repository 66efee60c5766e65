// noiseplus._core: the library's stages for Python. It validates little: the package does, where
// Python's own types are known.
#include <string>

#include "call.h"
#include "data_in.h"
#include "noiseplus/report.h"
#include "noiseplus/version.h"
#include "parts.h"

namespace {

// A pybind11 before 2.12 takes arrays of numpy 2 for something else.
void check_numpy() {
#if PYBIND11_VERSION_HEX < 0x020C0000
  namespace py = pybind11;
  const std::string version = py::str(py::module_::import("numpy").attr("__version__"));
  if (version.starts_with("1.")) return;
  throw py::import_error("this noiseplus was built for numpy 1, and here is numpy " + version +
                         "; install it again with pip, or use the interpreter it was built for");
#endif
}

}  // namespace

PYBIND11_MODULE(_core, module) {
  using namespace noiseplus;  // NOLINT(google-build-using-namespace)
  module.doc() = "The noiseplus engine. Use the package's classes and functions instead.";
  check_numpy();
  python::register_errors();
  python::add_data(module);
  python::add_reports(module);
  python::add_models(module);
  python::add_stages(module);
  module.def("version", &version);
  module.def("in_python_terms", &python::in_python_terms, pybind11::arg("message"));
  module.def("format_number", &format_number, pybind11::arg("value"));
}
