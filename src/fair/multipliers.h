// Exponentiated gradient (Kivinen and Warmuth 1997) over the prices of excesses. Internal to the
// fair stage.
#pragma once

#include <vector>

namespace noiseplus {

// Two multipliers for each excess: one grows while it is above the tolerance, the other while it is
// below the opposite.
class Multipliers {
 public:
  explicit Multipliers(std::size_t excesses);

  // What each excess costs: the difference of its two multipliers.
  std::vector<double> prices() const;

  // What a classifier does at these prices.
  void answer(const std::vector<double>& excess, double tolerance);

 private:
  std::vector<double> logs_;
};

}  // namespace noiseplus
