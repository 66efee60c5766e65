#include "pipeline/audit_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numbers>
#include <optional>
#include <unordered_map>

#include "core/intervals.h"
#include "core/portable_math.h"
#include "core/thread_pool.h"
#include "noise/class_claims.h"
#include "noise/groups/unproved_rates.h"
#include "noise/scores.h"
#include "pipeline/group_mixture.h"
#include "pipeline/group_rows.h"
#include "pipeline/options.h"
#include "pipeline/row_quality.h"

namespace noiseplus {
namespace {

// Fewer tell nothing about rates that differ by less than a half.
constexpr std::size_t min_rows = 50;
constexpr std::size_t min_rows_of_a_class = 5;

std::string why_too_small(std::span<const std::int32_t> codes,
                          const std::vector<std::string>& classes, std::size_t k) {
  if (codes.size() < std::max(min_rows, k + 1)) {
    return fmt::format("{} rows, fewer than {}", codes.size(), std::max(min_rows, k + 1));
  }
  const std::vector<std::size_t> rows = count_labels(codes, classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (rows[c] < min_rows_of_a_class) {
      return fmt::format("{} rows labeled '{}', fewer than {}", rows[c], classes[c],
                         min_rows_of_a_class);
    }
  }
  return "";
}

// Groups say the same things; each is said once, with the groups it was said of.
class GroupWarnings {
 public:
  void add(const std::string& group, const std::string& warning) {
    const auto [place, is_new] = place_of_.emplace(warning, all_.size());
    if (is_new) all_.emplace_back(warning, std::vector<std::string>());
    all_[place->second].second.push_back(group);
  }

  void append_to(std::vector<std::string>& warnings) const {
    constexpr std::size_t max_named = 5;
    for (const auto& [warning, groups] : all_) {
      std::string names;
      for (std::size_t g = 0; g < std::min(groups.size(), max_named); ++g) {
        names += (g == 0 ? "'" : ", '") + groups[g] + '\'';
      }
      if (groups.size() > max_named) {
        names += fmt::format(" and {} more", groups.size() - max_named);
      }
      warnings.push_back((groups.size() == 1 ? "group " : "groups ") + names + ": " + warning);
    }
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> all_;
  std::unordered_map<std::string, std::size_t> place_of_;
};

// Puts the rows of groups, judged by their own noise, in the place of those judged by that of all
// rows. What is left of these is of groups too small to know, or not identified.
class RowsJudgedByGroup {
 public:
  explicit RowsJudgedByGroup(LabelQuality& all) : all_(all) {}

  void replace(const LabelQuality& own, std::span<const std::size_t> rows) {
    for (std::size_t n = 0; n < rows.size(); ++n) {
      all_.right[rows[n]] = own.right[n];
      all_.suggested[rows[n]] = own.suggested[n];
    }
    add(own.is_calibrated);
  }

  void keep_small() { add(all_.is_calibrated); }
  void keep_unknown() { add(false); }
  void finish() { all_.is_calibrated = are_calibrated_; }

 private:
  void add(bool is_calibrated) { are_calibrated_ = are_calibrated_ && is_calibrated; }

  LabelQuality& all_;
  bool are_calibrated_ = true;
};

// As rare by chance in so many comparisons as this many standard errors are in one.
double errors_in(double errors, std::size_t comparisons) {
  const double by_chance = portable::erfc(errors / std::numbers::sqrt2);
  return two_sided_normal_quantile(by_chance / static_cast<double>(comparisons));
}

// Classes are compared inside each group: a claim allows for all groups at once (Bonferroni).
ChoiceRule rule_inside(std::size_t groups) {
  ChoiceRule rule;
  if (groups == 0) return rule;
  rule.claim_errors_two = errors_in(rule.claim_errors_two, groups);
  rule.claim_errors_many = errors_in(rule.claim_errors_many, groups);
  return rule;
}

}  // namespace

void examine_groups(const Dataset& dataset, const AuditOptions& options, AuditReport& report,
                    LabelQuality* quality, const Execution& execution) {
  const auto start = std::chrono::steady_clock::now();
  const EstimatorKind kind = estimator_of(options);
  NoiseEstimatorOptions with = evidence_options(options, report.positive);
  GroupWarnings warnings;
  double searching = 0;
  const std::size_t groups = dataset.groups.classes.size();
  const ChoiceRule rule = with.rule;
  with.rule = rule_inside(groups);
  with.rule.assume = rule.assume;
  const RowsByGroup by_group(dataset);
  std::optional<RowsJudgedByGroup> judged;
  if (quality != nullptr) judged.emplace(*quality);
  for (std::size_t g = 0; g < groups; ++g) {
    const std::string& name = dataset.groups.classes[g];
    const std::vector<std::int32_t> codes = by_group.codes_of(g);
    report.group_class_rows.push_back(count_labels(codes, report.classes.size()));
    const std::string small = why_too_small(codes, report.classes, with.k);
    if (!small.empty()) {
      report.groups.push_back(unknown_group(name, codes.size(), report.estimate, small));
      warnings.add(name, "too small to tell: " + small);
      if (judged) judged->keep_small();
      continue;
    }
    const GroupRows part = by_group.of(g);
    const Execution within =
        part_of(execution, "groups", static_cast<double>(g) / static_cast<double>(groups),
                static_cast<double>(g + 1) / static_cast<double>(groups));
    with.folds = folds_for(part.codes, report.classes.size());
    Matrix probabilities;
    if (options.probabilities.rows != 0) probabilities = by_group.pick(options.probabilities, g);
    with.probabilities = probabilities.view();
    NoiseEstimator evidence(part.rows.view(), part.codes, report.classes, with, within);
    const NoiseEstimate estimate = evidence.estimate(kind);
    report.groups.push_back(
        noise_of_group(name, part.codes.size(), estimate, evidence.chosen(), rule));
    GroupNoise& group = report.groups.back();
    const ChosenEstimate* chosen = evidence.chosen();
    if (chosen == nullptr) {
      settle_claims(group.estimate);
    } else if (group.known()) {
      let_unproved_rates_overlap(group.estimate.noise, chosen->claims);
    }
    if (judged && group.known()) {
      const std::string mode = chosen != nullptr ? chosen->mode : "";
      const JudgedRows own{part.codes, estimate, mode, with.probabilities, report.features > 0};
      judged->replace(judge_rows(own, evidence, within), by_group.rows_of(g));
    } else if (judged) {
      judged->keep_unknown();
    }
    for (const std::string& warning : estimate.warnings) warnings.add(name, warning);
    searching += evidence.seconds_searching();
  }
  if (judged) {
    judged->finish();
    quality->is_calibrated = quality->is_calibrated && !report.giveaway;
  }
  report.comparison = compare_groups(report.groups, rule);
  let_unproved_rates_overlap(report.groups, rule);
  account_for_groups(report);
  warnings.append_to(report.warnings);
  report.seconds.neighbors += searching;
  report.seconds.estimate +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() - searching;
}

}  // namespace noiseplus
