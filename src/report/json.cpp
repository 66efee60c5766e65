#include <cmath>

#include "noiseplus/report.h"
#include "noiseplus/version.h"
#include "pipeline/giveaway.h"
#include "pipeline/report_check.h"
#include "pipeline/suspects.h"
#include "report/json.h"

namespace noiseplus {
namespace {

Json rate_json(const std::string& name, const EstimateWithInterval& rate) {
  return {{"class", name}, {"rate", rate.value}, {"low", rate.low}, {"high", rate.high}};
}

Json class_or_null(const AuditReport& report, int position) {
  return position < 0 ? Json(nullptr) : Json(report.classes[static_cast<std::size_t>(position)]);
}

Json rates_json(const AuditReport& report, const NoiseEstimate& estimate,
                const std::vector<char>& upper_bound_only) {
  Json rates = Json::array();
  for (std::size_t c = 0; c < report.classes.size(); ++c) {
    rates.push_back(rate_json(report.classes[c], estimate.noise[c]));
    if (!upper_bound_only.empty()) rates.back()["upper_bound"] = upper_bound_only[c] != 0;
  }
  return rates;
}

Json gap_json(const EstimateWithInterval& gap, double p_value) {
  return {{"value", gap.value}, {"low", gap.low}, {"high", gap.high}, {"p_value", p_value}};
}

// Pairs of classes or groups, by their names.
template <typename NameOf>
Json pairs_json(const std::vector<ClassPair>& pairs, const NameOf& name_of) {
  Json json = Json::array();
  for (const ClassPair& pair : pairs) {
    json.push_back({{"noisier", name_of(pair.noisier)}, {"cleaner", name_of(pair.cleaner)}});
  }
  return json;
}

Json group_json(const AuditReport& report, std::size_t position) {
  const GroupNoise& group = report.groups[position];
  Json json = {{"group", group.name},          {"rows", group.rows},
               {"rate", group.rate.value},     {"low", group.rate.low},
               {"high", group.rate.high},      {"identified", group.known()},
               {"prior", group.estimate.prior}};
  json["noise"] = rates_json(report, group.estimate, group.class_upper_bound_only);
  if (!group.class_upper_bound_only.empty()) json["upper_bound"] = group.is_upper_bound();
  if (group.symmetric_rate) {
    const EstimateWithInterval& rate = *group.symmetric_rate;
    json["symmetric_rate"] = {{"rate", rate.value}, {"low", rate.low}, {"high", rate.high}};
  }
  // A group that is too small has no matrix of its own; its rates are those of all rows.
  json["transition"] = matrix_json(
      group.estimate.transition.empty() ? report.estimate.transition : group.estimate.transition,
      report.classes.size());
  json["noisier"] = class_or_null(report, group.estimate.noisier);
  json["cleaner"] = class_or_null(report, group.estimate.cleaner);
  json["leans"] = class_or_null(report, group.estimate.leans);
  if (position < report.group_class_rows.size()) {
    json["class_rows"] = report.group_class_rows[position];
  }
  if (!group.too_small.empty()) json["too_small"] = group.too_small;
  return json;
}

void add_groups(Json& json, const AuditReport& report) {
  const GroupComparison& comparison = report.comparison;
  const auto name_of = [&](int g) {
    return g < 0 ? Json(nullptr) : Json(report.groups[static_cast<std::size_t>(g)].name);
  };
  json["groups"] = Json::array();
  for (std::size_t g = 0; g < report.groups.size(); ++g) {
    json["groups"].push_back(group_json(report, g));
  }
  json["noisier_group"] = name_of(comparison.noisier);
  json["cleaner_group"] = name_of(comparison.cleaner);
  if (report.groups.empty()) return;
  json["group_by"] = report.group_name;
  json["leans_group"] = name_of(comparison.leaning);
  json["group_gap"] = gap_json(comparison.gap, comparison.p_value);
  json["group_claims"] = pairs_json(comparison.claims, name_of);
  Json claims = Json::array();
  for (const ClassGroupsClaim& claim : comparison.class_claims) {
    claims.push_back({{"class", class_or_null(report, claim.label)},
                      {"noisier", name_of(claim.noisier)},
                      {"cleaner", name_of(claim.cleaner)}});
  }
  json["beyond_class"] = {{"differs", !comparison.class_claims.empty()},
                          {"p_value", comparison.beyond_class_p_value},
                          {"claims", std::move(claims)}};
  if (comparison.claims_total > comparison.claims.size()) {
    json["group_claims_total"] = comparison.claims_total;
  }
}

Json plan_json(const AuditReport& report, const FlipPlan& plan) {
  Json json = Json::array();
  for (std::size_t g = 0; g < plan.groups; ++g) {
    const std::span<const double> flip = plan.of_group(g);
    json.push_back({{"group", plan.groups == 1 ? Json(nullptr) : Json(report.groups[g].name)},
                    {"flip", matrix_json({flip.begin(), flip.end()}, plan.classes)}});
  }
  return json;
}

Json estimated_json(const EstimateWithInterval& estimated) {
  return {{"value", estimated.value}, {"low", estimated.low}, {"high", estimated.high}};
}

Json comparison_json(const RouteComparison& comparison) {
  Json gains = Json::array();
  for (const RouteGain& gain : comparison.gains) {
    Json one = {{"action", gain.action}};
    one.update(estimated_json(gain.gain));
    if (comparison.is_corrected) one["on_given_labels"] = estimated_json(gain.on_given);
    gains.push_back(std::move(one));
  }
  return {{"model", to_string(comparison.model)},
          {"rows", comparison.rows},
          {"judged_by", comparison.is_corrected ? "corrected labels" : "given labels"},
          {"gains", std::move(gains)}};
}

Json advice_json(const Advice& advice) {
  Json json = {{"action", advice.action}, {"why", advice.why}};
  // There is no bound for what cannot be done.
  if (advice.balance_bound > 0) json["balance_bound"] = advice.balance_bound;
  if (advice.correct_bound > 0) json["correct_bound"] = advice.correct_bound;
  if (advice.expected_gain) json["expected_gain"] = estimated_json(*advice.expected_gain);
  if (advice.comparison) json["comparison"] = comparison_json(*advice.comparison);
  if (advice.rows_to_fix > 0) json["rows_to_fix"] = advice.rows_to_fix;
  return json;
}

Json precision_json(const Precision& precision) {
  return {{"wanted", precision.wanted},
          {"reached", precision.reached ? Json(*precision.reached) : Json(nullptr)}};
}

Json clusterability_json(const Clusterability& found) {
  return {{"disagreement", found.disagreement},
          {"disagreement_limit", found.max_disagreement},
          {"mixed", found.mixed},
          {"mixed_limit", found.max_mixed},
          {"distinct", found.distinct},
          {"distinct_limit", found.min_distinct}};
}

Json giveaway_json(const Giveaway& giveaway) {
  Json json = {{"kind", to_string(giveaway.kind)},
               {"columns", giveaway.columns},
               {"share", giveaway.share},
               {"text", giveaway_text(giveaway)}};
  if (!giveaway.rule.empty()) json["rule"] = giveaway.rule;
  return json;
}

Json paper_json(const AuditReport& report) {
  const PaperParts& found = *report.paper;
  const auto name_of = [&](std::size_t i) {
    return report.scope == "class" ? report.classes[i] : report.groups[i].name;
  };
  Json json = {
      {"successful", found.successful},
      {"noisiest", found.noisiest < 0 ? Json(nullptr)
                                      : Json(name_of(static_cast<std::size_t>(found.noisiest)))},
      {"parts", Json::array()}};
  for (std::size_t i = 0; i < found.parts.size(); ++i) {
    const PaperPart& part = found.parts[i];
    json["parts"].push_back(
        {{"name", name_of(i)},
         {"agreement", std::isnan(part.agreement) ? Json(nullptr) : Json(part.agreement)},
         {"epsilon", part.epsilon},
         {"steps", part.steps},
         {"successful", part.successful}});
  }
  return json;
}

Json finding_json(const Finding& finding) {
  return {{"id", to_string(finding.id)}, {"severity", to_string(finding.severity)},
          {"subject", finding.subject},  {"title", finding.title},
          {"text", finding.text},        {"numbers", finding.numbers}};
}

void add_headline(Json& json, const AuditReport& report) {
  const std::vector<Finding> found = findings(report);
  if (report.wrong_share) {
    json["wrong_share"] = estimated_json(*report.wrong_share);
    json["wrong_share"]["upper_bound"] = report.has_upper_bound();
  }
  json["findings"] = Json::array();
  for (const Finding& finding : found) {
    if (finding.id == FindingId::condition) json["condition"] = finding.text;
    json["findings"].push_back(finding_json(finding));
  }
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

void add_estimate(Json& json, const std::string& key,
                  const std::optional<EstimateWithInterval>& estimate) {
  json[key] = estimate ? Json(estimate->value) : Json(nullptr);
  json[key + "_interval"] = estimate ? Json::array({estimate->low, estimate->high}) : Json(nullptr);
}

std::string to_json(const AuditReport& report) {
  check_report(report);
  const NoiseEstimate& estimate = report.estimate;
  Json json;
  json["version"] = version();
  json["label"] = report.label;
  add_headline(json, report);
  json["rows"] = report.rows;
  json["missing_labels"] = report.missing_labels;
  json["features"] = report.features;
  if (report.probabilities) {
    json["probabilities"] =
        report.probabilities->empty() ? Json(true) : Json(*report.probabilities);
  }
  json["classes"] = report.classes;
  json["class_rows"] = report.class_rows;
  json["positive"] = report.classes[report.positive];
  json["estimator"] = estimate.estimator;
  if (!report.mode.empty()) {
    json["mode"] = report.mode;
    json["reason"] = report.reason;
  }
  if (report.clusterability) json["clusterability"] = clusterability_json(*report.clusterability);
  json["estimates"] = report.estimates;
  json["k"] = report.k;
  json["metric"] = report.metric;
  json["anchors"] = report.anchors;
  if (report.precision) json["precision"] = precision_json(*report.precision);
  json["identified"] = estimate.identified;
  if (report.giveaway) json["giveaway"] = giveaway_json(*report.giveaway);
  json["prior"] = estimate.prior;
  json["noise"] = rates_json(report, estimate, report.upper_bound_only);
  json["transition"] = matrix_json(estimate.transition, report.classes.size());
  json["gap"] = gap_json(estimate.gap, estimate.p_value);
  json["noisier"] = class_or_null(report, estimate.noisier);
  json["cleaner"] = class_or_null(report, estimate.cleaner);
  json["leans"] = class_or_null(report, estimate.leans);
  json["claims"] = pairs_json(report.claims, [&](int c) { return class_or_null(report, c); });
  add_groups(json, report);
  json["scope"] = report.scope;
  json["plan"] = plan_json(report, report.plan);
  if (report.forced) json["forced"] = plan_json(report, *report.forced);
  if (!report.flipped.empty()) {
    json["flipped"] = Json::object();
    for (std::size_t c = 0; c < report.classes.size(); ++c) {
      json["flipped"][report.classes[c]] = report.flipped[c];
    }
  }
  if (report.paper) json["paper"] = paper_json(report);
  if (report.agreements) {
    json["agreement"] = {{"flipped", class_or_null(report, report.agreements->flipped)},
                         {"epsilon", report.agreements->epsilons},
                         {"gap", report.agreements->gaps}};
  }
  if (!report.quality.right.empty() || report.suspects) {
    json["row_probabilities"] = report.rows_are_calibrated ? "calibrated" : "ranking";
  }
  json["conditioning"] = estimate.conditioning;
  json["warnings"] = report.warnings;
  json["advice"] = advice_json(report.advice);
  json["seconds"] = {{"read", report.seconds.read},
                     {"neighbours", report.seconds.neighbors},
                     {"estimate", report.seconds.estimate}};
  if (report.suspects) json["suspects"] = suspects_json(*report.suspects, report.rows);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace noiseplus
