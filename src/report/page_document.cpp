#include "report/page_document.h"

#include <algorithm>

#include "core/json_depth.h"
#include "data/raw_array.h"
#include "report/schema.h"

namespace noiseplus {
namespace {

Error document_fault(const PageDocument& document, const std::string& message) {
  return {ErrorKind::data, document.name + ": " + message};
}

// "3:17", counted from 1, of a byte that is counted from 1 as well.
std::string line_and_column(const std::string& text, std::size_t byte) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(
                                      std::clamp<std::size_t>(byte, 1, text.size() + 1) - 1);
  const auto lines = std::count(text.begin(), end, '\n');
  const auto line_begin = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return std::to_string(lines + 1) + ':' + std::to_string(end - line_begin + 1);
}

Json parse_document(const PageDocument& document) {
  if (is_nested_too_deeply(document.json)) {
    throw document_fault(document, "is nested too deeply; give a report in JSON as it was written");
  }
  try {
    return Json::parse(document.json);
  } catch (const Json::parse_error& error) {
    throw Error(ErrorKind::data, document.name + ':' + line_and_column(document.json, error.byte) +
                                     ": is no JSON; give a report in JSON as it was written");
  } catch (const Json::exception&) {
    throw document_fault(document,
                         "has a number that is too large; give a report as it was written");
  }
}

// The lengths that a page relies on, which no schema can say.
class DocumentFit {
 public:
  DocumentFit(const PageDocument& document, const Json& report)
      : document_(document), report_(report), classes_(report["classes"].size()) {}

  void audit() const {
    expect_length("class_rows", report_["class_rows"], classes_);
    expect_length("prior", report_["prior"], classes_);
    expect_length("noise", report_["noise"], classes_);
    expect_square("transition", report_["transition"]);
    for (const auto& [name, rates] : report_["estimates"].items()) {
      expect_length("estimates/" + noiseplus::quoted(name), rates, classes_);
    }
    for (const Json& group : report_["groups"]) {
      expect_length("groups: prior", group["prior"], classes_);
      expect_length("groups: noise", group["noise"], classes_);
      if (group.contains("transition")) expect_square("groups: transition", group["transition"]);
      if (group.contains("class_rows")) {
        expect_length("groups: class_rows", group["class_rows"], classes_);
      }
    }
    for (const char* key : {"plan", "forced"}) {
      if (report_.contains(key)) expect_plan(key);
    }
    if (report_.contains("agreement")) {
      const Json& agreement = report_["agreement"];
      expect_length("agreement/gap", agreement["gap"], agreement["epsilon"].size());
    }
    if (report_.contains("suspects")) expect_suspects(report_["suspects"]);
    for (const char* key : {"noisier", "cleaner", "leans"}) expect_class(key, report_[key]);
    const std::size_t named = report_["noisier"].is_null() ? 0 : 1;
    expect((report_["cleaner"].is_null() ? 0U : 1U) == named, "noisier: goes with cleaner");
    expect(report_["groups"].empty() || report_.contains("group_gap"), "groups: go with group_gap");
  }

  void training() const {
    if (report_.contains("transition")) expect_square("transition", report_["transition"]);
  }

  void evaluation() const {
    expect_square("confusion", report_["confusion"]);
    for (const Json& group : report_["groups"]) {
      expect_square("groups: confusion", group["confusion"]);
    }
  }

 private:
  void expect(bool fits, const std::string& what) const {
    if (!fits) throw document_fault(document_, what + ", which it does not here; was it edited?");
  }

  void expect_length(const std::string& place, const Json& values, std::size_t length) const {
    expect(values.size() == length, place + ": has " + std::to_string(length) + " entries");
  }

  void expect_square(const std::string& place, const Json& matrix) const {
    expect_length(place, matrix, classes_);
    for (const Json& row : matrix) expect_length(place, row, classes_);
  }

  void expect_class(const std::string& place, const Json& name) const {
    const Json& classes = report_["classes"];
    expect(name.is_null() || std::find(classes.begin(), classes.end(), name) != classes.end(),
           place + ": is one of classes");
  }

  void expect_plan(const std::string& key) const {
    const std::size_t parts = report_[key].size();
    expect(parts == 1 || parts == report_["groups"].size(), key + ": has one entry per group");
    for (const Json& part : report_[key]) expect_square(key, part["flip"]);
  }

  void expect_suspects(const Json& suspects) const {
    const std::size_t columns = suspects["columns"].size();
    const std::size_t groups = report_["groups"].size();
    for (const Json& row : suspects["rows"]) {
      expect_length("suspects: values", row["values"], suspects.contains("image") ? 0 : columns);
      const auto is_below = [](const Json& position, std::size_t end) {
        return position.get<double>() < static_cast<double>(end);
      };
      expect(!row.contains("group") || is_below(row["group"], groups),
             "suspects: group is a position in groups");
      bool known = is_below(row["given"], classes_) && is_below(row["suggested"], classes_);
      for (const Json& neighbor : row["neighbours"]) known = known && is_below(neighbor, classes_);
      expect(known, "suspects: labels are positions in classes");
    }
  }

  const PageDocument& document_;
  const Json& report_;
  std::size_t classes_;
};

std::string kind_of(const Json& report) {
  if (!report.is_object()) return "";
  if (report.contains("noise")) return "audit";
  if (report.contains("loss")) return "training";
  return report.contains("confusion") ? "evaluation" : "";
}

}  // namespace

CheckedDocument check_document(const PageDocument& document) {
  CheckedDocument checked{"", document.name, parse_document(document)};
  const Json& report = checked.report;
  checked.kind = kind_of(report);
  if (checked.kind.empty()) {
    throw document_fault(document,
                         "is no report; give the JSON of an audit, a balancing, a training or an "
                         "evaluation");
  }
  const std::string schema = checked.kind == "audit"      ? "audit.schema.json"
                             : checked.kind == "training" ? "train.schema.json"
                                                          : "evaluate.schema.json";
  const std::string wrong = schema_fault(report, schema);
  if (!wrong.empty()) throw document_fault(document, wrong);
  const DocumentFit fit(document, report);
  if (checked.kind == "audit") fit.audit();
  if (checked.kind == "training") fit.training();
  if (checked.kind == "evaluation") fit.evaluation();
  return checked;
}

}  // namespace noiseplus
