#include <cmath>

#include "noiseplus/report.h"
#include "noiseplus/version.h"
#include "pipeline/report_check.h"
#include "report/fair_text.h"
#include "report/json.h"

namespace noiseplus {
namespace {

// A whole number without ".0", an expected one to three digits.
Json count_json(double count) {
  const double rounded = std::round(count * 1000) / 1000;
  if (rounded == std::trunc(rounded)) return static_cast<std::int64_t>(rounded);
  return rounded;
}

Json confusion_json(const Confusion& confusion) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < confusion.classes; ++i) {
    Json row = Json::array();
    for (std::size_t j = 0; j < confusion.classes; ++j) {
      row.push_back(count_json(confusion.counts[i * confusion.classes + j]));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

void add_quality(Json& json, const GroupQuality& quality) {
  json["rows"] = quality.confusion.rows();
  add_estimate(json, "accuracy", quality.accuracy);
  add_estimate(json, "tpr", quality.tpr);
  add_estimate(json, "fpr", quality.fpr);
  add_estimate(json, "positive_rate", quality.positive_rate);
  json["confusion"] = confusion_json(quality.confusion);
}

}  // namespace

std::string to_json(const Evaluation& evaluation, const std::optional<CleanFairness>& clean) {
  check_report(evaluation);
  Json json;
  json["version"] = version();
  json["classes"] = evaluation.classes;
  json["positive"] = evaluation.classes[evaluation.positive];
  add_quality(json, evaluation.all);
  json["groups"] = Json::array();
  for (const GroupQuality& group : evaluation.groups) {
    Json entry = {{"group", group.group}};
    add_quality(entry, group);
    json["groups"].push_back(std::move(entry));
  }
  add_estimate(json, "equalized_odds_violation", evaluation.equalized_odds_violation);
  add_estimate(json, "demographic_parity_violation", evaluation.demographic_parity_violation);
  add_estimate(json, "error_parity_violation", evaluation.error_parity_violation);
  if (clean) json["clean"] = clean_json(*clean);
  json["warnings"] = evaluation.warnings;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace noiseplus
