#include <pybind11/stl.h>

#include "arrays.h"
#include "call.h"
#include "data_in.h"
#include "options.h"
#include "parts.h"

namespace noiseplus::python {
namespace {

py::dict train_data(const Data& data, const py::dict& values, unsigned threads,
                    py::object progress) {
  const TrainModelOptions options = model_options(values);
  TrainModelResult trained = run(
      Call{threads, std::move(progress)},
      [&](const Execution& execution) { return train_model(*data.dataset, options, execution); });
  const TrainReport& report = trained.report;
  py::dict result;
  result["model"] = py::cast(std::move(trained.saved));
  result["json"] = to_json(report);
  result["text"] = to_text(report);
  result["warnings"] = report.warnings;
  return result;
}

py::array_t<float> probabilities_of(const SavedModel& model, const Data& data, unsigned threads,
                                    py::object progress) {
  return to_array(run(Call{threads, std::move(progress)}, [&](const Execution& execution) {
    return probabilities(model, data.dataset->features.view(), execution);
  }));
}

// Two classes have one output, K have K.
py::list layers_of(const SavedModel& model) {
  py::list layers;
  for (const Layer& layer : model.model.layers) {
    const Shape shape = {static_cast<py::ssize_t>(layer.inputs),
                         static_cast<py::ssize_t>(layer.outputs)};
    layers.append(py::make_tuple(to_array(std::vector<float>(layer.weights), shape),
                                 to_array(std::vector<float>(layer.biases))));
  }
  return layers;
}

SavedModel model_from_bytes(const py::bytes& bytes) {
  return read_model(Bytes(std::string(bytes)), "the model");
}

void save(const SavedModel& model, const std::string& path) {
  OutputFile output(path);
  write_model(model, output);
  output.commit();
}

}  // namespace

void add_models(py::module_& module) {
  py::class_<SavedModel>(module, "Model")
      .def_static("from_bytes", &model_from_bytes, py::arg("bytes"))
      .def_static(
          "read",
          [](const std::string& path, std::optional<std::uint64_t> max_unpacked, unsigned threads) {
            return run(Call{threads, py::none()}, [&](const Execution& execution) {
              return read_model(Bytes::read(path, execution, max_unpacked), path);
            });
          },
          py::arg("path"), py::arg("max_unpacked") = py::none(), py::arg("threads") = 0)
      .def("to_bytes", [](const SavedModel& model) { return py::bytes(model_bytes(model)); })
      .def("save", &save, py::arg("path"))
      .def("probabilities", &probabilities_of, py::arg("data"), py::arg("threads") = 0,
           py::arg("progress") = py::none())
      .def_property_readonly("layers", &layers_of)
      .def_property_readonly("answers_by_lot",
                             [](const SavedModel& model) { return model.mixture.is_one(); })
      .def_property_readonly("shares", [](const SavedModel& model) { return model.mixture.shares; })
      .def_readonly("classes", &SavedModel::classes)
      .def_readonly("label", &SavedModel::label)
      .def_property_readonly("missing",
                             [](const SavedModel& model) { return model.recipe.missing; })
      .def(py::pickle([](const SavedModel& model) { return py::bytes(model_bytes(model)); },
                      &model_from_bytes));
  module.def("train", &train_data, py::arg("data"), py::arg("options"), py::arg("threads") = 0,
             py::arg("progress") = py::none());
  module.def(
      "drawn",
      [](const py::array& shares, std::uint64_t seed) {
        return to_array(sample_labels(matrix_of(shares), seed));
      },
      py::arg("shares"), py::arg("seed"));
  module.def(
      "most_likely",
      [](const py::array& shares) { return to_array(most_likely(matrix_of(shares))); },
      py::arg("shares"));
}

}  // namespace noiseplus::python
