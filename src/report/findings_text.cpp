#include "report/findings_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/format.h"
#include "pipeline/giveaway.h"
#include "report/style.h"

namespace noiseplus {
namespace {

// A p-value below it is significant to the engine.
constexpr double chance = 0.05;

// What is known of classes, or of groups, against each other.
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

std::string no_difference(const Comparison& compared) {
  const std::string start = "No difference found between the " + compared.many + ": ";
  if (compared.p_value < chance) return start + looks_noisier(compared);
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

// Whether what is claimed depends on neighbors sharing their clean label, unexamined.
std::string condition(const AuditReport& report) {
  const std::string& estimator = report.estimate.estimator;
  return estimator == "moments" || estimator == "latent-class"
             ? ", if neighboring rows share their clean label"
             : "";
}

std::string difference(const Comparison& compared, const AuditReport& report) {
  if (compared.noisier < 0 || compared.cleaner < 0) return no_difference(compared);
  // Of several the clearest pair is named, and the gap is that of the highest and the lowest rate.
  const std::string apart =
      compared.compared > 2 ? fmt::format("; the highest and the lowest rate are {} points apart",
                                          points(compared.gap.value))
                            : fmt::format(" by {} points", points(compared.gap.value));
  std::string sentence =
      fmt::format("{} {} is noisier than {}{} ({}, {}){}.", compared.one,
                  name_in(compared, compared.noisier), name_in(compared, compared.cleaner), apart,
                  interval_text(compared.gap), p_value_text(compared.p_value), condition(report));
  if (compared.claims > 1) {
    sentence += fmt::format(" In all, {} pairs of {} differ.", with_thousands(compared.claims),
                            compared.many);
  }
  return sentence;
}

Comparison classes_of(const AuditReport& report) {
  const NoiseEstimate& e = report.estimate;
  const bool is_bound = e.leans >= 0 && report.is_upper_bound(static_cast<std::size_t>(e.leans));
  return {"Class",
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
  Comparison compared{"Group",
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

std::string paper_finding(const AuditReport& report) {
  const bool of_classes = report.scope == "class";
  const Comparison compared = of_classes ? classes_of(report) : groups_of(report);
  const std::string one = of_classes ? "class" : "group";
  if (compared.noisier < 0) return "By the paper's agreements no " + one + " is noisier.";
  const auto agreement = [&](int part) {
    return report.paper->parts[static_cast<std::size_t>(part)].agreement;
  };
  return fmt::format(
      "By the paper's agreements ({:.4f} against {:.4f}) {} {} is noisier than {}. That is a "
      "direction without a test: nothing is proved.",
      agreement(compared.noisier), agreement(compared.cleaner), one,
      name_in(compared, compared.noisier), name_in(compared, compared.cleaner));
}

// Whether the same class is noisier in one group than in another: what fairness constraints need.
std::string beyond_class_finding(const AuditReport& report) {
  const std::vector<ClassGroupsClaim>& claims = report.comparison.class_claims;
  if (claims.empty()) {
    const std::string p = p_value_text(report.comparison.beyond_class_p_value);
    if (report.comparison.beyond_class_p_value < chance) {
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
  if (claims.size() > max_named)
    sentence += fmt::format("; and {} more", claims.size() - max_named);
  return sentence + '.';
}

std::string giveaway_finding(const Giveaway& giveaway) {
  std::string sentence = printable(giveaway_text(giveaway)) + '.';
  sentence.front() = 'C';
  if (!giveaway.rule.empty()) sentence += " The rule: " + printable(giveaway.rule) + '.';
  return sentence;
}

std::string group_finding(const AuditReport& report) {
  const Comparison compared = groups_of(report);
  if (compared.compared < 2) {
    return "Not identified: there are no two groups of which the noise rates are known.";
  }
  return difference(compared, report) + beyond_class_finding(report);
}

}  // namespace

std::string condition_text(const AuditReport& report) {
  if (report.paper || !report.estimate.identified) return "";
  return "These rates hold if mistakes do not depend on how hard a row is and the labels were not "
         "made from these features.";
}

std::string findings_text(const AuditReport& report, TextStyle style) {
  const auto paragraph = [&](const std::string& sentence) {
    return inked(wrapped(sentence), Ink::strong, style);
  };
  if (report.giveaway) return paragraph(giveaway_finding(*report.giveaway));
  if (report.paper) return paragraph(paper_finding(report));
  return (report.groups.empty() ? "" : paragraph(group_finding(report))) +
         paragraph(report.estimate.identified
                       ? difference(classes_of(report), report)
                       : "Not identified: these rows do not tell the noise rates of the classes.");
}

}  // namespace noiseplus
