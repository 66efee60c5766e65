// What estimates and plans look like in Python: dicts of plain values and arrays.
#pragma once

#include <pybind11/pybind11.h>

#include "arrays.h"
#include "noiseplus/balance.h"
#include "noiseplus/noise.h"

namespace noiseplus::python {

// "rates" (K x 3: value, low, high), "transition", "prior", "gap", "identified", ...
py::dict to_dict(const NoiseEstimate& estimate);

// groups x K x K.
py::array_t<double> to_array(const FlipPlan& plan);

}  // namespace noiseplus::python
