#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "core/format.h"
#include "noiseplus/report.h"
#include "pipeline/report_check.h"
#include "report/style.h"
#include "report/text_table.h"

namespace noiseplus {
namespace {

// More rows of a table are not looked at.
constexpr std::size_t max_lines = 12;

// Positions in the order they are shown: as they are, or where they are many the noisiest.
template <typename RateOf>
std::vector<std::size_t> shown_of(std::size_t count, const RateOf& rate_of) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (count <= max_lines) return order;
  // Without rates to go by, all are -1 and keep their order.
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rate_of(a) > rate_of(b); });
  order.resize(max_lines);
  return order;
}

std::vector<std::size_t> shown_classes(const AuditReport& report) {
  return shown_of(report.classes.size(), [&](std::size_t c) {
    return report.estimate.identified ? report.estimate.noise[c].value : -1;
  });
}

// Groups of which nothing is known come last.
std::vector<std::size_t> shown_groups(const AuditReport& report) {
  return shown_of(report.groups.size(), [&](std::size_t g) {
    return report.groups[g].known() ? report.groups[g].rate.value : -1;
  });
}

std::string more_text(std::size_t count, const std::string& many, bool are_sorted) {
  if (count <= max_lines) return "";
  return fmt::format("and {} {} more{}; --json has all\n", with_thousands(count - max_lines), many,
                     are_sorted ? ", less noisy" : "");
}

// A line each; the rates have pictures where the line has room for them.
struct RateLine {
  std::vector<TextCell> cells;
  std::optional<EstimateWithInterval> rate;  // nothing: not known
};

std::string rates_table(const std::vector<std::string>& headings,
                        const std::vector<RateLine>& lines, TextStyle style) {
  TextTable table(headings);
  std::vector<EstimateWithInterval> rates;
  for (const RateLine& line : lines) {
    table.add(line.cells);
    if (line.rate) rates.push_back(*line.rate);
  }
  const IntervalPictures pictures(rates, table.room());
  if (pictures.are_there()) {
    std::vector<std::string> notes;
    notes.reserve(lines.size());
    for (const RateLine& line : lines) notes.push_back(line.rate ? pictures.of(*line.rate) : "");
    table.add_note(pictures.heading(), notes);
  }
  return '\n' + table.text(style);
}

// What the words in the table of classes mean.
std::string class_notes(const AuditReport& report) {
  std::string notes = more_text(report.classes.size(), "classes", true);
  notes +=
      wrapped(fmt::format("Noise rate: share of the rows truly of a class that carry {} label.",
                          report.classes.size() == 2 ? "the other" : "another"));
  if (report.has_upper_bound()) {
    notes += wrapped(
        "At most: if noise depends on the class only; overlap of the classes may be in that rate.");
  }
  return notes;
}

std::string group_notes(const AuditReport& report) {
  std::string notes = more_text(report.groups.size(), "groups", true) +
                      "Noise rate of a group: share of its labels that are wrong.\n";
  if (std::ranges::any_of(report.groups, &GroupNoise::is_upper_bound)) {
    notes += wrapped(
        "At most: if inside a group noise depends on the class only; overlap of the classes may be "
        "in that rate.");
  }
  return notes;
}

// A rate of which only the upper end of the interval is known is shown by that end.
std::string rate_text(const EstimateWithInterval& rate, bool is_upper_bound) {
  return is_upper_bound ? "at most " + percent(rate.high) : percent(rate.value);
}

// Rates that are not to be relied on are not shown.
std::string unknown_class_table(const AuditReport& report, TextStyle style) {
  TextTable table({"class", "labels", "noise rate"});
  for (const std::size_t c : shown_classes(report)) {
    table.add(
        {{short_name(report.classes[c])}, {with_thousands(report.class_rows[c])}, {"unknown"}});
  }
  return '\n' + table.text(style) +
         inked(more_text(report.classes.size(), "classes", false), Ink::faint, style);
}

std::string class_table(const AuditReport& report, TextStyle style) {
  const NoiseEstimate& estimate = report.estimate;
  if (!estimate.identified) return unknown_class_table(report, style);
  // Shares of the clean classes follow from the rates, and are no better known than these.
  const bool shares_are_known = !report.has_upper_bound();
  std::vector<RateLine> lines;
  for (const std::size_t c : shown_classes(report)) {
    const EstimateWithInterval& rate = estimate.noise[c];
    const Ink ink = estimate.noisier == static_cast<int>(c) ? Ink::strong : Ink::plain;
    lines.push_back({{{short_name(report.classes[c]), ink},
                      {with_thousands(report.class_rows[c])},
                      {shares_are_known ? percent(estimate.prior[c]) : "not known"},
                      {rate_text(rate, report.is_upper_bound(c)), ink},
                      {span(rate.low, rate.high)}},
                     rate});
  }
  return rates_table({"class", "labels", "true share", "noise rate", "95 % interval"}, lines,
                     style) +
         inked(class_notes(report), Ink::faint, style);
}

std::string group_table(const AuditReport& report, TextStyle style) {
  std::vector<RateLine> lines;
  for (const std::size_t g : shown_groups(report)) {
    const GroupNoise& group = report.groups[g];
    const bool known = group.known();
    const Ink ink = report.comparison.noisier == static_cast<int>(g) ? Ink::strong : Ink::plain;
    lines.push_back({{{short_name(group.name), ink},
                      {with_thousands(group.rows)},
                      {known ? rate_text(group.rate, group.is_upper_bound()) : "unknown", ink},
                      {known ? span(group.rate.low, group.rate.high)
                             : (group.too_small.empty() ? "" : "too small")}},
                     known ? std::optional(group.rate) : std::nullopt});
  }
  return rates_table({"group", "rows", "noise rate", "95 % interval"}, lines, style) +
         inked(group_notes(report), Ink::faint, style);
}

// All estimators side by side, where there are several.
std::string estimates_text(const AuditReport& report, TextStyle style) {
  const NoiseEstimate& estimate = report.estimate;
  if (report.estimates.size() < 2 || !estimate.identified) return "";
  std::vector<std::string> headings = {"class"};
  for (const auto& [name, rates] : report.estimates) headings.push_back(name);
  TextTable table(headings);
  for (const std::size_t c : shown_classes(report)) {
    std::vector<TextCell> cells = {{short_name(report.classes[c])}};
    for (const auto& [name, rates] : report.estimates) {
      const bool is_bound = name == estimate.estimator && report.is_upper_bound(c);
      cells.push_back({is_bound ? "\u2264" + points(estimate.noise[c].high) : points(rates[c])});
    }
    table.add(std::move(cells));
  }
  return '\n' +
         wrapped(fmt::format(
             "Noise rates in per cent, by estimator. The answer is that of {}; the others "
             "have no intervals, and each holds under its own assumption only:",
             estimate.estimator)) +
         table.text(style);
}

std::string mode_text(const AuditReport& report) {
  if (report.mode.empty()) return "";
  return '\n' + wrapped(fmt::format(
                    "auto took the rows for {}: {}.",
                    report.mode == "dense" ? "an embedding" : "a table with overlapping classes",
                    report.reason));
}

std::string facts_text(const AuditReport& report) {
  return wrapped(
      fmt::format(
          "{}, {}, label {}, {} examined with {} each{}, estimator {}", counted(report.rows, "row"),
          report.features == 0 && report.probabilities ? "probabilities"
                                                       : counted(report.features, "feature"),
          quoted_name(report.label), counted(report.anchors, "row"), counted(report.k, "neighbor"),
          report.metric == "cosine" ? " by cosine" : "", report.estimate.estimator) +
      (!report.probabilities           ? ""
       : report.probabilities->empty() ? ", scores as given"
                                       : ", scores of " + quoted_name(*report.probabilities)));
}

bool is_one_of(FindingId id, std::initializer_list<FindingId> ids) {
  return std::ranges::find(ids, id) != ids.end();
}

// The findings with these ids, a paragraph each; what the verdict is stands out.
std::string paragraphs(const std::vector<Finding>& found, std::initializer_list<FindingId> ids,
                       TextStyle style) {
  std::string text;
  for (const Finding& finding : found) {
    if (!is_one_of(finding.id, ids)) continue;
    const bool is_aside = is_one_of(finding.id, {FindingId::condition, FindingId::row_scores,
                                                 FindingId::precision, FindingId::balancing});
    text += inked(wrapped(finding.text), is_aside ? Ink::plain : Ink::strong, style);
  }
  return text;
}

std::string below_an_empty_line(const std::string& text) {
  return text.empty() ? "" : '\n' + text;
}

std::string advice_text(const AuditReport& report, TextStyle style) {
  const Advice& advice = report.advice;
  if (advice.action.empty()) return "";
  const std::string start = "Advice: " + advice.action + '.';
  constexpr std::size_t max_size = 800;
  std::string why = printable(shorten_text(advice.why, max_size));
  if (!why.empty() && why[0] >= 'a' && why[0] <= 'z')
    why[0] = static_cast<char>(why[0] - 'a' + 'A');
  const std::string whole = wrapped(start + ' ' + why + '.');
  return inked(start, Ink::strong, style) + whole.substr(start.size());
}

}  // namespace

std::string to_text(const AuditReport& report, TextStyle style) {
  check_report(report);
  const std::vector<Finding> found = findings(report);
  std::string text =
      paragraphs(found,
                 {FindingId::wrong_share, FindingId::condition, FindingId::giveaway,
                  FindingId::direction, FindingId::difference, FindingId::difference_within_class,
                  FindingId::no_difference, FindingId::not_identified},
                 style) +
      inked(facts_text(report), Ink::faint, style);
  if (!report.groups.empty()) text += group_table(report, style);
  text += class_table(report, style);
  text += below_an_empty_line(paragraphs(found, {FindingId::row_scores}, style));
  text +=
      below_an_empty_line(paragraphs(found, {FindingId::precision, FindingId::balancing}, style) +
                          advice_text(report, style));
  text += estimates_text(report, style) + mode_text(report);
  return text + below_an_empty_line(warnings_text(report.warnings, style));
}

}  // namespace noiseplus
