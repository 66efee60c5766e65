#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/format.h"
#include "noiseplus/report.h"
#include "pipeline/report_check.h"
#include "report/class_matrix.h"
#include "report/fair_text.h"
#include "report/text_table.h"

namespace noiseplus {
namespace {

constexpr std::size_t max_columns = 12;
constexpr std::size_t worst_shown = 10;

std::string rows_text(const Confusion& confusion) {
  return with_thousands(static_cast<std::size_t>(confusion.rows()));
}

std::string known(const std::optional<EstimateWithInterval>& rate) {
  return rate ? percent(rate->value) : "unknown";
}

// True and false positives are said of two classes only: of more, one class against all others is
// rarely the question, and JSON has it.
std::string quality_table(const Evaluation& evaluation, TextStyle style) {
  if (evaluation.groups.empty()) return "";
  const bool two = evaluation.classes.size() == 2;
  std::vector<std::string> headings = {"group", "rows", "accuracy", "95 % interval"};
  if (two) headings.insert(headings.end(), {"tpr", "fpr"});
  TextTable table(headings);
  for (const GroupQuality& group : evaluation.groups) {
    std::vector<TextCell> cells = {{short_name(group.group)},
                                   {rows_text(group.confusion)},
                                   {percent(group.accuracy.value)},
                                   {span(group.accuracy.low, group.accuracy.high)}};
    if (two) cells.insert(cells.end(), {{known(group.tpr)}, {known(group.fpr)}});
    table.add(std::move(cells));
  }
  return '\n' + table.text(style);
}

std::string violation_text(const std::string& name,
                           const std::optional<EstimateWithInterval>& violation) {
  if (!violation) return fmt::format("{}: the groups cannot be compared.\n", name);
  return fmt::format("{}: largest difference {} points ({}{}).\n", name, points(violation->value),
                     interval_points(violation->low, violation->high),
                     violation->low > 0 ? "" : "; may be chance");
}

std::string violations_text(const Evaluation& evaluation, TextStyle style) {
  if (evaluation.groups.size() < 2) return "";
  const std::string note =
      evaluation.classes.size() == 2
          ? wrapped(fmt::format(
                "tpr, fpr: share of the rows with and without label {} that are predicted so.",
                quoted_name(evaluation.classes[evaluation.positive])))
          : "";
  return inked(note, Ink::faint, style) + '\n' +
         violation_text("Equalized odds", evaluation.equalized_odds_violation) +
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

std::string confusion_table(const Evaluation& evaluation, TextStyle style) {
  const Confusion& confusion = evaluation.all.confusion;
  const bool is_whole = are_whole(confusion.counts);
  std::vector<std::string> cells;
  for (const double count : confusion.counts) cells.push_back(count_text(count, is_whole));
  return fmt::format("\nRows by label, and what they are {}predicted as:\n\n",
                     is_whole ? "" : "expected to be ") +
         class_matrix_text("label", evaluation.classes, cells, 0, style);
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

std::string worst_classes(const Evaluation& evaluation, TextStyle style) {
  const Confusion& confusion = evaluation.all.confusion;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < confusion.classes; ++i) {
    if (confusion.rows_of(i) > 0) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return found_share(confusion, a) < found_share(confusion, b);
  });
  order.resize(std::min(order.size(), worst_shown));
  TextTable table({"class", "rows", "found"});
  std::vector<std::string> taken_for;
  for (const std::size_t i : order) {
    table.add({{short_name(evaluation.classes[i])},
               {with_thousands(static_cast<std::size_t>(confusion.rows_of(i)))},
               {percent(found_share(confusion, i))}});
    taken_for.push_back(mostly_taken_for(evaluation, i));
  }
  table.add_note("mostly taken for", taken_for);
  return fmt::format("\nOf {} classes those that are found least often:\n\n",
                     with_thousands(confusion.classes)) +
         table.text(style);
}

}  // namespace

std::string to_text(const Evaluation& evaluation, const std::optional<CleanFairness>& clean,
                    TextStyle style) {
  check_report(evaluation);
  const EstimateWithInterval& accuracy = evaluation.all.accuracy;
  std::string text = inked(
      fmt::format("{} rows, accuracy {} (95 % interval {})\n", rows_text(evaluation.all.confusion),
                  percent(accuracy.value), span(accuracy.low, accuracy.high)),
      Ink::strong, style);
  text += evaluation.classes.size() <= max_columns ? confusion_table(evaluation, style)
                                                   : worst_classes(evaluation, style);
  text += quality_table(evaluation, style) + violations_text(evaluation, style);
  if (clean) text += clean_text(*clean, style);
  return text + warnings_text(evaluation.warnings, style);
}

}  // namespace noiseplus
