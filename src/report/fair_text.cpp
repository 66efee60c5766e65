#include "report/fair_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "report/format.h"

namespace noiseplus {
namespace {

// The rates are compared one after the other, each in all groups.
std::size_t rates_compared(const FairReport& fair) {
  return fair.rates.size() / std::max<std::size_t>(fair.groups.size(), 1);
}

const ConstrainedRate& rate_of(const FairReport& fair, std::size_t rate, std::size_t group) {
  return fair.rates[rate * fair.groups.size() + group];
}

std::string group_table(const FairReport& fair) {
  const std::size_t width = widest_short_name(fair.groups, 5);
  std::string text = fmt::format("\n{:<{}}  {:>9}  {:>8}", "group", width, "rows", "positive");
  for (std::size_t r = 0; r < rates_compared(fair); ++r) {
    text += fmt::format("  {:>15}", rate_of(fair, r, 0).rate);
  }
  text += '\n';
  for (std::size_t z = 0; z < fair.groups.size(); ++z) {
    text += fmt::format("{:<{}}  {:>9}  {:>8}", short_name(fair.groups[z]), width,
                        with_thousands(fair.group_rows[z]), percent(fair.base_rates[z]));
    for (std::size_t r = 0; r < rates_compared(fair); ++r) {
      const ConstrainedRate& rate = rate_of(fair, r, z);
      text += fmt::format("  {:>15}",
                          fmt::format("{} ± {:.1f}", percent(rate.value), 100 * rate.spread));
    }
    text += '\n';
  }
  return text + fmt::format("±: one standard error by the chance of sampling{}.\n",
                            fair.noise.empty() ? "" : ", were the noise rates exact");
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

std::string fair_text(const FairReport& fair) {
  std::string text =
      '\n' + wrapped(fmt::format("{} within {:g}, judged by {}: {}.", fair.constraint,
                                 fair.tolerance, fair.judged_by, printable(fair.why)));
  text += group_table(fair);
  text +=
      fmt::format("Largest difference between two groups: {:.1f} points.\n", 100 * fair.violation);
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
  return json;
}

std::string balanced_text(const AuditReport& balanced) {
  const std::size_t flipped =
      std::accumulate(balanced.flipped.begin(), balanced.flipped.end(), std::size_t{0});
  if (flipped == 0) {
    return fmt::format("balanced first (scope {}): no label was flipped\n", balanced.scope);
  }
  std::string text = fmt::format("balanced first (scope {}): {} labels flipped", balanced.scope,
                                 with_thousands(flipped));
  if (balanced.scope != "class") {
    for (const GroupNoise& group : balanced.groups) {
      text += fmt::format("\n  group {}: {} of its labels were wrong", short_name(group.name),
                          group.known() ? percent(group.rate.value) : "it is not known how many");
    }
  }
  return text + '\n';
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

std::string clean_text(const CleanFairness& clean) {
  std::vector<std::string> names;
  for (const CleanGroup& group : clean.groups) names.push_back(group.group);
  const std::size_t width = widest_short_name(names, 5);
  std::string text = "\nBy clean labels, reckoned from the noise of those given:\n";
  text += fmt::format("\n{:<{}}  {:>8}  {:>7}  {:>16}  {:>7}  {:>16}\n", "group", width, "positive",
                      "tpr", "95 % interval", "fpr", "95 % interval");
  for (const CleanGroup& group : clean.groups) {
    text += fmt::format("{:<{}}  {:>8}  {:>7}  {:>16}  {:>7}  {:>16}\n", short_name(group.group),
                        width, percent(group.base_rate), percent(group.tpr.value),
                        span(group.tpr.low, group.tpr.high), percent(group.fpr.value),
                        span(group.fpr.low, group.fpr.high));
  }
  const Estimated& violation = clean.equalized_odds_violation;
  text += fmt::format(
      "\nEqualized odds by clean labels: largest difference {:.1f} points "
      "({:.1f} to {:.1f}{}).\n",
      100 * violation.value, 100 * violation.low, 100 * violation.high,
      violation.low > 0 ? "" : "; may be chance");
  if (clean.violation_bound) {
    text += fmt::format(
        "A constraint met at the noise that training reckoned with would leave at "
        "least\n{:.1f} points, were both classes equally frequent.\n",
        100 * *clean.violation_bound);
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
