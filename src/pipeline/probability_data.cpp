#include "pipeline/probability_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/intervals.h"
#include "noise/scores.h"
#include "pipeline/options.h"

namespace noiseplus {
namespace {

// A label is contradicted by the features where it is right with at most this probability, by what
// neighbors and a linear model say that have not seen it.
constexpr double max_contradicted = .1;
constexpr std::size_t min_contradicted_rows = 20;
// And it is confirmed with at least this one.
constexpr double min_confirmed = .9;
// An honest model sides with contradicted labels by mistake, about as often as it is against
// confirmed ones, and where it knows more than the features show. Of 60 sets of out-of-fold
// probabilities none was above this (docs/estimators.md).
constexpr double max_honest_excess = .2;
constexpr double sure_quantile = 4;

// Blocks of rows that may be folds; what differs must do so surely, and by enough to matter.
constexpr std::size_t fold_blocks = 10;
constexpr std::size_t min_block_rows = 50;
constexpr double fold_quantile = 6;
constexpr double min_fold_difference = .1;

std::size_t likeliest_of(const float* row, std::size_t classes) {
  return static_cast<std::size_t>(std::max_element(row, row + classes) - row);
}

// Whether each label is the likeliest by the probabilities.
std::vector<char> predicted_labels(MatrixView probabilities, std::span<const std::int32_t> codes) {
  std::vector<char> predicted(codes.size());
  for (std::size_t n = 0; n < codes.size(); ++n) {
    predicted[n] = likeliest_of(probabilities.row(n), probabilities.columns) ==
                   static_cast<std::size_t>(codes[n]);
  }
  return predicted;
}

std::string doubt_without_features(const std::vector<char>& predicted) {
  constexpr std::size_t min_rows = 200;
  if (predicted.size() < min_rows ||
      std::find(predicted.begin(), predicted.end(), 0) != predicted.end()) {
    return "";
  }
  return "the probabilities predict every given label, as no model does whose labels are noisy and "
         "that has not seen them; check that they are out of fold (cross-validated)";
}

// No honest model can tell which labels are wrong better than by the rows: among labels that the
// rows contradict, it sides with few.
std::string doubt_by_features(const std::vector<char>& predicted,
                              const std::vector<double>& right_by_features) {
  std::size_t contradicted = 0, sided = 0, confirmed = 0, mistaken = 0;
  for (std::size_t n = 0; n < predicted.size(); ++n) {
    if (right_by_features[n] >= min_confirmed) {
      ++confirmed;
      mistaken += predicted[n] != 0 ? 0 : 1;
    }
    if (!(right_by_features[n] <= max_contradicted)) continue;
    ++contradicted;
    sided += predicted[n] != 0 ? 1 : 0;
  }
  if (contradicted < min_contradicted_rows) return "";
  const EstimateWithInterval share =
      wilson_interval(static_cast<double>(sided), static_cast<double>(contradicted), sure_quantile);
  const double mistakes =
      static_cast<double>(mistaken) / static_cast<double>(std::max<std::size_t>(confirmed, 1));
  if (!(share.low > mistakes + max_honest_excess)) return "";
  return fmt::format(
      "the probabilities seem to have seen their own labels: they predict {} of {} labels that "
      "neighbors and a linear model contradict. If they are not out of fold, make them so "
      "(cross-validation); if they are, the model knows what the features do not show",
      sided, contradicted);
}

// How much more often than it says a model is right, in a part of the rows.
struct Excess {
  double sum = 0, squares = 0, rows = 0;

  double mean() const { return sum / rows; }
  double variance() const {
    return std::max(squares / rows - mean() * mean(), 1e-4) / rows;  // of the mean
  }
};

// The block of each row: by its place, or by its place among the rows of its label, as stratified
// folds that are not shuffled are made.
std::vector<std::size_t> blocks_of(std::span<const std::int32_t> codes, std::size_t classes,
                                   bool by_label) {
  const std::vector<std::size_t> rows = count_labels(codes, classes);
  std::vector<std::size_t> seen(classes), blocks(codes.size());
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const auto label = static_cast<std::size_t>(codes[n]);
    const std::size_t place = by_label ? seen[label]++ : n;
    blocks[n] = place * fold_blocks / (by_label ? rows[label] : codes.size());
  }
  return blocks;
}

// Labels that are sorted or drift make blocks differ by themselves, so that each row is compared
// with the others of its label.
std::vector<double> excess_of_rows(MatrixView probabilities, std::span<const std::int32_t> codes,
                                   const std::vector<char>& predicted) {
  const std::size_t classes = probabilities.columns;
  std::vector<double> excess(codes.size()), means(classes);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const float* const row = probabilities.row(n);
    excess[n] = predicted[n] - static_cast<double>(row[likeliest_of(row, classes)]);
    means[static_cast<std::size_t>(codes[n])] += excess[n];
  }
  const std::vector<std::size_t> rows = count_labels(codes, classes);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const auto label = static_cast<std::size_t>(codes[n]);
    excess[n] -= means[label] / static_cast<double>(rows[label]);
  }
  return excess;
}

std::string doubt_about_folds(MatrixView probabilities, std::span<const std::int32_t> codes,
                              const std::vector<char>& predicted) {
  if (codes.size() < fold_blocks * min_block_rows) return "";
  const std::vector<double> excess = excess_of_rows(probabilities, codes, predicted);
  for (const bool by_label : {false, true}) {
    const std::vector<std::size_t> blocks = blocks_of(codes, probabilities.columns, by_label);
    std::vector<Excess> parts(fold_blocks);
    for (std::size_t n = 0; n < codes.size(); ++n) {
      Excess& part = parts[blocks[n]];
      part.sum += excess[n];
      part.squares += excess[n] * excess[n];
      part.rows += 1;
    }
    const auto by_mean = [](const Excess& a, const Excess& b) { return a.mean() < b.mean(); };
    const auto [low, high] = std::minmax_element(parts.begin(), parts.end(), by_mean);
    const double difference = high->mean() - low->mean();
    const double error = std::sqrt(high->variance() + low->variance());
    if (!(difference > min_fold_difference && difference > fold_quantile * error)) continue;
    return fmt::format(
        "the probabilities are not of one kind in all rows: in the tenth {} of the rows{} their "
        "predictions match the labels more often than they say, by {:.2f} more than in the tenth "
        "{}. Folds were trained differently, or labels differ in noise there; make all folds alike",
        high - parts.begin() + 1, by_label ? " of each label" : "", difference,
        low - parts.begin() + 1);
  }
  return "";
}

}  // namespace

std::optional<Dataset> with_probability_rows(const Dataset& dataset, const AuditOptions& options,
                                             const Execution& execution) {
  if (options.probabilities.rows == 0 || dataset.features.view().rows != 0) return std::nullopt;
  check_class_probabilities(options.probabilities, dataset.labels.codes.size(),
                            dataset.labels.classes);
  Dataset rows;
  rows.source = dataset.source;
  rows.labels = dataset.labels;
  rows.label_name = dataset.label_name;
  rows.groups = dataset.groups;
  rows.group_name = dataset.group_name;
  rows.row_ids = dataset.row_ids;
  rows.missing_labels = dataset.missing_labels;
  rows.warnings = dataset.warnings;
  rows.warnings.emplace_back(
      "there are no features: neighbors are rows with similar probabilities, so that all that is "
      "said rests on the one model");
  rows.features = Features(probability_rows(options.probabilities, execution));
  rows.recipe.columns = rows.features.view().columns;
  return rows;
}

std::vector<std::string> doubts_about_probabilities(const Dataset& dataset,
                                                    const AuditOptions& options,
                                                    NoiseEstimator& evidence, bool has_features,
                                                    const Execution& execution) {
  const std::vector<std::int32_t>& codes = dataset.labels.codes;
  const std::vector<std::string>& classes = dataset.labels.classes;
  const std::vector<char> predicted = predicted_labels(options.probabilities, codes);
  std::string seen;
  if (has_features) {
    // The same neighbors, and scores of our own, that have not seen the labels.
    NoiseEstimatorOptions with = evidence_options(options, classes.size() - 1);
    with.folds = folds_for(codes, classes.size());
    with.probabilities = {};
    NoiseEstimator own(dataset.features.view(), codes, classes, with, execution);
    own.use(evidence.graph(std::max(with.k, std::min(with.voters, codes.size() - 1))));
    const NoiseEstimate estimate = own.estimate(EstimatorKind::automatic);
    seen = doubt_by_features(
        predicted, label_quality(own.posterior().view(), estimate, codes, execution).right);
  } else {
    seen = doubt_without_features(predicted);
  }
  std::vector<std::string> doubts;
  if (!seen.empty()) doubts.push_back(std::move(seen));
  std::string folds = doubt_about_folds(options.probabilities, codes, predicted);
  if (!folds.empty()) doubts.push_back(std::move(folds));
  return doubts;
}

}  // namespace noiseplus
