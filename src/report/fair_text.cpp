#include "report/fair_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/format.h"
#include "report/text_table.h"

namespace noiseplus {
namespace {

// The rates are compared one after the other, each in all groups.
std::size_t rates_compared(const FairReport& fair) {
  return fair.rates.size() / std::max<std::size_t>(fair.groups.size(), 1);
}

const ConstrainedRate& rate_of(const FairReport& fair, std::size_t rate, std::size_t group) {
  return fair.rates[rate * fair.groups.size() + group];
}

std::string group_table(const FairReport& fair, TextStyle style) {
  std::vector<std::string> headings = {"group", "rows", "positive"};
  for (std::size_t r = 0; r < rates_compared(fair); ++r) {
    headings.push_back(rate_of(fair, r, 0).rate);
  }
  TextTable table(headings);
  for (std::size_t z = 0; z < fair.groups.size(); ++z) {
    std::vector<TextCell> cells = {{short_name(fair.groups[z])},
                                   {with_thousands(fair.group_rows[z])},
                                   {percent(fair.base_rates[z])}};
    for (std::size_t r = 0; r < rates_compared(fair); ++r) {
      const ConstrainedRate& rate = rate_of(fair, r, z);
      cells.push_back({fmt::format("{} ± {}", percent(rate.value), points(rate.spread))});
    }
    table.add(std::move(cells));
  }
  const std::string note = fmt::format("±: one standard error by the chance of sampling{}.\n",
                                       fair.noise.empty() ? "" : ", were the noise rates exact");
  return '\n' + table.text(style) + inked(note, Ink::faint, style);
}

std::string route_text(const FairAdvice& advice, TextStyle style) {
  return '\n' + inked(fmt::format("Route: {}.\n", advice.route), Ink::strong, style) +
         wrapped(fmt::format("Why: {}.", printable(advice.why)));
}

Json range_json(const EstimateWithInterval& range) {
  return {{"value", range.value}, {"low", range.low}, {"high", range.high}};
}

Json route_json(const FairAdvice& advice) {
  Json json = {{"route", advice.route}, {"why", advice.why}};
  json["trials"] = Json::array();
  for (const RouteTrial& trial : advice.trials) {
    json["trials"].push_back(
        {{"route", trial.route},
         {"removed", range_json(trial.removed)},
         {"gained", range_json(trial.gained)},
         {"lower_in", trial.lower_in},
         {"spread", trial.spread},
         {"why_not", trial.why_not.empty() ? Json(nullptr) : Json(trial.why_not)}});
  }
  return json;
}

std::string shares_text(const FairReport& fair) {
  if (fair.shares.size() == 1) return "one model";
  std::string text = fmt::format("lot among {} models (", fair.shares.size());
  for (std::size_t t = 0; t < fair.shares.size(); ++t) {
    text += (t == 0 ? "" : ", ") + percent(fair.shares[t]);
  }
  return text + ")";
}

}  // namespace

std::string fair_text(const FairReport& fair, TextStyle style) {
  std::string text = fair.advice ? route_text(*fair.advice, style) : "";
  text += '\n' + wrapped(fmt::format("{} within {:g}, judged by {}: {}.", fair.constraint,
                                     fair.tolerance, fair.judged_by, printable(fair.why)));
  text += group_table(fair, style);
  text += '\n' + inked(fmt::format("Largest difference between two groups: {} points.\n",
                                   points(fair.violation)),
                       Ink::strong, style);
  text += wrapped(fmt::format(
      "Answers by {}, found in {} rounds; disagrees with {} of the labels, without the constraint "
      "with {}.",
      shares_text(fair), fair.rounds, percent(fair.error), percent(fair.unconstrained_error)));
  return text;
}

Json fair_json(const FairReport& fair) {
  Json json = {{"constraint", fair.constraint},
               {"tolerance", fair.tolerance},
               {"judged_by", fair.judged_by},
               {"why", fair.why}};
  json["groups"] = Json::array();
  for (std::size_t z = 0; z < fair.groups.size(); ++z) {
    Json group = {
        {"group", fair.groups[z]}, {"rows", fair.group_rows[z]}, {"base_rate", fair.base_rates[z]}};
    if (!fair.noise.empty()) {
      group["negative_noise"] = fair.noise[z].negative;
      group["positive_noise"] = fair.noise[z].positive;
    }
    for (std::size_t r = 0; r < rates_compared(fair); ++r) {
      const ConstrainedRate& rate = rate_of(fair, r, z);
      const std::string key = rate.rate == "positive rate" ? "positive_rate" : rate.rate;
      group[key] = rate.value;
      group[key + "_spread"] = rate.spread;
    }
    json["groups"].push_back(std::move(group));
  }
  json["violation"] = fair.violation;
  json["error"] = fair.error;
  json["unconstrained_error"] = fair.unconstrained_error;
  json["unconstrained_violation"] = fair.unconstrained_violation;
  json["shares"] = fair.shares;
  json["rounds"] = fair.rounds;
  json["models_trained"] = fair.models_trained;
  json["folds"] = fair.folds;
  json["converged"] = fair.converged;
  if (fair.advice) json["advice"] = route_json(*fair.advice);
  return json;
}

std::string balanced_text(const AuditReport& balanced, TextStyle style) {
  const std::size_t flipped =
      std::accumulate(balanced.flipped.begin(), balanced.flipped.end(), std::size_t{0});
  const std::string start = fmt::format("Balanced first (scope {}): ", balanced.scope);
  if (flipped == 0) return start + "no label was flipped.\n";
  std::string text = start + counted(flipped, "label") + " flipped.\n";
  if (balanced.scope == "class") return text;
  TextTable table({"group", "wrong labels, before"}, 2);
  for (const GroupNoise& group : balanced.groups) {
    table.add({{short_name(group.name)},
               {group.known() ? percent(group.rate.value) : std::string("not known")}});
  }
  return text + table.text(style);
}

Json balanced_json(const AuditReport& balanced) {
  Json json = {{"scope", balanced.scope}, {"estimator", balanced.estimate.estimator}};
  json["flipped"] = Json::object();
  for (std::size_t c = 0; c < balanced.flipped.size(); ++c) {
    json["flipped"][balanced.classes[c]] = balanced.flipped[c];
  }
  json["groups"] = Json::array();
  for (const GroupNoise& group : balanced.groups) {
    json["groups"].push_back({{"group", group.name},
                              {"rate", group.rate.value},
                              {"low", group.rate.low},
                              {"high", group.rate.high},
                              {"identified", group.known()}});
  }
  return json;
}

std::string clean_text(const CleanFairness& clean, TextStyle style) {
  TextTable table({"group", "positive", "tpr", "95 % interval", "fpr", "95 % interval"});
  for (const CleanGroup& group : clean.groups) {
    table.add({{short_name(group.group)},
               {percent(group.base_rate)},
               {percent(group.tpr.value)},
               {span(group.tpr.low, group.tpr.high)},
               {percent(group.fpr.value)},
               {span(group.fpr.low, group.fpr.high)}});
  }
  const EstimateWithInterval& violation = clean.equalized_odds_violation;
  std::string text =
      "\nBy clean labels, reckoned from the noise of those given:\n\n" + table.text(style) + '\n' +
      wrapped(fmt::format("Equalized odds by clean labels: largest difference {} "
                          "points ({} to {}{}).",
                          points(violation.value), points(violation.low), points(violation.high),
                          violation.low > 0 ? "" : "; may be chance"));
  if (clean.violation_bound) {
    text += wrapped(fmt::format(
        "A constraint met at the noise that training accounted for would leave at least {} "
        "points, were both classes equally frequent.",
        points(*clean.violation_bound)));
  }
  return text;
}

Json clean_json(const CleanFairness& clean) {
  Json json;
  json["groups"] = Json::array();
  for (const CleanGroup& group : clean.groups) {
    Json entry = {{"group", group.group},
                  {"negative_noise", group.noise.negative},
                  {"positive_noise", group.noise.positive},
                  {"base_rate", group.base_rate}};
    add_estimate(entry, "tpr", group.tpr);
    add_estimate(entry, "fpr", group.fpr);
    json["groups"].push_back(std::move(entry));
  }
  add_estimate(json, "equalized_odds_violation", clean.equalized_odds_violation);
  json["violation_bound"] = clean.violation_bound ? Json(*clean.violation_bound) : Json(nullptr);
  return json;
}

}  // namespace noiseplus
