#include <algorithm>
#include <functional>
#include <numeric>

#include "learn/violation.h"
#include "noiseplus/learn.h"
#include "util/intervals.h"

namespace noiseplus {
namespace {

constexpr std::int64_t few_rows = 30;
constexpr std::size_t most_named = 5;

void check_codes(std::span<const std::int32_t> codes, std::size_t count, std::size_t rows,
                 const std::string& what) {
  if (codes.size() != rows) {
    throw Error(ErrorKind::usage, "evaluate: " + std::to_string(codes.size()) + " " + what +
                                      " for " + std::to_string(rows) + " labels");
  }
  for (const std::int32_t code : codes) {
    if (code < 0 || static_cast<std::size_t>(code) >= count) {
      throw Error(ErrorKind::usage, "evaluate: a code of the " + what + " is out of range");
    }
  }
}

void check(std::span<const std::int32_t> predicted, const Labels& labels, std::size_t positive,
           const Labels& groups) {
  if (labels.codes.empty()) throw Error(ErrorKind::usage, "evaluate: there are no rows");
  if (positive >= labels.classes.size()) {
    throw Error(ErrorKind::usage, "evaluate: the positive class is none of the classes");
  }
  const std::size_t rows = labels.codes.size();
  check_codes(labels.codes, labels.classes.size(), rows, "labels");
  check_codes(predicted, labels.classes.size(), rows, "predictions");
  if (!groups.codes.empty()) check_codes(groups.codes, groups.classes.size(), rows, "groups");
}

Confusion no_rows(std::size_t classes) {
  return {classes, std::vector<std::int64_t>(classes * classes)};
}

std::optional<Estimated> rate(std::int64_t successes, std::int64_t trials) {
  if (trials == 0) return std::nullopt;
  return wilson_interval(static_cast<double>(successes), static_cast<double>(trials));
}

GroupQuality quality(const std::string& group, Confusion confusion, std::size_t positive) {
  const std::size_t classes = confusion.classes;
  std::int64_t right = 0, found = 0, false_alarms = 0, positives = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    const std::int64_t* row = confusion.counts.data() + i * classes;
    right += row[i];
    (i == positive ? found : false_alarms) += row[positive];
    if (i == positive) positives = std::accumulate(row, row + classes, std::int64_t{0});
  }
  const std::int64_t rows = confusion.rows();
  GroupQuality result;
  result.group = group;
  result.accuracy = rate(right, rows).value_or(Estimated{0, 0, 1});
  result.tpr = rate(found, positives);
  result.fpr = rate(false_alarms, rows - positives);
  result.positive_rate = rate(found + false_alarms, rows);
  result.confusion = std::move(confusion);
  return result;
}

// "the groups 'a', 'b' and 3 more"
std::string listed(const std::vector<std::string>& names) {
  std::string text = names.size() == 1 ? "the group " : "the groups ";
  const std::size_t shown = std::min(names.size(), most_named);
  for (std::size_t i = 0; i < shown; ++i) {
    const bool is_last = i + 1 == names.size();
    text += (i == 0 ? "'" : is_last ? " and '" : ", '") + names[i] + '\'';
  }
  if (names.size() > shown) text += " and " + std::to_string(names.size() - shown) + " more";
  return text;
}

std::vector<std::string> names_where(const std::vector<GroupQuality>& groups,
                                     const std::function<bool(const GroupQuality&)>& holds) {
  std::vector<std::string> names;
  for (const GroupQuality& group : groups) {
    if (holds(group)) names.push_back(group.group);
  }
  return names;
}

// A class that no group has rows of compares nothing, which is no fault of a group.
void warn_of_groups_left_out(const std::vector<GroupQuality>& groups, const Confusion& all,
                             Evaluation& evaluation) {
  std::size_t further = 0, named = 0;
  for (std::size_t i = 0; i < all.classes; ++i) {
    if (all.rows_of(i) == 0) continue;
    const std::vector<std::string> without = names_where(
        groups, [i](const GroupQuality& group) { return group.confusion.rows_of(i) == 0; });
    if (without.empty()) continue;
    if (named++ >= most_named) {
      ++further;
      continue;
    }
    evaluation.warnings.push_back("no row of class '" + evaluation.classes[i] + "' in " +
                                  listed(without) + ": equalized odds are compared without " +
                                  (without.size() == 1 ? "it" : "them") + " for that class");
  }
  if (further > 0) {
    evaluation.warnings.push_back("equalized odds are compared without some groups for " +
                                  std::to_string(further) + " further classes");
  }
}

void warn_of_small_groups(Evaluation& evaluation) {
  const std::vector<std::string> small =
      names_where(evaluation.groups,
                  [](const GroupQuality& group) { return group.confusion.rows() < few_rows; });
  if (small.empty()) return;
  evaluation.warnings.push_back("fewer than " + std::to_string(few_rows) + " rows in " +
                                listed(small) + ": see the intervals before relying on " +
                                (small.size() == 1 ? "its rates" : "their rates"));
}

void add_groups(std::span<const std::int32_t> predicted, const Labels& labels, const Labels& groups,
                Evaluation& evaluation) {
  const std::size_t classes = labels.classes.size();
  std::vector<Confusion> confusions(groups.classes.size(), no_rows(classes));
  for (std::size_t n = 0; n < predicted.size(); ++n) {
    confusions[static_cast<std::size_t>(groups.codes[n])].add(labels.codes[n], predicted[n]);
  }
  for (std::size_t g = 0; g < confusions.size(); ++g) {
    if (confusions[g].rows() == 0) continue;  // a name that no row has
    evaluation.groups.push_back(
        quality(groups.classes[g], std::move(confusions[g]), evaluation.positive));
  }
  evaluation.equalized_odds_violation = equalized_odds_violation(evaluation.groups);
  evaluation.demographic_parity_violation = demographic_parity_violation(evaluation.groups);
  if (evaluation.groups.size() < 2) {
    evaluation.warnings.emplace_back("all rows are of one group: there is nothing to compare");
    return;
  }
  warn_of_groups_left_out(evaluation.groups, evaluation.all.confusion, evaluation);
  warn_of_small_groups(evaluation);
}

}  // namespace

std::int64_t Confusion::rows() const {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

std::int64_t Confusion::rows_of(std::size_t class_code) const {
  const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(class_code * classes);
  return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(classes), std::int64_t{0});
}

void Confusion::add(std::int32_t class_code, std::int32_t predicted) {
  ++counts[static_cast<std::size_t>(class_code) * classes + static_cast<std::size_t>(predicted)];
}

Evaluation evaluate(std::span<const std::int32_t> predicted, const Labels& labels,
                    std::size_t positive, const Labels& groups) {
  check(predicted, labels, positive, groups);
  Evaluation evaluation;
  evaluation.classes = labels.classes;
  evaluation.positive = positive;
  Confusion all = no_rows(labels.classes.size());
  for (std::size_t n = 0; n < predicted.size(); ++n) all.add(labels.codes[n], predicted[n]);
  evaluation.all = quality("", std::move(all), positive);
  if (!groups.codes.empty()) add_groups(predicted, labels, groups, evaluation);
  return evaluation;
}

}  // namespace noiseplus
