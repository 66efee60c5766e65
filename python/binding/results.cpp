#include "results.h"

#include <pybind11/stl.h>

namespace noiseplus::python {

py::dict to_dict(const NoiseEstimate& estimate) {
  const std::size_t classes = estimate.noise.size();
  py::dict result;
  result["estimator"] = estimate.estimator;
  result["rates"] = to_array(estimate.noise);
  result["transition"] = to_square(estimate.transition, classes);
  result["prior"] = to_array(std::vector<double>(estimate.prior));
  result["gap"] = py::make_tuple(estimate.gap.value, estimate.gap.low, estimate.gap.high);
  result["p_value"] = estimate.p_value;
  result["conditioning"] = estimate.conditioning;
  result["identified"] = estimate.identified;
  result["noisier"] = estimate.noisier;
  result["cleaner"] = estimate.cleaner;
  result["leans"] = estimate.leans;
  result["warnings"] = estimate.warnings;
  return result;
}

py::array_t<double> to_array(const FlipPlan& plan) {
  const auto classes = static_cast<py::ssize_t>(plan.classes);
  return to_array(std::vector<double>(plan.flip),
                  {static_cast<py::ssize_t>(plan.groups), classes, classes});
}

}  // namespace noiseplus::python
