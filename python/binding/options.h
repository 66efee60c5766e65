// Options by name, as Python and the command line spell them.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <optional>
#include <set>
#include <string>

#include "noiseplus/report.h"

namespace noiseplus::python {

namespace py = pybind11;

// A dict of which every entry must be wanted by somebody. None is as good as no entry.
class Options {
 public:
  explicit Options(py::dict values) : values_(std::move(values)) {}

  // The field keeps its default where there is no such entry. Throws TypeError, naming the option,
  // for a value of another type.
  template <typename Field>
  void take(const char* name, Field& field) {
    if (const std::optional<Field> value = find<Field>(name)) field = *value;
  }

  template <typename Field>
  void take(const char* name, std::optional<Field>& field) {
    if (std::optional<Field> value = find<Field>(name)) field = std::move(value);
  }

  template <typename Value>
  std::optional<Value> find(const char* name) {
    known_.insert(name);
    if (!values_.contains(name) || values_[name].is_none()) return std::nullopt;
    try {
      return values_[name].template cast<Value>();
    } catch (const py::cast_error&) {
      throw_type_error(name);
    }
  }

  // Throws TypeError for entries that nobody has asked for.
  void refuse_others() const;

 private:
  [[noreturn]] void throw_type_error(const char* name) const;

  py::dict values_;
  std::set<std::string> known_;
};

// `probabilities`, an n x K array of float32, is looked at where it lies: `values` must outlive the
// options.
AuditOptions audit_options(const py::dict& values);
BalanceOptions balance_options(const py::dict& values);
// `transition` is an estimator's name or a K x K array, `group_noise` a pair (e-, e+) a group.
TrainModelOptions model_options(const py::dict& values);

}  // namespace noiseplus::python
