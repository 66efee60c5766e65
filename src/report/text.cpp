#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "noiseplus/report.h"
#include "report/format.h"

namespace noiseplus {
namespace {

// More rows of a table, or pairs, are not looked at.
constexpr std::size_t most_lines = 12;
constexpr std::size_t most_pairs = 5;

std::string quoted(const AuditReport& report, int position) {
  return '\'' + printable(report.classes[static_cast<std::size_t>(position)]) + '\'';
}

std::string quoted_group(const AuditReport& report, int position) {
  return '\'' + printable(report.groups[static_cast<std::size_t>(position)].name) + '\'';
}

std::string p_value_text(double p) {
  return p < 1e-4 ? "p < 0.0001" : fmt::format("p = {:.2g}", p);
}

std::string by_points(const Estimated& gap, double p_value) {
  return fmt::format("by {:.1f} points ({:.1f} to {:.1f}, {})", 100 * gap.value, 100 * gap.low,
                     100 * gap.high, p_value_text(p_value));
}

// Whether what is claimed depends on neighbours sharing their clean label, unexamined.
bool takes_neighbours_for_twins(const AuditReport& report) {
  return report.estimate.estimator == "moments" || report.estimate.estimator == "latent-class";
}

std::string claimed(const AuditReport& report) {
  const NoiseEstimate& e = report.estimate;
  std::string text = fmt::format("{} is noisier than {} {}", quoted(report, e.noisier),
                                 quoted(report, e.cleaner), by_points(e.gap, e.p_value));
  text +=
      takes_neighbours_for_twins(report) ? ",\nif neighbouring rows share their clean label." : ".";
  if (report.claims.size() < 2) return text;
  text += fmt::format("\nIn all, {} pairs of classes differ beyond doubt", report.claims.size());
  return text + ".";
}

std::string paper_verdict(const AuditReport& report) {
  const bool of_classes = report.scope == "class";
  const int noisier = of_classes ? report.estimate.noisier : report.comparison.noisier;
  const int cleaner = of_classes ? report.estimate.cleaner : report.comparison.cleaner;
  if (noisier < 0) {
    return fmt::format("By the paper's agreements no {} is noisier.",
                       of_classes ? "class" : "group");
  }
  const auto agreement = [&](int part) {
    return report.paper->parts[static_cast<std::size_t>(part)].agreement;
  };
  const auto name = [&](int part) {
    return of_classes ? quoted(report, part) : quoted_group(report, part);
  };
  return fmt::format("By the paper's agreements ({:.4f} against {:.4f}) {} is noisier than {}.",
                     agreement(noisier), agreement(cleaner), name(noisier), name(cleaner));
}

std::string verdict(const AuditReport& report) {
  const NoiseEstimate& e = report.estimate;
  if (report.paper) return paper_verdict(report);
  if (!e.identified) return "Not identified: these rows do not tell the noise rates.";
  if (e.noisier >= 0) return claimed(report);
  std::string text =
      fmt::format("No difference between the classes is claimed ({}).", p_value_text(e.p_value));
  if (e.leans >= 0)
    text += fmt::format(" It leans towards {} being noisier.", quoted(report, e.leans));
  return text;
}

std::string group_verdict(const AuditReport& report) {
  const GroupComparison& found = report.comparison;
  if (found.noisier >= 0) {
    std::string text =
        fmt::format("Group {} is noisier than {} {}.", quoted_group(report, found.noisier),
                    quoted_group(report, found.cleaner), by_points(found.gap, found.p_value));
    for (std::size_t i = 0;
         found.claims.size() > 1 && i < std::min(found.claims.size(), most_pairs); ++i) {
      text += fmt::format("\n  {} more than {}", quoted_group(report, found.claims[i].noisier),
                          quoted_group(report, found.claims[i].cleaner));
    }
    if (found.claims.size() > most_pairs) {
      text += fmt::format("\n  and {} more pairs", found.claims.size() - most_pairs);
    }
    return text;
  }
  std::string text =
      fmt::format("No difference between the groups is claimed ({}).", p_value_text(found.p_value));
  if (found.leaning >= 0) {
    text += fmt::format(" It leans towards {} being noisier.", quoted_group(report, found.leaning));
  }
  return text;
}

std::string precision_text(const AuditReport& report) {
  const std::optional<Precision>& precision = report.precision;
  if (!precision || !precision->reached || *precision->reached > precision->wanted) return "";
  return fmt::format(
      "{} rows were enough to know the difference to {:.3g} points (wanted: {:.3g}).\n",
      with_thousands(report.anchors), 100 * *precision->reached, 100 * precision->wanted);
}

std::string plan_of_two_text(const AuditReport& report) {
  const FlipPlan& plan = report.plan;
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

std::string plan_text(const AuditReport& report) {
  const FlipPlan& plan = report.plan;
  if (plan.flips_nothing()) return report.flipped.empty() ? "" : "No label was flipped.\n";
  if (plan.groups == 1 && plan.classes == 2) return plan_of_two_text(report);
  double expected = 0;
  for (std::size_t c = 0; plan.groups == 1 && c < plan.classes; ++c) {
    expected += static_cast<double>(report.class_rows[c]) * (1 - plan.flip[c * (plan.classes + 1)]);
  }
  const std::string scope = report.scope == "class"   ? "classes"
                            : report.scope == "group" ? "groups"
                                                      : "classes of all groups";
  if (!report.flipped.empty()) {
    const std::size_t all =
        std::accumulate(report.flipped.begin(), report.flipped.end(), std::size_t{0});
    return fmt::format("Flipped {} of {} labels; the {} are then equally noisy.\n",
                       with_thousands(all), with_thousands(report.rows), scope);
  }
  if (plan.groups == 1) {
    const std::vector<double> after = plan.after(report.estimate.transition);
    return fmt::format("To balance: flip {} of the labels; every rate is then {}.\n",
                       percent(expected / static_cast<double>(report.rows)), percent(1 - after[0]));
  }
  return fmt::format("noiseplus balance would make the {} equally noisy.\n", scope);
}

// The classes in the order they are shown: as they are, or the noisiest where they are many.
std::vector<std::size_t> shown_classes(const AuditReport& report) {
  std::vector<std::size_t> order(report.classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (order.size() <= most_lines) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return report.estimate.noise[a].value > report.estimate.noise[b].value;
  });
  order.resize(most_lines);
  return order;
}

std::string class_table(const AuditReport& report) {
  const std::size_t width = widest_short_name(report.classes, 5);
  std::string text = fmt::format("{:<{}}  {:>11}  {:>12}  {:>10}  {:>17}\n", "class", width,
                                 "labels", "true share", "noise rate", "95 % interval");
  for (const std::size_t c : shown_classes(report)) {
    const Estimated& rate = report.estimate.noise[c];
    const auto if_known = [&](const std::string& number) {
      return report.estimate.identified ? number : "unknown";
    };
    const bool bound = !report.upper_bound_only.empty() && report.upper_bound_only[c] != 0;
    text += fmt::format("{:<{}}  {:>11}  {:>12}  {:>10}  {:>17}{}\n", short_name(report.classes[c]),
                        width, with_thousands(report.class_rows[c]),
                        if_known(percent(report.estimate.prior[c])), if_known(percent(rate.value)),
                        if_known(span(rate.low, rate.high)), bound ? "  upper bound" : "");
  }
  if (report.classes.size() > most_lines) {
    text += fmt::format("and {} classes more, less noisy; --json has all\n",
                        report.classes.size() - most_lines);
  }
  return text + (report.classes.size() == 2
                     ? "\nNoise rate: share of the rows truly of a class that carry the other "
                       "label.\n"
                     : "\nNoise rate: share of the rows truly of a class that carry another "
                       "label.\n");
}

std::string group_table(const AuditReport& report) {
  std::vector<std::string> names;
  for (const GroupNoise& group : report.groups) names.push_back(group.name);
  const std::size_t width = widest_short_name(names, 5);
  std::string text = fmt::format("\n{:<{}}  {:>11}  {:>10}  {:>17}\n", "group", width, "rows",
                                 "noise rate", "95 % interval");
  for (const GroupNoise& group : report.groups) {
    const bool known = group.known();
    text += fmt::format("{:<{}}  {:>11}  {:>10}  {:>17}\n", short_name(group.name), width,
                        with_thousands(group.rows), known ? percent(group.rate.value) : "unknown",
                        known ? span(group.rate.low, group.rate.high)
                              : (group.too_small.empty() ? "" : "too small"));
  }
  return report.paper ? text : text + '\n' + group_verdict(report) + '\n';
}

// All estimators side by side, where there are several.
std::string estimates_text(const AuditReport& report) {
  if (report.estimates.size() < 2 || report.classes.size() > most_lines) return "";
  std::string text = "\nBy estimator, in the order above:\n";
  for (const auto& [name, rates] : report.estimates) {
    text += fmt::format("  {:<13}", name);
    for (const double rate : rates) text += fmt::format("{:>7.1f}", 100 * rate);
    text += " %\n";
  }
  return text;
}

std::string mode_text(const AuditReport& report) {
  if (report.mode.empty()) return "";
  return fmt::format("\nauto took the rows for {}: {}.\n",
                     report.mode == "dense" ? "an embedding" : "a table with overlapping classes",
                     report.reason);
}

}  // namespace

std::string to_text(const AuditReport& report) {
  std::string text = fmt::format(
      "{} rows, {} features, label '{}', {} rows examined with {} neighbours "
      "each{}, estimator {}\n\n",
      with_thousands(report.rows), with_thousands(report.features), printable(report.label),
      with_thousands(report.anchors), report.k, report.metric == "cosine" ? " by cosine" : "",
      report.estimate.estimator);
  text += class_table(report) + '\n' + verdict(report) + '\n' + precision_text(report);
  if (!report.groups.empty()) text += group_table(report);
  text += plan_text(report) + estimates_text(report) + mode_text(report);
  if (!report.advice.action.empty()) {
    text += fmt::format("\nAdvice: {}. {}.\n", report.advice.action, printable(report.advice.why));
  }
  for (const std::string& warning : report.warnings)
    text += "warning: " + printable(warning) + '\n';
  return text;
}

}  // namespace noiseplus
