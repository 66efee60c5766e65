#include <fmt/format.h>

#include "noiseplus/report.h"
#include "report/format.h"

namespace noiseplus {
namespace {

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

std::string to_text(const AuditReport& report) {
  std::string text = fmt::format(
      "{} rows, {} features, label '{}', {} rows examined with {} neighbours "
      "each{}, estimator {}\n\n",
      with_thousands(report.rows), with_thousands(report.features), printable(report.label),
      with_thousands(report.anchors), report.k, report.metric == "cosine" ? " by cosine" : "",
      report.estimate.estimator);
  const std::size_t width = widest_short_name(report.classes, 5);
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
