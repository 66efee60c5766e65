#include <algorithm>
#include <numeric>

#include "core/intervals.h"
#include "core/row_count.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

// A tail of more than this share of the rows is no tail.
constexpr std::size_t largest_tail = 4;

std::size_t tail_rows(std::size_t rows, const EdgeOptions& options) {
  if (!(options.tail > 0 && options.tail <= 1)) {
    throw Error(ErrorKind::usage, "edges: the tail must be a share of the rows above 0, up to 1");
  }
  const auto wanted = static_cast<std::size_t>(options.tail * static_cast<double>(rows));
  return std::min(std::max(wanted, options.min_rows), rows / largest_tail);
}

// Label counts of the rows that score highest for a class; of equal scores the first rows.
std::vector<double> labels_of_tail(MatrixView scores, std::span<const std::int32_t> codes,
                                   std::size_t class_code, std::size_t count) {
  check_row_count(scores.rows);
  std::vector<std::uint32_t> rows(scores.rows);
  std::iota(rows.begin(), rows.end(), 0U);
  const auto ranks_before = [&](std::uint32_t a, std::uint32_t b) {
    const float of_a = scores.row(a)[class_code], of_b = scores.row(b)[class_code];
    return of_a != of_b ? of_a > of_b : a < b;
  };
  const auto end = rows.begin() + static_cast<std::ptrdiff_t>(count);
  std::nth_element(rows.begin(), end, rows.end(), ranks_before);
  std::vector<double> counts(scores.columns);
  for (auto row = rows.begin(); row != end; ++row) ++counts[static_cast<std::size_t>(codes[*row])];
  return counts;
}

void judge(const std::vector<double>& shares, std::span<const std::string> class_names,
           NoiseEstimate& estimate) {
  const std::size_t classes = shares.size();
  estimate.prior = prior_behind(estimate.transition, shares);
  estimate.identified = !estimate.prior.empty();
  if (!estimate.identified) {
    estimate.prior = shares;
    estimate.warnings.emplace_back(
        "not identified: the tails of the scores do not tell the classes apart; the rates are not "
        "to be relied on");
  }
  for (std::size_t i = 0; i < classes; ++i) {
    bool stands_out = true;
    for (std::size_t other = 0; other < classes; ++other) {
      stands_out = stands_out && (other == i || estimate.transition[i * classes + i] >
                                                    estimate.transition[other * classes + i]);
    }
    if (stands_out) continue;
    estimate.identified = false;
    estimate.warnings.push_back("not identified: class " + class_name(class_names, i) +
                                ": its label is no likelier where it scores highest than where "
                                "another class does; the rates are not to be relied on");
  }
  estimate.warnings.emplace_back(
      "a tail of the scores is never quite pure: rows of other classes in it are counted as noise, "
      "so the rates are too high where classes overlap; the intervals cover chance, not that");
}

}  // namespace

NoiseEstimate estimate_by_edges(MatrixView scores, std::span<const std::int32_t> codes,
                                std::span<const std::string> class_names,
                                const EdgeOptions& options) {
  check_scores("edges", scores, codes);
  const std::size_t classes = scores.columns;
  const std::size_t count = tail_rows(scores.rows, options);
  if (count == 0) throw Error(ErrorKind::data, "edges: four rows or more are needed for a tail");
  const auto trials = static_cast<double>(count);
  NoiseEstimate estimate;
  estimate.estimator = "edges";
  for (std::size_t k = 0; k < classes; ++k) {
    const std::vector<double> counts = labels_of_tail(scores, codes, k, count);
    for (const double of_class : counts) estimate.transition.push_back(of_class / trials);
    estimate.noise.push_back(wilson_interval(trials - counts[k], trials));
  }
  judge(label_shares(codes, classes), class_names, estimate);
  compare_shares(std::vector<double>(classes, trials), estimate);
  fill_two_class_terms(estimate);
  // An impure tail looks like noise: what chance rules out, overlap may still explain.
  if (estimate.identified && estimate.p_value < significance) {
    estimate.leans = noisiest_class(estimate);
  }
  return estimate;
}

}  // namespace noiseplus
