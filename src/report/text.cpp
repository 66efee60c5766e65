#include <fmt/format.h>

#include <algorithm>

#include "noiseplus/report.h"

namespace noiseplus {
namespace {

constexpr std::size_t widest_name = 24;

// Cut to what fits a column, never inside a UTF-8 sequence.
std::string short_name(const std::string& name) {
  std::string shown = printable(name);
  if (shown.size() <= widest_name) return shown;
  std::size_t end = widest_name - 3;
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xc0) == 0x80) --end;
  return shown.substr(0, end) + "...";
}

std::string with_thousands(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string span(double low, double high) {
  return fmt::format("{:.1f} to {:.1f} %", 100 * low, 100 * high);
}

std::string quoted(const AuditReport& report, int position) {
  return '\'' + printable(report.classes[static_cast<std::size_t>(position)]) + '\'';
}

std::string p_value_text(double p) {
  return p < 1e-4 ? "p < 0.0001" : fmt::format("p = {:.2g}", p);
}

std::string verdict(const AuditReport& report) {
  const NoiseEstimate& e = report.estimate;
  if (report.paper) {
    return e.noisier < 0
               ? "By the paper's agreements neither class is noisier."
               : fmt::format("By the paper's agreements (gap {:+.4f}) {} is noisier than {}.",
                             report.paper->first_gap, quoted(report, e.noisier),
                             quoted(report, e.cleaner));
  }
  if (!e.identified) return "Not identified: these rows do not tell the noise rates.";
  if (e.noisier >= 0) {
    return fmt::format(
        "{} is noisier than {} by {:.1f} points ({:.1f} to {:.1f}, {}),\n"
        "if neighbouring rows share their clean label.",
        quoted(report, e.noisier), quoted(report, e.cleaner), 100 * e.gap.value, 100 * e.gap.low,
        100 * e.gap.high, p_value_text(e.p_value));
  }
  std::string text =
      fmt::format("No difference between the classes is claimed ({}).", p_value_text(e.p_value));
  if (e.leans >= 0)
    text += fmt::format(" It leans towards {} being noisier.", quoted(report, e.leans));
  return text;
}

std::string precision_text(const AuditReport& report) {
  const std::optional<Precision>& precision = report.precision;
  if (!precision || !precision->reached || *precision->reached > precision->wanted) return "";
  return fmt::format(
      "{} rows were enough to know the difference to {:.3g} points (wanted: {:.3g}).\n",
      with_thousands(report.anchors), 100 * *precision->reached, 100 * precision->wanted);
}

std::string plan_text(const AuditReport& report) {
  const FlipPlan& plan = report.plan;
  if (plan.flips_nothing()) return "";
  const std::size_t flipped = plan.flip[1] > 0 ? 0 : 1;
  const double epsilon = plan.flip[flipped * 2 + (1 - flipped)];
  const std::vector<double> after = plan.after(report.estimate.transition);
  const std::string name = printable(report.classes[flipped]);
  const std::string done =
      report.flipped.empty()
          ? fmt::format("To balance: flip {} of the labels '{}'", percent(epsilon), name)
          : fmt::format("Flipped {} of the {} labels '{}' (probability {})",
                        with_thousands(report.flipped[flipped]),
                        with_thousands(report.class_rows[flipped]), name, percent(epsilon));
  return fmt::format("{}; the rates are then {} and {}.\n", done, percent(1 - after[0]),
                     percent(1 - after[3]));
}

}  // namespace

std::string printable(const std::string& text) {
  std::string shown = text;
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return shown;
}

std::string to_text(const AuditReport& report) {
  std::string text = fmt::format(
      "{} rows, {} features, label '{}', {} rows examined with {} neighbours "
      "each{}, estimator {}\n\n",
      with_thousands(report.rows), with_thousands(report.features), printable(report.label),
      with_thousands(report.anchors), report.k, report.metric == "cosine" ? " by cosine" : "",
      report.estimate.estimator);
  std::size_t width = 5;
  for (const std::string& name : report.classes) width = std::max(width, short_name(name).size());
  text += fmt::format("{:<{}}  {:>11}  {:>12}  {:>10}  {:>17}\n", "class", width, "labels",
                      "true share", "noise rate", "95 % interval");
  for (std::size_t c = 0; c < report.classes.size(); ++c) {
    const Estimated& rate = report.estimate.noise[c];
    const auto if_known = [&](const std::string& number) {
      return report.estimate.identified ? number : "unknown";
    };
    text += fmt::format("{:<{}}  {:>11}  {:>12}  {:>10}  {:>17}\n", short_name(report.classes[c]),
                        width, with_thousands(report.class_rows[c]),
                        if_known(percent(report.estimate.prior[c])), if_known(percent(rate.value)),
                        if_known(span(rate.low, rate.high)));
  }
  text += "\nNoise rate: share of the rows truly of a class that carry the other label.\n";
  text += '\n' + verdict(report) + '\n' + precision_text(report) + plan_text(report);
  if (!report.flipped.empty() && report.plan.flips_nothing()) text += "No label was flipped.\n";
  for (const std::string& warning : report.warnings)
    text += "warning: " + printable(warning) + '\n';
  return text;
}

}  // namespace noiseplus
