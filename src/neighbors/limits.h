// A panel's limits, as one thread last saw them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "neighbors/kernel.h"
#include "neighbors/nearest.h"

namespace noiseplus {

// May lag behind the table's, which only rules out less.
struct PanelLimits {
  // Of lanes that want nothing.
  PanelLimits() { std::fill_n(limits, panel_rows, std::numeric_limits<float>::infinity()); }
  PanelLimits(const NearestTable& table, std::size_t panel) { read(table, panel); }

  void read(const NearestTable& table, std::size_t panel) {
    const std::size_t first = panel * panel_rows;
    const std::size_t count = std::min(panel_rows, table.size() - first);
    for (std::size_t lane = 0; lane < count; ++lane) limits[lane] = table.limit(first + lane);
    std::fill(limits + count, limits + panel_rows, std::numeric_limits<float>::infinity());
    reach = ScoreBound::reach(*std::min_element(limits, limits + panel_rows));
  }

  alignas(panel_alignment) float limits[panel_rows];

  // Squared and scaled distance beyond which none of these rows is interested; negative when none
  // wants anything.
  double reach = -1;
};

}  // namespace noiseplus
