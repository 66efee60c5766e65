#include "data_in.h"

#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "arrays.h"
#include "call.h"
#include "noiseplus/learn.h"
#include "options.h"

namespace noiseplus::python {
namespace {

using Texts = std::vector<std::string>;

void check_count(std::size_t count, std::size_t rows, const char* what) {
  if (count == rows) return;
  throw Error(ErrorKind::usage, std::to_string(count) + ' ' + what + " for " +
                                    std::to_string(rows) + " rows; give one per row");
}

// Labels of which -1 is a missing one; empty where none are given.
Labels labels_among(Options& options) {
  const auto codes = options.find<py::array_t<std::int32_t>>("codes");
  const auto names = options.find<Texts>("classes");
  if (!codes || !names) return {};
  const std::span<const std::int32_t> given = values_of(*codes);
  return {{given.begin(), given.end()}, *names, *names};
}

// The request for rows in memory, by the options that have to do with reading.
DataRequest request_of(Options& options) {
  DataRequest request;
  request.path = "X";
  options.take("label", request.label);
  options.take("drop", request.drop);
  options.take("missing", request.missing);
  options.take("scale", request.scale);
  return request;
}

// Of the rows that have a label, where labels were given.
void set_groups(Options& options, std::size_t rows, Dataset& dataset) {
  const auto codes = options.find<py::array_t<std::int32_t>>("group_codes");
  const auto names = options.find<Texts>("group_names");
  const auto name = options.find<std::string>("group_name");
  if (!codes || !names) return;
  dataset.groups = labels_of(*codes, *names);
  check_count(dataset.groups.codes.size(), rows, "groups");
  dataset.group_name = name.value_or("group");
}

// A table is moved from: it has one use. None: labels alone, for which probabilities stand in.
Data make_data(const py::object& rows, const py::dict& values, const SavedModel* model,
               const Call& call) {
  Options options(values);
  DataRequest request = request_of(options);
  if (model != nullptr) request.recipe = &model->recipe;
  Labels labels = labels_among(options);
  const bool has_labels = !labels.codes.empty();
  Dataset dataset;
  std::size_t count = 0;
  if (rows.is_none()) {
    request.path = "y";
    dataset = make_dataset(std::move(labels), request);
  } else if (py::isinstance<Table>(rows)) {
    auto& table = rows.cast<Table&>();
    count = table.rows;
    dataset = run(call, [&](const Execution& e) {
      return make_dataset(std::move(table), std::move(labels), request, e);
    });
  } else {
    const RowsView view = rows_of(rows.cast<py::array>());
    count = view.rows;
    dataset = run(call, [&](const Execution& e) {
      return make_dataset(view, std::move(labels), request, e);
    });
  }
  if (dataset.label_name.empty()) dataset.label_name = "label";
  set_groups(options, has_labels ? dataset.labels.codes.size() : count, dataset);
  options.refuse_others();
  return {rows, std::make_unique<const Dataset>(std::move(dataset))};
}

// ------------------------------------------------------------------------------------------ tables

// All spellings of a missing cell.
Texts spellings(const Texts& further) {
  Texts missing = TableOptions().missing;
  missing.insert(missing.end(), further.begin(), further.end());
  return missing;
}

void check_rows(Table& table, std::size_t rows, const std::string& name) {
  if (table.columns.empty()) table.rows = rows;
  if (rows == table.rows) return;
  throw Error(ErrorKind::data, table.source + ": the column '" + name + "' has " +
                                   std::to_string(rows) + " rows and the first has " +
                                   std::to_string(table.rows));
}

void add_numbers(Table& table, const std::string& name, const py::array_t<double>& values,
                 bool are_dates) {
  const std::span<const double> numbers = values_of(values);
  check_rows(table, numbers.size(), name);
  Column& column = table.columns.emplace_back();
  column.name = name;
  column.is_date = are_dates;
  column.numbers.assign(numbers.begin(), numbers.end());
}

}  // namespace

Labels labels_of(const py::array_t<std::int32_t>& codes, const std::vector<std::string>& names) {
  const std::span<const std::int32_t> given = codes_below(codes, names.size());
  return {{given.begin(), given.end()}, names, names};
}

void add_data(py::module_& module) {
  py::class_<Table>(module, "Table")
      .def(py::init([](std::string source) {
             Table table;
             table.source = std::move(source);
             return table;
           }),
           py::arg("source"))
      .def("add_numbers", &add_numbers, py::arg("name"), py::arg("values"),
           py::arg("are_dates") = false)
      .def(
          "add_texts",
          [](Table& table, const std::string& name, const py::array_t<std::int32_t>& codes,
             const Texts& texts, const Texts& missing) {
            const std::span<const std::int32_t> given = values_of(codes);
            check_rows(table, given.size(), name);
            table.columns.push_back(make_text_column(name, given, texts, spellings(missing)));
          },
          py::arg("name"), py::arg("codes"), py::arg("texts"), py::arg("missing"))
      .def_static(
          "from_arrow",
          [](const py::capsule& stream, const std::string& source, const Texts& missing,
             const Texts& ignored) {
            const char* const name = stream.name();
            if (name == nullptr || std::string_view(name) != "arrow_array_stream") {
              throw py::type_error("this capsule holds no Arrow stream");
            }
            TableOptions options;
            options.missing = spellings(missing);
            auto* const pointer = stream.get_pointer<ArrowArrayStream>();
            const py::gil_scoped_release unlocked;
            return read_arrow(*pointer, source, options, ignored);
          },
          py::arg("stream"), py::arg("source"), py::arg("missing"), py::arg("ignored"))
      .def_property_readonly("columns",
                             [](const Table& table) {
                               Texts names;
                               for (const Column& column : table.columns) {
                                 names.push_back(column.name);
                               }
                               return names;
                             })
      .def_readonly("rows", &Table::rows);

  py::class_<Data>(module, "Data")
      .def(py::init([](const py::object& rows, const py::dict& options, const SavedModel* model,
                       unsigned threads, py::object progress) {
             return make_data(rows, options, model, {threads, std::move(progress)});
           }),
           py::arg("rows"), py::arg("options"), py::arg("model") = nullptr, py::arg("threads") = 0,
           py::arg("progress") = py::none())
      .def_property_readonly("feature_names",
                             [](const Data& data) { return data.dataset->feature_names; })
      .def_property_readonly("warnings", [](const Data& data) { return data.dataset->warnings; })
      .def_property_readonly("features", [](const py::object& self) {
        // What the library looks at: the very array that was given, where nothing had to be done.
        const auto& data = self.cast<const Data&>();
        const RowsView view = data.dataset->features.view();
        const auto* const type = view.type == ValueType::float16 ? "float16" : "float32";
        const Shape shape = {static_cast<py::ssize_t>(view.rows),
                             static_cast<py::ssize_t>(view.columns)};
        py::array features(py::dtype(type), shape, view.data, self);
        features.attr("setflags")(py::arg("write") = false);
        return features;
      });
}

}  // namespace noiseplus::python
