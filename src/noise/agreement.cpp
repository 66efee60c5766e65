#include "noiseplus/noise.h"
#include "util/checks.h"

namespace noiseplus {

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
