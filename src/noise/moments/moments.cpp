#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/checks.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

using Gradient = std::array<double, 3>;  // by m1, m2, m3

Gradient combine(double x, const Gradient& a, double y, const Gradient& b) {
  return {x * a[0] + y * b[0], x * a[1] + y * b[1], x * a[2] + y * b[2]};
}

// The values whose means are m1, m2, m3, for an anchor of label y with c of k neighbors positive.
Gradient statistics_of_cell(std::size_t y, std::size_t c, std::size_t k, Views views) {
  const auto count = static_cast<double>(c);
  const auto size = static_cast<double>(k);
  if (views == Views::anchored) {
    if (y == 0) return {0, 0, 0};
    return {1, count / size, count * (count - 1) / (size * (size - 1))};
  }
  const double ones = static_cast<double>(y) + count;
  return {ones / (size + 1), ones * (ones - 1) / ((size + 1) * size),
          ones * (ones - 1) * (ones - 2) / ((size + 1) * size * (size - 1))};
}

struct Spread {
  double error = 0;   // standard
  double shared = 0;  // as in MomentErrors
};

// Of the mean of a statistic with the given gradient. Its variance is the sum of psi_t psi_u over
// all pairs of view sets that share a row, over n squared.
Spread spread_of(const Gradient& gradient, const Moments& m, const ViewCounts& views,
                 const PairCounts& pairs, Views use) {
  const std::size_t width = views.cells.size();
  std::vector<double> influence(width);
  for (std::size_t cell = 0; cell < width; ++cell) {
    const Gradient g = statistics_of_cell(cell / (views.k + 1), cell % (views.k + 1), views.k, use);
    influence[cell] =
        gradient[0] * (g[0] - m.m1) + gradient[1] * (g[1] - m.m2) + gradient[2] * (g[2] - m.m3);
  }
  double dependent = 0;
  double independent = 0;
  for (std::size_t u = 0; u < width; ++u) {
    independent += static_cast<double>(views.cells[u]) * influence[u] * influence[u];
    for (std::size_t v = 0; v < width; ++v) {
      dependent += static_cast<double>(pairs.cells[u * width + v]) * influence[u] * influence[v];
    }
  }
  // The sum over pairs is no square and may come out negative on a handful of rows.
  const double sum = dependent > 0 ? dependent : independent;
  return {std::sqrt(sum) / static_cast<double>(views.anchors()),
          sum > independent ? 1 - independent / sum : 0};
}

void check_views(std::size_t k, Views views) {
  check_that(k >= 2, "moments need three views: k must be 2 or more");
  check_that(is_among(views, Views::anchored), "the views are none; say all or anchored");
}

}  // namespace

Moments moments_of(std::span<const double> shares, std::size_t k, Views views) {
  check_views(k, views);
  check_that(shares.size() >= 2 && shares.size() / 2 - 1 == k && shares.size() % 2 == 0,
             "moments need 2 (k + 1) shares; give those of ViewCounts");
  check_probabilities(shares, "the shares");
  Moments m;
  for (std::size_t cell = 0; cell < shares.size(); ++cell) {
    const Gradient g = statistics_of_cell(cell / (k + 1), cell % (k + 1), k, views);
    m.m1 += shares[cell] * g[0];
    m.m2 += shares[cell] * g[1];
    m.m3 += shares[cell] * g[2];
  }
  return m;
}

MomentSolution solve(const Moments& m) {
  MomentSolution solution;
  solution.conditioning = m.m2 - m.m1 * m.m1;
  if (!(solution.conditioning > 0)) return solution;
  const double s = (m.m3 - m.m1 * m.m2) / solution.conditioning;
  const double r = s * m.m1 - m.m2;
  const double discriminant = s * s - 4 * r;
  if (!(discriminant > 0)) return solution;
  const double root = std::sqrt(discriminant);
  const double a = (s + root) / 2;
  const double b = (s - root) / 2;
  solution.s = s;
  solution.e_positive = 1 - a;
  solution.e_negative = b;
  solution.prior = (m.m1 - b) / (a - b);
  solution.solvable = true;
  return solution;
}

MomentErrors errors_of(const Moments& m, const MomentSolution& solution, const ViewCounts& views,
                       const PairCounts& pairs, Views use) {
  check_views(views.k, use);
  check_that(views.anchors() > 0, "there are no anchors to tell errors from; count views first");
  check_that(pairs.k == views.k && pairs.cells.size() / views.cells.size() == views.cells.size() &&
                 pairs.cells.size() % views.cells.size() == 0,
             "the counts of pairs are not of the same k as those of views");
  sum_of_counts(pairs.cells, "the counts of pairs");
  const auto spread = [&](const Gradient& gradient) {
    return spread_of(gradient, m, views, pairs, use);
  };
  MomentErrors errors;
  const double d = solution.conditioning;
  const Gradient by_d = {-2 * m.m1, 1, 0};
  errors.conditioning = spread(by_d).error;
  const auto anchors = static_cast<double>(views.anchors());
  const double row_pairs = static_cast<double>(views.k * (views.k + 1)) / 2;
  errors.chance = m.m1 * (1 - m.m1) * std::sqrt(static_cast<double>(pairs.common_row_pairs)) /
                  (anchors * row_pairs);
  const auto sharing =
      static_cast<double>(std::accumulate(pairs.cells.begin(), pairs.cells.end(), std::int64_t{0}));
  const double rarer = std::clamp(std::min(solution.prior, 1 - solution.prior), 0.0, 0.5);
  errors.degrees = rarer * anchors * anchors / sharing;
  if (!solution.solvable) return errors;

  const double s = solution.s;
  const Gradient by_numerator = {-m.m2, -m.m1, 1};
  const Gradient by_s = combine(1 / d, by_numerator, -s / d, by_d);
  // a and b solve x^2 - s x + r = 0 with r = s m1 - m2; hence dx = (x ds - dr) / (2 x - s).
  const Gradient by_r = {m.m1 * by_s[0] + s, m.m1 * by_s[1] - 1, m.m1 * by_s[2]};
  const double a = 1 - solution.e_positive;
  const double b = solution.e_negative;
  const Gradient by_a = combine(a / (a - b), by_s, -1 / (a - b), by_r);
  const Gradient by_b = combine(-b / (a - b), by_s, 1 / (a - b), by_r);
  // p = (m1 - b) / (a - b)
  const double p = solution.prior;
  Gradient by_p = combine(-p / (a - b), by_a, (p - 1) / (a - b), by_b);
  by_p[0] += 1 / (a - b);

  const Spread of_s = spread(by_s);
  errors.s = of_s.error;
  errors.shared = of_s.shared;
  errors.e_positive = spread(by_a).error;
  errors.e_negative = spread(by_b).error;
  errors.prior = spread(by_p).error;
  return errors;
}

Agreements agreements_of(std::span<const double> shares) {
  check_that(shares.size() == 6, "agreements need the 6 shares of k = 2");
  check_probabilities(shares, "the shares");
  const double negatives = shares[0] + shares[1] + shares[2];
  const double positives = shares[3] + shares[4] + shares[5];
  Agreements agreements;
  if (positives > 0) agreements.positive = shares[5] / positives;
  if (negatives > 0) agreements.negative = shares[0] / negatives;
  return agreements;
}

}  // namespace noiseplus
