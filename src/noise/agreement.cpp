#include "noiseplus/noise.h"

namespace noiseplus {

Agreements agreements_of(std::span<const double> shares) {
  const double negatives = shares[0] + shares[1] + shares[2];
  const double positives = shares[3] + shares[4] + shares[5];
  Agreements agreements;
  if (positives > 0) agreements.positive = shares[5] / positives;
  if (negatives > 0) agreements.negative = shares[0] / negatives;
  return agreements;
}

}  // namespace noiseplus
