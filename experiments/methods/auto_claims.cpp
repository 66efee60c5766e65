#include "experiments/methods/auto_claims.h"

#include <algorithm>
#include <cmath>

namespace noiseplus {

std::map<std::string, double> claim_of_auto(const NoiseEstimate& found,
                                            std::span<const double> transition,
                                            std::size_t classes) {
  const auto rate = [&](int c) {
    return 1 - transition[static_cast<std::size_t>(c) * (classes + 1)];
  };
  double largest_error = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    const double error = found.noise[c].value - rate(static_cast<int>(c));
    largest_error = std::max(largest_error, std::abs(error));
  }
  double claim = 0;
  if (found.noisier >= 0) claim = rate(found.noisier) > rate(found.cleaner) ? 1 : -1;
  return {{"claim", claim},
          {"not identified", found.identified ? 0.0 : 1.0},
          {"largest error", 100 * largest_error}};
}

}  // namespace noiseplus
