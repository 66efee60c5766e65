// The share of all labels that are wrong, from the rates of the classes. Internal.
#pragma once

#include <span>
#include <vector>

namespace noiseplus {

struct WrongShare {
  double value = 0;  // sum over classes of prior[c] * rate[c]
  // Its derivative in the rate of each class. The label shares are counted, not estimated, so a
  // higher rate of one class also changes the prior: q = T^t prior stays as it is. A row of T keeps
  // the proportions of its wrong labels. Not negative.
  std::vector<double> gradient;
};

// `transition` is K x K, row = clean class. REQUIRES: sizes fit.
WrongShare wrong_share_of(std::span<const double> transition, std::span<const double> prior);

}  // namespace noiseplus
