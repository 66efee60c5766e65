// One draw from a row of a transition matrix. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace noiseplus {

// The new label where u, uniform in [0, 1), falls: below the other classes' probabilities, one
// after the other, or the label itself. `matrix` is K x K, row = label before.
inline std::int32_t draw_label(std::int32_t code, std::size_t classes,
                               std::span<const double> matrix, double u) {
  const auto from = static_cast<std::size_t>(code);
  double cumulated = 0;
  for (std::size_t to = 0; to < classes; ++to) {
    if (to == from) continue;
    cumulated += matrix[from * classes + to];
    if (u < cumulated) return static_cast<std::int32_t>(to);
  }
  return code;
}

}  // namespace noiseplus
