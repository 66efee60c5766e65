#include <algorithm>
#include <numeric>

#include "core/intervals.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

std::int64_t row_sum(const std::vector<std::int64_t>& counts, std::size_t classes, std::size_t i) {
  const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(i * classes);
  return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(classes), std::int64_t{0});
}

std::int64_t column_sum(const std::vector<std::int64_t>& counts, std::size_t classes,
                        std::size_t j) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < classes; ++i) sum += counts[i * classes + j];
  return sum;
}

// How many rows counted one by one would tell the rates of class j as well. Scaling gives rows of
// some labels more weight than others, and a weighted sum of counts strays further (Kish 1965).
double effective_rows(const ConfidentJoint& joint, std::size_t j) {
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < joint.classes; ++i) {
    const auto counted = static_cast<double>(joint.counted[i * joint.classes + j]);
    if (counted == 0) continue;
    const double weight = static_cast<double>(row_sum(joint.counts, joint.classes, i)) /
                          static_cast<double>(row_sum(joint.counted, joint.classes, i));
    sum += counted * weight;
    squares += counted * weight * weight;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

// A class that has no counts of its own has a row of zeros, which is no distribution.
std::vector<double> stochastic(std::vector<double> transition, std::size_t classes) {
  for (std::size_t i = 0; i < classes; ++i) {
    const auto row = transition.begin() + static_cast<std::ptrdiff_t>(i * classes);
    if (std::all_of(row, row + static_cast<std::ptrdiff_t>(classes),
                    [](double t) { return t == 0; })) {
      transition[i * classes + i] = 1;
    }
  }
  return transition;
}

// Empty when the class can be told from the others.
std::string why_unknown(const ConfidentJoint& joint, const std::vector<double>& transition,
                        std::size_t i) {
  if (column_sum(joint.counted, joint.classes, i) == 0) return "no row is credibly of it";
  for (std::size_t other = 0; other < joint.classes; ++other) {
    if (other != i && transition[i * joint.classes + i] <= transition[other * joint.classes + i]) {
      return "its label is no likelier on its own rows than on those of another class";
    }
  }
  return "";
}

void judge(const ConfidentJoint& joint, std::span<const std::string> class_names,
           NoiseEstimate& estimate) {
  estimate.identified = true;
  for (std::size_t i = 0; i < joint.classes; ++i) {
    const std::string why = why_unknown(joint, estimate.transition, i);
    if (why.empty()) continue;
    estimate.identified = false;
    estimate.warnings.push_back("not identified: class " + class_name(class_names, i) + ": " + why +
                                "; the rates are not to be relied on");
  }
  estimate.warnings.emplace_back(
      "confident learning counts rows of overlapping classes as mislabeled; the intervals cover "
      "the chance of counting, not that");
}

}  // namespace

NoiseEstimate estimate_from_probabilities(MatrixView probabilities,
                                          std::span<const std::int32_t> codes,
                                          std::span<const std::string> class_names) {
  const ConfidentJoint joint = confident_joint(probabilities, codes);
  const std::size_t classes = joint.classes;
  NoiseEstimate estimate;
  estimate.estimator = "confident";
  estimate.prior = joint.prior;
  estimate.transition = stochastic(joint.transition, classes);
  std::vector<double> rows(classes);
  for (std::size_t i = 0; i < classes; ++i) {
    const double rate = std::clamp(1 - estimate.transition[i * classes + i], 0.0, 1.0);
    rows[i] = effective_rows(joint, i);
    const EstimateWithInterval interval = wilson_interval(rate * rows[i], rows[i]);
    estimate.noise.push_back({rate, interval.low, interval.high});
  }
  judge(joint, class_names, estimate);
  compare_shares(rows, estimate);
  fill_two_class_terms(estimate);
  if (estimate.identified && estimate.p_value < significance) {
    estimate.leans = noisiest_class(estimate);
  }
  return estimate;
}

NoiseEstimate estimate_by_confident_learning(RowsView rows, const GivenLabels& labels,
                                             const FoldOptions& options,
                                             const Execution& execution) {
  const Matrix shares = out_of_sample_probabilities(rows, labels, options, execution);
  return estimate_from_probabilities(shares.view(), labels.codes, options.class_names);
}

}  // namespace noiseplus
