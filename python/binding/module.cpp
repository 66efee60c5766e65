// noiseplus._core: the library's stages for Python. It validates little: the package does, where
// Python's own types are known.
#include "call.h"
#include "data_in.h"
#include "noiseplus/report.h"
#include "parts.h"

PYBIND11_MODULE(_core, module) {
  using namespace noiseplus;  // NOLINT(google-build-using-namespace)
  module.doc() = "The noiseplus engine. Use the package's classes and functions instead.";
  python::register_errors();
  python::add_data(module);
  python::add_reports(module);
  python::add_models(module);
  python::add_stages(module);
  module.def("version", &version);
  module.def("in_python_terms", &python::in_python_terms, pybind11::arg("message"));
  module.def("format_number", &format_number, pybind11::arg("value"));
}
