#include "experiments/pace.h"

#include <algorithm>
#include <utility>

namespace noiseplus {

double Pace::done(double more) const {
  return expected_ <= 0 ? 1 : std::clamp((finished_ + more) / expected_, 0.0, 1.0);
}

Execution Pace::watched(const Execution& outer, std::string name, double cost) {
  if (!outer.progress) return outer;
  // A cell has many steps, each of which counts its own progress from 0 to 1: how far the cell is,
  // nobody knows.
  return {outer.threads, [this, &outer, name = std::move(name), cost](const Progress&) {
            constexpr double halfway = 0.5;
            return outer.progress({name, done(halfway * cost)});
          }};
}

}  // namespace noiseplus
