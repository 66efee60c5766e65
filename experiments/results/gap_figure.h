// The paper's figure "Agreement gap PA - NA varies for different epsilon", from counted rows, with
// what the theorem says and what is to be expected beside it: see gap_curve.h for why these differ.
//
// Each panel has the formula of the theorem (dashed), and for each variant of the sample the exact
// expectation (line) with the measurements (points, bars of one standard deviation). Both roots of
// the formula are marked: only the first is one of PA - NA. All panels have the same axes, made for
// the formula and the sample drawn again; the other falls out of the picture soon, and an arrow
// says how far.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "experiments/methods/gap_curve.h"

namespace noiseplus {

struct GapPanel {
  std::string title;                          // any text; some 40 letters find room
  TwoRates rates;                             // that were put in: 0 <= e+ < e- < 1/2
  double prior = .5;                          // share of clean +
  std::vector<double> epsilons;               // rising, from 0 to below 1, at least two
  std::vector<MeanGap> original, rebalanced;  // one an epsilon
};

// A whole SVG file, 900 pixels wide; one or two panels side by side. The same panels give the same
// bytes. Throws usage when there are no panels or more than two, or when one is not as said above.
std::string gap_figure_svg(std::span<const GapPanel> panels);

}  // namespace noiseplus
