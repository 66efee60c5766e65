// PA - NA over the share of labels + that are flipped: what the paper's theorem says of it, what is
// to be expected, and what is counted on rows. The paper calls half of it f(epsilon).
//
// The setting is the paper's: e+ < e-, so that labels + are turned into - with probability epsilon,
// which changes the rates to
//   e+^ = e+ + (1 - e+) epsilon,   e-^ = (1 - epsilon) e-.
// PA = P(both neighbors + | row +), NA likewise of -, on a sample with equally many labels of each
// kind. Neighbors share their clean label.
//
// How many roots there are. The theorem puts e+^ and e-^ into a formula that has two. It is exact
// for the rates inside the sample, but these are others, because the sample is drawn by the label.
// With t = +-1 the label of each view, any sample with equally many of both has
//   PA - NA = E[t1 t2 t3] / 2 = u v (u - v) / 2,   u = E[t | clean +],  v = -E[t | clean -],
// and u, v > 0 whenever e+ + e- < 1 and epsilon < 1. So it vanishes where u = v only:
//   * drawn again after the flip (`rebalanced`): with p the share of clean + and q that of labels +
//     before the flip, u = v is linear in 1 - epsilon,
//       1 - epsilon = (p (1 - e+) - (1 - p) q) / (q (2 p (1 - e+) - q)),
//     so there is never a second root. For p = 1/2 it is the wanted one, and PA - NA stays below
//     zero ever after: the second root is one of the formula only. For other p it is elsewhere, or
//     there is none;
//   * drawn once, before the flip (`original`, Algorithm 1 to the letter): labels are then no
//     longer equally many, and the root comes far too early.
// Exact roots, e+ = .1, e- = .3 (wanted .167, second .444), by the share of clean +:
//   share of clean +   rebalanced   original
//   .47                   .255        .035
//   .50                   .167        .029
//   .53                   .102        .022
//   .30                   none        .056
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "experiments/sets/known_rows.h"
#include "noiseplus/balance.h"

namespace noiseplus {

// 4 (1/2 - e+^)(1/2 - e-^)(e-^ - e+^): the theorem, with its factor 2 put right.
double theorem_gap(TwoRates rates, double epsilon);

// Where the theorem's formula vanishes, of 0 <= epsilon < 1.
struct GapRoots {
  double wanted = 0;  // (e- - e+) / (1 - e+ + e-): the rates are equal
  double second = 0;  // (1/2 - e+) / (1 - e+): half the labels of clean + are wrong
};

// Throws usage unless 0 <= e+ < e- < 1/2.
GapRoots theorem_roots(TwoRates rates);

// What PA - NA is on infinitely many rows whose neighbors share their clean label. `prior` is the
// share of clean +. Throws usage unless 0 < prior < 1, both rates are in [0, 1) and so is epsilon.
double expected_gap(double prior, TwoRates rates, double epsilon, PaperVariant variant);

// PA - NA of these labels, 0 or 1 for each row of the set, after labels 1 were flipped with each
// epsilon. `seed` draws sample and flips; it is also that of the set's graph, unless no row has
// two neighbors equally far away. Throws usage when the set has not two classes or has no graph,
// or an epsilon is not in [0, 1]; data when too few rows of a label are left to be counted.
std::vector<double> measured_gaps(const KnownRows& set, std::span<const std::int32_t> noisy,
                                  std::span<const double> epsilons, PaperVariant variant,
                                  std::uint64_t seed, const Execution& execution = {});

// Several measurements of one number. One alone has no deviation: 0.
struct MeanGap {
  double mean = 0, deviation = 0;
};

// Where a curve first comes down from above zero to it, by a straight line between its points:
// where a search for the flip that balances would end. REQUIRES: lengths are equal.
std::optional<double> first_zero(std::span<const double> epsilons, std::span<const double> gaps);

}  // namespace noiseplus
