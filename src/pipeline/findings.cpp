#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>

#include "core/format.h"
#include "core/intervals.h"
#include "noiseplus/pipeline.h"
#include "pipeline/giveaway.h"
#include "pipeline/plans.h"
#include "pipeline/report_check.h"

namespace noiseplus {
namespace {

// A comparison of classes, or of groups, with what is known about each.
struct Comparison {
  std::string one, many;
  std::vector<std::string> names;
  int noisier = -1, cleaner = -1, leans = -1;
  EstimateWithInterval gap;
  double p_value = 1;
  std::size_t claims = 0, compared = 0;
  bool is_upper_bound = false;  // of the rate that leans
};

std::string p_value_text(double p) {
  return p < 1e-4 ? "p < 0.0001" : fmt::format("p = {:.2g}", p);
}

std::string interval_text(const EstimateWithInterval& gap) {
  return "95 % interval " + interval_points(gap.low, gap.high);
}

std::string name_in(const Comparison& compared, int position) {
  return quoted_name(compared.names[static_cast<std::size_t>(position)]);
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  }
  return text;
}

// More than chance, and still not claimed: overlap of the classes may look like noise.
std::string looks_noisier(const Comparison& compared) {
  const std::string size = points(compared.gap.value);
  if (compared.leans < 0) {
    return fmt::format("the gap, {} points, is not proved to be one of noise.", size);
  }
  return fmt::format(
      "{} looks noisier{}, but {}: it may be overlap of the classes.",
      name_in(compared, compared.leans),
      compared.compared > 2 ? fmt::format(" (the rates are up to {} points apart)", size)
                            : fmt::format(" by {} points", size),
      compared.is_upper_bound ? "its rate is an upper bound only" : "that is not proved");
}

std::string no_difference_text(const Comparison& compared) {
  const std::string start = "No difference found between the " + compared.many + ": ";
  if (compared.p_value < significance) return start + looks_noisier(compared);
  const std::size_t pairs = compared.compared * (compared.compared - 1) / 2;
  const std::string size = points(compared.gap.value), p = p_value_text(compared.p_value);
  std::string sentence =
      start + (pairs == 1
                   ? fmt::format("the gap, {} points, may be chance ({}, {}).", size,
                                 interval_text(compared.gap), p)
                   : fmt::format("the largest gap, {} points, may be chance ({}, corrected for {} "
                                 "pairs).",
                                 size, p, with_thousands(pairs)));
  sentence += " That does not prove them equally noisy.";
  if (compared.leans >= 0) {
    sentence +=
        fmt::format(" It leans towards {} being noisier.", name_in(compared, compared.leans));
  }
  return sentence;
}

std::string difference_text(const Comparison& compared, const std::string& clause) {
  // Of several the clearest pair is named, and the gap is that of the highest and the lowest rate.
  const std::string apart =
      compared.compared > 2 ? fmt::format("; the highest and the lowest rate are {} points apart",
                                          points(compared.gap.value))
                            : fmt::format(" by {} points", points(compared.gap.value));
  std::string sentence =
      fmt::format("{} {} is noisier than {}{} ({}, {}){}.", capitalized(compared.one),
                  name_in(compared, compared.noisier), name_in(compared, compared.cleaner), apart,
                  interval_text(compared.gap), p_value_text(compared.p_value), clause);
  if (compared.claims > 1) {
    sentence += fmt::format(" In all, {} pairs of {} differ.", with_thousands(compared.claims),
                            compared.many);
  }
  return sentence;
}

// What a claim depends on, where the estimator does not look whether it holds.
std::string clause_of_neighbors(const AuditReport& report) {
  const std::string& estimator = report.estimate.estimator;
  return estimator == "moments" || estimator == "latent-class"
             ? ", if neighboring rows share their clean label"
             : "";
}

Finding finding_of(const Comparison& compared, const AuditReport& report) {
  Finding finding;
  finding.subject = compared.many;
  const bool is_claimed = compared.noisier >= 0 && compared.cleaner >= 0;
  const bool may_be_chance = !is_claimed && compared.p_value >= significance;
  finding.numbers["gap"] = compared.gap.value;
  if (is_claimed || may_be_chance) finding.numbers["p_value"] = compared.p_value;
  if (is_claimed || (may_be_chance && compared.compared == 2)) {
    finding.numbers["low"] = compared.gap.low;
    finding.numbers["high"] = compared.gap.high;
  }
  if (is_claimed) {
    finding.id = FindingId::difference;
    finding.severity = Severity::notice;
    finding.title = capitalized(compared.many) + ": a difference found";
    finding.text = difference_text(compared, clause_of_neighbors(report));
  } else {
    finding.id = FindingId::no_difference;
    finding.title = capitalized(compared.many) + ": no difference found";
    finding.text = no_difference_text(compared);
  }
  return finding;
}

Finding not_identified(const std::string& many, const std::string& text) {
  return {FindingId::not_identified,
          Severity::warning,
          many,
          capitalized(many) + ": not identified",
          text,
          {}};
}

Comparison classes_of(const AuditReport& report) {
  const NoiseEstimate& e = report.estimate;
  const bool is_bound = e.leans >= 0 && report.is_upper_bound(static_cast<std::size_t>(e.leans));
  return {"class",
          "classes",
          report.classes,
          e.noisier,
          e.cleaner,
          e.leans,
          e.gap,
          e.p_value,
          report.claims.size(),
          report.classes.size(),
          is_bound};
}

Comparison groups_of(const AuditReport& report) {
  const GroupComparison& found = report.comparison;
  Comparison compared{"group",
                      "groups",
                      {},
                      found.noisier,
                      found.cleaner,
                      found.leaning,
                      found.gap,
                      found.p_value,
                      std::max(found.claims.size(), found.claims_total),
                      0,
                      found.leaning >= 0 &&
                          report.groups[static_cast<std::size_t>(found.leaning)].is_upper_bound()};
  for (const GroupNoise& group : report.groups) {
    compared.names.push_back(group.name);
    compared.compared += group.known() ? 1 : 0;
  }
  return compared;
}

Finding paper_finding(const AuditReport& report) {
  const bool of_classes = report.scope == "class";
  const Comparison compared = of_classes ? classes_of(report) : groups_of(report);
  if (compared.noisier < 0) {
    return {FindingId::no_difference,
            Severity::info,
            compared.many,
            "No difference found",
            "By the paper's agreements no " + compared.one + " is noisier.",
            {}};
  }
  const auto agreement = [&](int part) {
    return report.paper->parts[static_cast<std::size_t>(part)].agreement;
  };
  const double noisier = agreement(compared.noisier), cleaner = agreement(compared.cleaner);
  return {FindingId::direction,
          Severity::warning,
          compared.many,
          "A direction, not proved",
          fmt::format("By the paper's agreements ({:.4f} against {:.4f}) {} {} is noisier than {}. "
                      "That is a direction without a test: nothing is proved.",
                      noisier, cleaner, compared.one, name_in(compared, compared.noisier),
                      name_in(compared, compared.cleaner)),
          {{"agreement_of_noisier", noisier}, {"agreement_of_cleaner", cleaner}}};
}

// Whether the same class is noisier in one group than in another: what fairness constraints need.
std::string beyond_class_text(const AuditReport& report) {
  const std::vector<ClassGroupsClaim>& claims = report.comparison.class_claims;
  if (claims.empty()) {
    const std::string p = p_value_text(report.comparison.beyond_class_p_value);
    if (report.comparison.beyond_class_p_value < significance) {
      return fmt::format(
          " Within a class the groups look unlike each other ({}), but that is not proved: it may "
          "be overlap of the classes.",
          p);
    }
    return fmt::format(
        " Within a class, no difference between the groups is proved ({}): what differs may come "
        "from the classes' rates and shares.",
        p);
  }
  std::string sentence = " Noise depends on the group beyond the class: ";
  constexpr std::size_t max_named = 3;
  for (std::size_t i = 0; i < std::min(claims.size(), max_named); ++i) {
    const ClassGroupsClaim& claim = claims[i];
    const auto group = [&](int g) {
      return quoted_name(report.groups[static_cast<std::size_t>(g)].name);
    };
    sentence += fmt::format("{}labels of class {} are noisier in {} than in {}", i == 0 ? "" : "; ",
                            quoted_name(report.classes[static_cast<std::size_t>(claim.label)]),
                            group(claim.noisier), group(claim.cleaner));
  }
  if (claims.size() > max_named) {
    sentence += fmt::format("; and {} more", claims.size() - max_named);
  }
  return sentence + '.';
}

Finding group_finding(const AuditReport& report) {
  const Comparison compared = groups_of(report);
  if (compared.compared < 2) {
    return not_identified(
        "groups", "Not identified: there are no two groups of which the noise rates are known.");
  }
  Finding finding = finding_of(compared, report);
  finding.text += beyond_class_text(report);
  finding.numbers["beyond_class_p_value"] = report.comparison.beyond_class_p_value;
  if (finding.id == FindingId::no_difference && !report.comparison.class_claims.empty()) {
    finding.id = FindingId::difference_within_class;
    finding.severity = Severity::notice;
    finding.title = "Groups: a difference found within a class";
  }
  return finding;
}

Finding giveaway_finding(const Giveaway& giveaway) {
  std::string text = capitalized(printable(giveaway_text(giveaway))) + '.';
  if (!giveaway.rule.empty()) text += " The rule: " + printable(giveaway.rule) + '.';
  return {FindingId::giveaway,        Severity::warning, "labels", "Cannot be judged", text,
          {{"share", giveaway.share}}};
}

Finding class_finding(const AuditReport& report) {
  return report.estimate.identified
             ? finding_of(classes_of(report), report)
             : not_identified("classes",
                              "Not identified: these rows do not tell the noise rates of the "
                              "classes.");
}

// Nothing where no rate is identified, or the share is not estimated.
std::optional<Finding> wrong_share_finding(const AuditReport& report) {
  if (!report.wrong_share || !report.estimate.identified) return std::nullopt;
  const EstimateWithInterval& share = *report.wrong_share;
  const bool is_bound = report.has_upper_bound();
  return Finding{FindingId::wrong_share,
                 Severity::notice,
                 "labels",
                 "Wrong labels",
                 fmt::format("{} of all labels are wrong ({}).",
                             is_bound ? "At most " + percent(share.high) : percent(share.value),
                             span(share.low, share.high)),
                 {{"value", share.value}, {"low", share.low}, {"high", share.high}}};
}

Finding condition_finding() {
  return {FindingId::condition,
          Severity::info,
          "labels",
          "Condition",
          "These rates hold if mistakes do not depend on how hard a row is and the labels were not "
          "made from these features.",
          {}};
}

// The headline with its condition comes first; without a headline the condition comes last.
void add_comparisons(std::vector<Finding>& findings, const AuditReport& report) {
  const std::optional<Finding> headline = wrong_share_finding(report);
  if (headline) {
    findings.push_back(*headline);
    findings.push_back(condition_finding());
  }
  if (!report.groups.empty()) findings.push_back(group_finding(report));
  findings.push_back(class_finding(report));
  if (!headline && report.estimate.identified) findings.push_back(condition_finding());
}

void add_row_scores(std::vector<Finding>& findings, const AuditReport& report) {
  if (report.quality.right.empty() && !report.suspects) return;
  findings.push_back(
      {FindingId::row_scores,
       Severity::info,
       "rows",
       "Row probabilities",
       report.rows_are_calibrated
           ? "Row probabilities are calibrated, if noise depends on the class only."
           : "Row probabilities are a ranking: they order the rows by how likely the label is "
             "wrong, and are not probabilities.",
       {}});
}

void add_precision(std::vector<Finding>& findings, const AuditReport& report) {
  const std::optional<Precision>& precision = report.precision;
  if (!precision || !precision->reached || *precision->reached > precision->wanted) return;
  findings.push_back(
      {FindingId::precision,
       Severity::info,
       "classes",
       "Precision",
       fmt::format("{} rows were enough to know the difference to {:.3g} points (wanted: {:.3g}).",
                   with_thousands(report.anchors), 100 * *precision->reached,
                   100 * precision->wanted),
       {{"reached", *precision->reached}, {"wanted", precision->wanted}}});
}

// Two classes alike in all groups: which labels, and what their rates are then.
std::string balancing_of_two(const AuditReport& report) {
  const FlipPlan& plan = report.plan;
  const std::size_t flipped = plan.flip[1] > 0 ? 0 : 1;
  const double epsilon = plan.flip[flipped * 2 + (1 - flipped)];
  const std::vector<double> after = plan.after(report.estimate.transition);
  const std::string name = quoted_name(report.classes[flipped]);
  const std::string done =
      report.flipped.empty()
          ? fmt::format("To balance: flip {} of the labels {}", percent(epsilon), name)
          : fmt::format("Flipped {} of the {} labels {} (probability {})",
                        with_thousands(report.flipped[flipped]),
                        with_thousands(report.class_rows[flipped]), name, percent(epsilon));
  return fmt::format("{}; the rates are then {} and {}.", done, percent(1 - after[0]),
                     percent(1 - after[3]));
}

// By what a plan that looks at groups alone goes, where that is one rate for all classes.
std::string one_rate_text(const AuditReport& report) {
  if (report.scope != "group" || report.paper || !has_one_rate_per_group(report)) return "";
  constexpr std::size_t max_named = 3;
  std::string rates;
  std::size_t known = 0;
  for (const GroupNoise& group : report.groups) {
    if (!group.known() || known++ >= max_named) continue;
    rates += fmt::format("{}{} {}", rates.empty() ? "" : ", ", quoted_name(group.name),
                         percent(one_rate(group)));
  }
  if (known > max_named) rates += fmt::format(" and {} more", with_thousands(known - max_named));
  return fmt::format(
      " Groups are balanced by the same rate for all classes ({}): inside a group no difference of "
      "the classes is found.",
      rates);
}

std::string balancing_text(const AuditReport& report) {
  const FlipPlan& plan = report.plan;
  if (plan.flips_nothing()) return report.flipped.empty() ? "" : "No label was flipped.";
  if (plan.groups == 1 && plan.classes == 2) return balancing_of_two(report);
  const std::string scope = report.scope == "class"   ? "classes"
                            : report.scope == "group" ? "groups"
                                                      : "classes of all groups";
  if (!report.flipped.empty()) {
    const std::size_t all =
        std::accumulate(report.flipped.begin(), report.flipped.end(), std::size_t{0});
    return fmt::format("Flipped {} of {} labels; the {} are then equally noisy.",
                       with_thousands(all), with_thousands(report.rows), scope) +
           one_rate_text(report);
  }
  if (plan.groups > 1) {
    return fmt::format("Balancing would make the {} equally noisy.", scope) + one_rate_text(report);
  }
  double expected = 0;
  for (std::size_t c = 0; c < plan.classes; ++c) {
    expected += static_cast<double>(report.class_rows[c]) * (1 - plan.flip[c * (plan.classes + 1)]);
  }
  return fmt::format("To balance: flip {} of the labels; every rate is then {}.",
                     percent(expected / static_cast<double>(report.rows)),
                     percent(1 - plan.after(report.estimate.transition)[0]));
}

void add_balancing(std::vector<Finding>& findings, const AuditReport& report) {
  // What to do next is said once, by the advice.
  if (report.flipped.empty() && report.advice.action != "balance") return;
  const std::string text = balancing_text(report);
  if (text.empty()) return;
  findings.push_back({FindingId::balancing, Severity::info, "labels", "Balancing", text, {}});
}

}  // namespace

std::string_view to_string(FindingId id) {
  switch (id) {
    case FindingId::wrong_share:
      return "wrong-share";
    case FindingId::condition:
      return "condition";
    case FindingId::giveaway:
      return "giveaway";
    case FindingId::direction:
      return "direction";
    case FindingId::difference:
      return "difference";
    case FindingId::difference_within_class:
      return "difference-within-class";
    case FindingId::no_difference:
      return "no-difference";
    case FindingId::not_identified:
      return "not-identified";
    case FindingId::row_scores:
      return "row-scores";
    case FindingId::precision:
      return "precision";
    case FindingId::balancing:
      return "balancing";
  }
  return "";
}

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::notice:
      return "notice";
    case Severity::warning:
      return "warning";
  }
  return "";
}

std::vector<Finding> findings(const AuditReport& report) {
  check_report(report);
  std::vector<Finding> found;
  if (report.giveaway) {
    found.push_back(giveaway_finding(*report.giveaway));
  } else if (report.paper) {
    found.push_back(paper_finding(report));
  } else {
    add_comparisons(found, report);
  }
  add_row_scores(found, report);
  add_precision(found, report);
  add_balancing(found, report);
  return found;
}

}  // namespace noiseplus
