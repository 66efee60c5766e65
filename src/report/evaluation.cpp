#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "noiseplus/report.h"
#include "report/fair_text.h"
#include "report/format.h"

namespace noiseplus {
namespace {

constexpr std::size_t most_columns = 12;
constexpr std::size_t worst_shown = 10;

// ------------------------------------------------------------------------------------------- JSON

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

// ------------------------------------------------------------------------------------------- text

std::string rows_text(const Confusion& confusion) {
  return with_thousands(static_cast<std::size_t>(confusion.rows()));
}

std::string known(const std::optional<Estimated>& rate) {
  return rate ? percent(rate->value) : "unknown";
}

// True and false positives are said of two classes only: of more, one class against all others is
// rarely the question, and JSON has it.
std::string group_table(const Evaluation& evaluation) {
  if (evaluation.groups.empty()) return "";
  const bool two = evaluation.classes.size() == 2;
  std::vector<std::string> names;
  for (const GroupQuality& group : evaluation.groups) names.push_back(group.group);
  const std::size_t width = widest_short_name(names, 5);
  const std::size_t row_width =
      std::max<std::size_t>(6, rows_text(evaluation.all.confusion).size());
  const auto line = [&](const std::string& name, const std::string& rows,
                        const std::string& accuracy, const std::string& interval,
                        const std::string& tpr, const std::string& fpr) {
    const std::string rates = two ? fmt::format("  {:>7}  {:>7}", tpr, fpr) : "";
    return fmt::format("{:<{}}  {:>{}}  {:>8}  {:>16}{}\n", name, width, rows, row_width, accuracy,
                       interval, rates);
  };
  std::string text = '\n' + line("group", "rows", "accuracy", "95 % interval", "tpr", "fpr");
  for (const GroupQuality& group : evaluation.groups) {
    text += line(short_name(group.group), rows_text(group.confusion), percent(group.accuracy.value),
                 span(group.accuracy.low, group.accuracy.high), known(group.tpr), known(group.fpr));
  }
  return text;
}

std::string violation_text(const std::string& name, const std::optional<Estimated>& violation) {
  if (!violation) return fmt::format("{}: the groups cannot be compared.\n", name);
  return fmt::format("{}: largest difference {:.1f} points ({:.1f} to {:.1f}{}).\n", name,
                     100 * violation->value, 100 * violation->low, 100 * violation->high,
                     violation->low > 0 ? "" : "; may be chance");
}

std::string violations_text(const Evaluation& evaluation) {
  if (evaluation.groups.size() < 2) return "";
  const bool two = evaluation.classes.size() == 2;
  return (two ? fmt::format("\ntpr, fpr: share of the rows with and without label '{}' that are "
                            "predicted so.\n",
                            printable(evaluation.classes[evaluation.positive]))
              : std::string()) +
         '\n' + violation_text("Equalized odds", evaluation.equalized_odds_violation) +
         violation_text("Demographic parity", evaluation.demographic_parity_violation) +
         violation_text("Error parity", evaluation.error_parity_violation);
}

bool are_whole(const std::vector<double>& counts) {
  return std::all_of(counts.begin(), counts.end(), [](double x) { return x == std::trunc(x); });
}

// 1,234 or, expected, 1,234.5
std::string count_text(double count, bool is_whole) {
  if (is_whole) return with_thousands(static_cast<std::size_t>(count));
  const double tenths = std::round(count * 10);
  return with_thousands(static_cast<std::size_t>(tenths / 10)) +
         fmt::format(".{:.0f}", std::fmod(tenths, 10));
}

// Columns as wide as their widest entry, named by the class where its name fits and by number else.
std::string confusion_table(const Evaluation& evaluation) {
  const Confusion& confusion = evaluation.all.confusion;
  const std::size_t classes = confusion.classes;
  const std::size_t width = widest_short_name(evaluation.classes, 5);
  const bool is_whole = are_whole(confusion.counts);
  const double largest = *std::max_element(confusion.counts.begin(), confusion.counts.end());
  const std::size_t cell = count_text(largest, is_whole).size();
  const std::size_t names = widest_short_name(evaluation.classes, cell);
  const bool named = width + 4 + classes * (names + 2) <= 80;
  const std::size_t column = named ? names : std::max<std::size_t>(cell, 2);
  std::string text = fmt::format("\nRows by label, and what they are {}predicted as:\n\n",
                                 is_whole ? "" : "expected to be ");
  text += fmt::format("{:<{}}", "label", width + (named ? 0 : 4));
  for (std::size_t j = 0; j < classes; ++j) {
    text += fmt::format("  {:>{}}",
                        named ? short_name(evaluation.classes[j]) : std::to_string(j + 1), column);
  }
  text += '\n';
  for (std::size_t i = 0; i < classes; ++i) {
    text += named ? "" : fmt::format("{:>2}  ", i + 1);
    text += fmt::format("{:<{}}", short_name(evaluation.classes[i]), width);
    for (std::size_t j = 0; j < classes; ++j) {
      text +=
          fmt::format("  {:>{}}", count_text(confusion.counts[i * classes + j], is_whole), column);
    }
    text += '\n';
  }
  return text;
}

// Share of the class's rows that are predicted as it.
double found_share(const Confusion& confusion, std::size_t i) {
  return confusion.counts[i * confusion.classes + i] / static_cast<double>(confusion.rows_of(i));
}

// The wrong class that is predicted most often; its name and share, or nothing.
std::string mostly_taken_for(const Evaluation& evaluation, std::size_t i) {
  const Confusion& confusion = evaluation.all.confusion;
  std::size_t most = i;
  for (std::size_t j = 0; j < confusion.classes; ++j) {
    const double count = confusion.counts[i * confusion.classes + j];
    if (j == i || count == 0) continue;
    if (most == i || count > confusion.counts[i * confusion.classes + most]) most = j;
  }
  if (most == i) return "";
  const double share =
      confusion.counts[i * confusion.classes + most] / static_cast<double>(confusion.rows_of(i));
  return fmt::format("{} ({})", short_name(evaluation.classes[most]), percent(share));
}

std::string worst_classes(const Evaluation& evaluation) {
  const Confusion& confusion = evaluation.all.confusion;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < confusion.classes; ++i) {
    if (confusion.rows_of(i) > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return found_share(confusion, a) < found_share(confusion, b);
  });
  order.resize(std::min(order.size(), worst_shown));
  std::vector<std::string> names;
  names.reserve(order.size());
  for (const std::size_t i : order) names.push_back(evaluation.classes[i]);
  const std::size_t width = widest_short_name(names, 5);
  std::string text = fmt::format("\nOf {} classes those that are found least often:\n\n",
                                 with_thousands(confusion.classes));
  text += fmt::format("{:<{}}  {:>11}  {:>7}  {}\n", "class", width, "rows", "found",
                      "mostly taken for");
  for (const std::size_t i : order) {
    text += fmt::format("{:<{}}  {:>11}  {:>7}  {}\n", short_name(evaluation.classes[i]), width,
                        with_thousands(static_cast<std::size_t>(confusion.rows_of(i))),
                        percent(found_share(confusion, i)), mostly_taken_for(evaluation, i));
  }
  return text;
}

}  // namespace

std::string to_json(const Evaluation& evaluation, const std::optional<CleanFairness>& clean) {
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

std::string to_text(const Evaluation& evaluation, const std::optional<CleanFairness>& clean) {
  const Estimated& accuracy = evaluation.all.accuracy;
  std::string text =
      fmt::format("{} rows, accuracy {} (95 % interval {})\n", rows_text(evaluation.all.confusion),
                  percent(accuracy.value), span(accuracy.low, accuracy.high));
  text += evaluation.classes.size() <= most_columns ? confusion_table(evaluation)
                                                    : worst_classes(evaluation);
  text += group_table(evaluation) + violations_text(evaluation);
  if (clean) text += clean_text(*clean);
  for (const std::string& warning : evaluation.warnings) {
    text += "warning: " + printable(warning) + '\n';
  }
  return text;
}

}  // namespace noiseplus
