// Each step does what cleanlab 2.9 does, in its order of operations: counts are rounded to whole
// numbers, and a last digit decides which way a half goes.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/checks.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

constexpr double smallest_threshold = 2e-6;
constexpr double absent_threshold = 2;  // above every probability
constexpr double slack = 1e-6;
constexpr double largest_off_diagonal = .9999;
constexpr double smallest_prior = 1e-6;
constexpr double smallest_final_prior = 1e-5;
constexpr double tiny = 1e-100;

using Square = std::vector<double>;  // row-major classes x classes

void check(MatrixView probabilities, std::span<const std::int32_t> codes) {
  if (codes.size() != probabilities.rows || codes.empty()) {
    throw Error(ErrorKind::usage, "confident learning: " + std::to_string(codes.size()) +
                                      " labels for " + std::to_string(probabilities.rows) +
                                      " rows of probabilities");
  }
  check_view(probabilities, "the probabilities");
  check_class_count(probabilities.columns);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    if (codes[n] < 0 || static_cast<std::size_t>(codes[n]) >= probabilities.columns) {
      throw Error(ErrorKind::usage, "confident learning: the label code of row " +
                                        std::to_string(n + 1) + " is not one of the classes");
    }
    const float* row = probabilities.row(n);
    const auto is_probability = [](float p) { return p >= 0 && p <= 1; };
    if (!std::all_of(row, row + probabilities.columns, is_probability)) {
      throw Error(ErrorKind::data, "confident learning: row " + std::to_string(n + 1) +
                                       " holds a probability that is not within 0 to 1");
    }
  }
}

std::vector<std::int64_t> label_counts(std::span<const std::int32_t> codes, std::size_t classes) {
  std::vector<std::int64_t> counts(classes);
  for (const std::int32_t code : codes) ++counts[static_cast<std::size_t>(code)];
  return counts;
}

// How likely a class is, on average, to the rows that carry its label.
std::vector<double> thresholds_of(MatrixView probabilities, std::span<const std::int32_t> codes,
                                  const std::vector<std::int64_t>& labels) {
  std::vector<double> thresholds(probabilities.columns);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const auto code = static_cast<std::size_t>(codes[n]);
    thresholds[code] += probabilities.row(n)[code];
  }
  for (std::size_t k = 0; k < thresholds.size(); ++k) {
    thresholds[k] = labels[k] == 0 ? absent_threshold
                                   : std::max(thresholds[k] / static_cast<double>(labels[k]),
                                              smallest_threshold);
  }
  return thresholds;
}

// The one credible class; of several the likeliest of all; the number of classes when none is.
std::size_t guess_class(const float* row, const std::vector<double>& thresholds) {
  const std::size_t classes = thresholds.size();
  std::size_t credible = 0, first = classes;
  for (std::size_t k = 0; k < classes; ++k) {
    if (static_cast<double>(row[k]) < thresholds[k] - slack) continue;
    if (credible++ == 0) first = k;
  }
  return credible > 1 ? static_cast<std::size_t>(std::max_element(row, row + classes) - row)
                      : first;
}

// The sum of numpy, which adds eight by eight and long arrays by halves.
double numpy_sum(const double* values, std::size_t count) {
  if (count < 8) return std::accumulate(values, values + count, -0.0);
  if (count > 128) {
    const std::size_t half = count / 2 - count / 2 % 8;
    return numpy_sum(values, half) + numpy_sum(values + half, count - half);
  }
  double r[8];
  std::copy(values, values + 8, r);
  std::size_t i = 8;
  for (; i + 8 <= count; i += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) r[lane] += values[i + lane];
  }
  double sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (; i < count; ++i) sum += values[i];
  return sum;
}

// Rounds half to even; what the rounded sum lacks or exceeds goes, one each, to the entries that
// rounding changed most.
void round_keeping_sum(const double* values, std::size_t count, std::int64_t* rounded) {
  std::vector<double> residuals(count);
  double sum = 0;
  std::int64_t rounded_sum = 0;
  for (std::size_t j = 0; j < count; ++j) {
    rounded[j] = std::llrint(values[j]);
    residuals[j] = values[j] - static_cast<double>(rounded[j]);
    sum += values[j];
    rounded_sum += rounded[j];
  }
  std::int64_t lacking = std::llrint(sum) - rounded_sum;
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return residuals[a] < residuals[b]; });
  if (lacking > 0) std::reverse(order.begin(), order.end());
  const std::int64_t change = lacking > 0 ? 1 : -1;
  for (std::size_t i = 0; lacking != 0 && i < count; ++i, lacking -= change) {
    rounded[order[i]] += change;
  }
}

// Rows that are not credibly of any class are spread like the others of their label.
std::vector<std::int64_t> calibrated(std::vector<std::int64_t> counted,
                                     const std::vector<std::int64_t>& labels, std::size_t rows) {
  const std::size_t classes = labels.size();
  Square columns(classes * classes);  // column-major, the order in which cleanlab adds
  for (std::size_t i = 0; i < classes; ++i) {
    std::int64_t* row = counted.data() + i * classes;
    row[i] = std::max<std::int64_t>(row[i], 1);
    const auto sum = static_cast<double>(std::accumulate(row, row + classes, std::int64_t{0}));
    for (std::size_t j = 0; j < classes; ++j) {
      columns[j * classes + i] = static_cast<double>(row[j]) / sum * static_cast<double>(labels[i]);
    }
  }
  const double total = std::max(numpy_sum(columns.data(), columns.size()), tiny);
  std::vector<std::int64_t> counts(classes * classes);
  std::vector<double> row(classes);
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = 0; j < classes; ++j) {
      row[j] = columns[j * classes + i] / total * static_cast<double>(rows);
    }
    round_keeping_sum(row.data(), classes, counts.data() + i * classes);
  }
  return counts;
}

// Rows of conditional probabilities: none but the diagonal above .9999, each row adding up to 1.
void tidy(Square& conditional, std::size_t classes) {
  for (std::size_t i = 0; i < classes; ++i) {
    double* row = conditional.data() + i * classes;
    for (std::size_t j = 0; j < classes; ++j) {
      if (j != i) row[j] = std::clamp(row[j], 0.0, largest_off_diagonal);
    }
    const double sum = std::max(std::accumulate(row, row + classes, 0.0), tiny);
    for (std::size_t j = 0; j < classes; ++j) row[j] /= sum;
  }
}

void tidy_prior(std::vector<double>& prior, double smallest) {
  for (double& p : prior) p = std::clamp(p, smallest, 1.0);
  const double sum = std::accumulate(prior.begin(), prior.end(), 0.0);
  for (double& p : prior) p /= sum;
}

// P(clean k) = P(clean k | label k) P(label k) / P(label k | clean k).
std::vector<double> prior_of(const std::vector<double>& label_share, const Square& transition,
                             const Square& inverse) {
  const std::size_t classes = label_share.size();
  std::vector<double> prior(classes);
  for (std::size_t k = 0; k < classes; ++k) {
    const std::size_t diagonal = k * classes + k;
    prior[k] = inverse[diagonal] / std::max(transition[diagonal], tiny) * label_share[k];
  }
  tidy_prior(prior, smallest_prior);
  return prior;
}

// Bayes' rule on a square of conditional probabilities: from P(b | a) with row a and P(a) to
// P(a | b) with row b, given P(b).
Square turned(const Square& conditional, const std::vector<double>& from,
              const std::vector<double>& to) {
  const std::size_t classes = from.size();
  Square result(classes * classes);
  for (std::size_t a = 0; a < classes; ++a) {
    for (std::size_t b = 0; b < classes; ++b) {
      result[b * classes + a] = conditional[a * classes + b] * from[a] / std::max(to[b], tiny);
    }
  }
  tidy(result, classes);
  return result;
}

// Makes the prior, T and its inverse agree. They do where every class has counts of its own; a
// class without them has a prior that was lifted from 0, and this is what cleanlab makes of it.
void converge(const std::vector<double>& label_share, std::vector<double>& prior,
              Square& transition) {
  Square inverse;
  for (int outer = 0; outer < 3; ++outer) {
    for (int inner = 0; inner < 5; ++inner) {
      inverse = turned(transition, prior, label_share);
      prior = prior_of(label_share, transition, inverse);
    }
    transition = turned(inverse, label_share, prior);
  }
  tidy_prior(prior, smallest_final_prior);
  tidy(transition, prior.size());
}

// T and P(clean | label) as the counts have them, with row = what is given.
Square shares_of_counts(const ConfidentJoint& joint, bool given_clean) {
  const std::size_t classes = joint.classes;
  Square shares(classes * classes);
  for (std::size_t a = 0; a < classes; ++a) {
    double sum = 0;
    for (std::size_t b = 0; b < classes; ++b) {
      const std::int64_t count = joint.counts[given_clean ? b * classes + a : a * classes + b];
      shares[a * classes + b] = static_cast<double>(count);
      sum += static_cast<double>(count);
    }
    for (std::size_t b = 0; b < classes; ++b) shares[a * classes + b] /= std::max(sum, tiny);
  }
  return shares;
}

}  // namespace

ConfidentJoint confident_joint(MatrixView probabilities, std::span<const std::int32_t> codes) {
  check(probabilities, codes);
  const std::size_t classes = probabilities.columns;
  const std::vector<std::int64_t> labels = label_counts(codes, classes);
  ConfidentJoint joint;
  joint.classes = classes;
  joint.thresholds = thresholds_of(probabilities, codes, labels);
  joint.counted.resize(classes * classes);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const std::size_t guess = guess_class(probabilities.row(n), joint.thresholds);
    if (guess < classes) ++joint.counted[static_cast<std::size_t>(codes[n]) * classes + guess];
  }
  joint.counts = calibrated(joint.counted, labels, codes.size());
  std::vector<double> label_share(classes);
  for (std::size_t k = 0; k < classes; ++k) {
    label_share[k] = static_cast<double>(labels[k]) / static_cast<double>(codes.size());
  }
  joint.transition = shares_of_counts(joint, true);
  joint.prior = prior_of(label_share, joint.transition, shares_of_counts(joint, false));
  tidy(joint.transition, classes);
  converge(label_share, joint.prior, joint.transition);
  return joint;
}

}  // namespace noiseplus
