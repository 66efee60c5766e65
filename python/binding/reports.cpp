#include <pybind11/stl.h>

#include "arrays.h"
#include "call.h"
#include "data_in.h"
#include "options.h"
#include "parts.h"

namespace noiseplus::python {
namespace {

// All numbers are in the JSON, to the last bit; what is one a row is not.
py::dict report_dict(AuditReport&& report) {
  py::dict result;
  result["json"] = to_json(report);
  result["text"] = to_text(report);
  result["warnings"] = report.warnings;
  result["right"] = to_array(std::move(report.quality.right));
  result["suggested"] = to_array(std::move(report.quality.suggested));
  return result;
}

py::dict audit_data(const Data& data, const py::dict& values, unsigned threads,
                    py::object progress) {
  const AuditOptions options = audit_options(values);
  return report_dict(run(Call{threads, std::move(progress)}, [&](const Execution& execution) {
    return audit(*data.dataset, options, execution);
  }));
}

py::dict balance_data(const Data& data, const py::dict& values, unsigned threads,
                      py::object progress) {
  const BalanceOptions options = balance_options(values);
  BalanceResult balanced = run(Call{threads, std::move(progress)}, [&](const Execution& execution) {
    return balance(*data.dataset, options, execution);
  });
  py::dict result = report_dict(std::move(balanced.report));
  result["codes"] = to_array(std::move(balanced.codes));
  return result;
}

using Codes = py::array_t<std::int32_t>;
using Texts = std::vector<std::string>;

py::dict evaluate_answers(const py::array& answers, const Codes& codes, const Texts& classes,
                          std::size_t positive, const Codes& group_codes,
                          const Texts& group_names) {
  const Labels labels = labels_of(codes, classes);
  const Labels groups = labels_of(group_codes, group_names);
  const Evaluation evaluation =
      answers.ndim() == 2 ? evaluate(matrix_of(answers), labels, positive, groups)
                          : evaluate(values_of(answers.cast<Codes>()), labels, positive, groups);
  py::dict result;
  result["json"] = to_json(evaluation);
  result["text"] = to_text(evaluation);
  result["warnings"] = evaluation.warnings;
  return result;
}

std::string html_page(const std::vector<std::pair<std::string, std::string>>& documents,
                      const std::string& title, const std::string& date) {
  std::vector<PageDocument> pages;
  pages.reserve(documents.size());
  for (const auto& [name, json] : documents) pages.push_back({name, json});
  return to_html(pages, title, {.file = {}, .date = date, .command = {}});
}

}  // namespace

void add_reports(py::module_& module) {
  module.def("audit", &audit_data, py::arg("data"), py::arg("options"), py::arg("threads") = 0,
             py::arg("progress") = py::none());
  module.def("balance", &balance_data, py::arg("data"), py::arg("options"), py::arg("threads") = 0,
             py::arg("progress") = py::none());
  module.def("evaluate", &evaluate_answers, py::arg("answers"), py::arg("codes"),
             py::arg("classes"), py::arg("positive"), py::arg("group_codes"),
             py::arg("group_names"));
  module.def("html_page", &html_page, py::arg("documents"), py::arg("title"), py::arg("date"));
}

}  // namespace noiseplus::python
