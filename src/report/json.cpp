#include <cmath>

#include "noiseplus/report.h"
#include "report/json.h"

namespace noiseplus {
namespace {

Json rate_json(const std::string& name, const Estimated& rate) {
  return {{"class", name}, {"rate", rate.value}, {"low", rate.low}, {"high", rate.high}};
}

Json class_or_null(const AuditReport& report, int position) {
  return position < 0 ? Json(nullptr) : Json(report.classes[static_cast<std::size_t>(position)]);
}

Json precision_json(const Precision& precision) {
  return {{"wanted", precision.wanted},
          {"reached", precision.reached ? Json(*precision.reached) : Json(nullptr)}};
}

Json paper_json(const AuditReport& report) {
  const PaperResult& result = *report.paper;
  Json json = {{"successful", result.successful}, {"gap", result.first_gap}};
  json["flipped"] = class_or_null(report, report.estimate.cleaner);
  json["epsilon"] = result.epsilon;
  json["steps"] = result.steps;
  return json;
}

}  // namespace

Json matrix_json(const std::vector<double>& matrix, std::size_t size) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < size; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < size; ++j) row.push_back(matrix[i * size + j]);
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string version() {
  return NOISEPLUS_VERSION;
}

std::string to_json(const AuditReport& report) {
  const NoiseEstimate& estimate = report.estimate;
  Json json;
  json["version"] = version();
  json["label"] = report.label;
  json["rows"] = report.rows;
  json["features"] = report.features;
  json["classes"] = report.classes;
  json["positive"] = report.classes[report.positive];
  json["estimator"] = estimate.estimator;
  json["estimates"] = report.estimates;
  json["k"] = report.k;
  json["metric"] = report.metric;
  json["anchors"] = report.anchors;
  if (report.precision) json["precision"] = precision_json(*report.precision);
  json["identified"] = estimate.identified;
  json["prior"] = estimate.prior;
  json["noise"] = Json::array();
  for (std::size_t c = 0; c < report.classes.size(); ++c) {
    json["noise"].push_back(rate_json(report.classes[c], estimate.noise[c]));
  }
  json["transition"] = matrix_json(estimate.transition, report.classes.size());
  json["gap"] = {{"value", estimate.gap.value},
                 {"low", estimate.gap.low},
                 {"high", estimate.gap.high},
                 {"p_value", estimate.p_value}};
  json["noisier"] = class_or_null(report, estimate.noisier);
  json["cleaner"] = class_or_null(report, estimate.cleaner);
  json["leans"] = class_or_null(report, estimate.leans);
  json["groups"] = Json::array();
  json["noisier_group"] = nullptr;
  json["cleaner_group"] = nullptr;
  json["plan"] = Json::array(
      {{{"group", nullptr}, {"flip", matrix_json(report.plan.flip, report.plan.classes)}}});
  if (!report.flipped.empty()) {
    json["flipped"] = Json::object();
    for (std::size_t c = 0; c < report.classes.size(); ++c) {
      json["flipped"][report.classes[c]] = report.flipped[c];
    }
  }
  if (report.paper) json["paper"] = paper_json(report);
  json["conditioning"] = estimate.conditioning;
  json["warnings"] = report.warnings;
  json["advice"] = {{"action", report.advice.action}, {"why", report.advice.why}};
  json["seconds"] = {{"read", report.seconds.read},
                     {"neighbours", report.seconds.neighbours},
                     {"estimate", report.seconds.estimate}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace noiseplus
