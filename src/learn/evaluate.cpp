#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/checks.h"
#include "core/intervals.h"
#include "learn/violation.h"
#include "noiseplus/learn.h"

namespace noiseplus {
namespace {

constexpr std::int64_t few_rows = 30;
constexpr std::size_t max_named = 5;

void check(const Labels& labels, std::size_t positive, const Labels& groups) {
  if (labels.codes.empty()) throw Error(ErrorKind::usage, "evaluate: there are no rows");
  if (positive >= labels.classes.size()) {
    throw Error(ErrorKind::usage, "evaluate: the positive class is none of the classes");
  }
  check_class_count(labels.classes.size());
  check_codes(labels.codes, labels.classes.size());
  if (groups.codes.empty()) return;
  check_one_per_row(groups.codes.size(), labels.codes.size(), "groups");
  check_codes(groups.codes, groups.classes.size(), "group");
}

bool are_shares(std::span<const float> row) {
  constexpr double rounding = 1e-4;
  const auto is_share = [](float share) { return share >= 0 && share <= 1; };
  const double sum = std::accumulate(row.begin(), row.end(), 0.0);
  return std::all_of(row.begin(), row.end(), is_share) && std::abs(sum - 1) <= rounding;
}

void check_shares(MatrixView shares, const Labels& labels) {
  if (shares.rows != labels.codes.size() || shares.columns != labels.classes.size()) {
    throw Error(ErrorKind::usage,
                "evaluate: there must be a row of shares for each label, with "
                "one for each class");
  }
  check_view(shares, "the shares");
  for (std::size_t n = 0; n < shares.rows; ++n) {
    if (!are_shares({shares.row(n), shares.columns})) {
      throw Error(ErrorKind::usage, "evaluate: the shares of row " + std::to_string(n + 1) +
                                        " are not from 0 to 1, adding up to 1");
    }
  }
}

Confusion no_rows(std::size_t classes) {
  return {classes, std::vector<double>(classes * classes), std::vector<std::int64_t>(classes)};
}

std::optional<EstimateWithInterval> rate(double successes, std::int64_t trials) {
  if (trials == 0) return std::nullopt;
  return wilson_interval(successes, static_cast<double>(trials));
}

GroupQuality quality(const std::string& group, Confusion confusion, std::size_t positive) {
  const std::size_t classes = confusion.classes;
  double right = 0, found = 0, false_alarms = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    const double* row = confusion.counts.data() + i * classes;
    right += row[i];
    (i == positive ? found : false_alarms) += row[positive];
  }
  const std::int64_t rows = confusion.rows(), positives = confusion.rows_of(positive);
  GroupQuality result;
  result.group = group;
  result.accuracy = rate(right, rows).value_or(EstimateWithInterval{0, 0, 1});
  result.tpr = rate(found, positives);
  result.fpr = rate(false_alarms, rows - positives);
  result.positive_rate = rate(found + false_alarms, rows);
  result.confusion = std::move(confusion);
  return result;
}

// "the groups 'a', 'b' and 3 more"
std::string listed(const std::vector<std::string>& names) {
  std::string text = names.size() == 1 ? "the group " : "the groups ";
  const std::size_t shown = std::min(names.size(), max_named);
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
    if (named++ >= max_named) {
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

void add_groups(std::vector<Confusion> confusions, const std::vector<std::string>& names,
                Evaluation& evaluation) {
  for (std::size_t g = 0; g < confusions.size(); ++g) {
    if (confusions[g].rows() == 0) continue;  // a name that no row has
    evaluation.groups.push_back(quality(names[g], std::move(confusions[g]), evaluation.positive));
  }
  evaluation.equalized_odds_violation = equalized_odds_violation(evaluation.groups);
  evaluation.demographic_parity_violation = demographic_parity_violation(evaluation.groups);
  evaluation.error_parity_violation = error_parity_violation(evaluation.groups);
  if (evaluation.groups.size() < 2) {
    evaluation.warnings.emplace_back("all rows are of one group: there is nothing to compare");
    return;
  }
  warn_of_groups_left_out(evaluation.groups, evaluation.all.confusion, evaluation);
  warn_of_small_groups(evaluation);
}

// Rows are added one after the other: sums of shares are the same at any number of threads.
template <typename Answers>
Evaluation evaluate_rows(const Answers& answers, const Labels& labels, std::size_t positive,
                         const Labels& groups) {
  Evaluation evaluation;
  evaluation.classes = labels.classes;
  evaluation.positive = positive;
  Confusion all = no_rows(labels.classes.size());
  std::vector<Confusion> confusions(groups.codes.empty() ? 0 : groups.classes.size(), all);
  for (std::size_t n = 0; n < labels.codes.size(); ++n) {
    all.add(labels.codes[n], answers(n));
    if (groups.codes.empty()) continue;
    confusions[static_cast<std::size_t>(groups.codes[n])].add(labels.codes[n], answers(n));
  }
  evaluation.all = quality("", std::move(all), positive);
  if (!groups.codes.empty()) add_groups(std::move(confusions), groups.classes, evaluation);
  return evaluation;
}

void check_added(const Confusion& confusion, std::int32_t class_code) {
  check_square(confusion.counts.size(), confusion.classes, 1, "the confusion");
  check_that(confusion.class_rows.size() == confusion.classes,
             "the confusion does not have rows for each class");
  check_class(class_code, confusion.classes, "the class");
}

}  // namespace

std::int64_t Confusion::rows() const {
  return sum_of_counts(class_rows, "the rows of classes");
}

std::int64_t Confusion::rows_of(std::size_t class_code) const {
  check_that(class_code < class_rows.size(), "the class is none of the confusion's classes");
  return class_rows[class_code];
}

void Confusion::add(std::int32_t class_code, std::int32_t predicted) {
  check_added(*this, class_code);
  check_class(predicted, classes, "the predicted class");
  const auto row = static_cast<std::size_t>(class_code);
  ++class_rows[row];
  ++counts[row * classes + static_cast<std::size_t>(predicted)];
}

void Confusion::add(std::int32_t class_code, std::span<const float> shares) {
  check_added(*this, class_code);
  check_that(shares.size() == classes, "there is not one share for each class");
  check_that(are_shares(shares), "the shares are not from 0 to 1, adding up to 1");
  const auto row = static_cast<std::size_t>(class_code);
  ++class_rows[row];
  for (std::size_t j = 0; j < classes; ++j) {
    counts[row * classes + j] += static_cast<double>(shares[j]);
  }
}

Evaluation evaluate(std::span<const std::int32_t> predicted, const Labels& labels,
                    std::size_t positive, const Labels& groups) {
  check(labels, positive, groups);
  check_one_per_row(predicted.size(), labels.codes.size(), "predictions");
  check_codes(predicted, labels.classes.size(), "prediction");
  const auto answers = [&](std::size_t n) { return predicted[n]; };
  return evaluate_rows(answers, labels, positive, groups);
}

Evaluation evaluate(MatrixView answer_shares, const Labels& labels, std::size_t positive,
                    const Labels& groups) {
  check(labels, positive, groups);
  check_shares(answer_shares, labels);
  const auto answers = [&](std::size_t n) {
    return std::span<const float>(answer_shares.row(n), answer_shares.columns);
  };
  return evaluate_rows(answers, labels, positive, groups);
}

}  // namespace noiseplus
