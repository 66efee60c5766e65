// What the module is made of: each adds its functions and classes.
#pragma once

#include <pybind11/pybind11.h>

namespace noiseplus::python {

void add_reports(pybind11::module_& module);  // audit, balance, evaluate
void add_models(pybind11::module_& module);   // train, Model
void add_stages(pybind11::module_& module);   // neighbors, estimates, plans, flips, label quality

}  // namespace noiseplus::python
