// One tile at a time: scored by the kernel, its hits offered to the anchors.
//
// A TileVisitor is one thread's: it has the buffers. What it changes is shared and locked by panel.
// Panels of the table have the same numbers in it as in the PackedGroups it was made from.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "neighbors/kernel.h"
#include "neighbors/limits.h"
#include "neighbors/nearest.h"
#include "neighbors/panels.h"

namespace noiseplus {

// One side of a tile: a panel, and which groups its lanes are.
struct PanelOfGroups {
  const Panels& panels;
  std::size_t panel;
  std::span<const std::uint32_t> groups;
};

// Groups in panels, 48 each, in the order given.
class PackedGroups {
 public:
  PackedGroups(std::vector<std::uint32_t> groups, std::size_t columns)
      : groups_(std::move(groups)),
        panels_(ceiling_of_quotient(groups_.size(), panel_rows), columns) {}

  std::size_t panels() const { return ceiling_of_quotient(groups_.size(), panel_rows); }
  std::span<const std::uint32_t> groups() const { return groups_; }
  PanelOfGroups panel(std::size_t i) const {
    const std::size_t first = i * panel_rows;
    const std::size_t count = std::min(panel_rows, groups_.size() - first);
    return {panels_, i, std::span(groups_).subspan(first, count)};
  }

  // Part `part` of `parts` of a panel, to be asked for while one tile is scored.
  Upcoming upcoming(std::size_t panel, std::size_t part, std::size_t parts) const;

  // How many columns a tile of two panels has on average, judged by some: see CommonColumns.
  double mean_columns() const;

  // To be called once for each panel before it is used.
  void pack(std::size_t panel, const SearchSpace& space, const Centering& centering);

 private:
  std::vector<std::uint32_t> groups_;
  Panels panels_;
};

class TileVisitor {
 public:
  TileVisitor(const SearchSpace& space, ScoreTile score_tile)
      : space_(space), score_tile_(score_tile), scratch_(space.points) {}

  // A panel against itself.
  void visit_own(NearestTable& table, const PanelOfGroups& own);

  // Two different panels of the same PackedGroups, for both.
  void visit_both(NearestTable& table, const PanelOfGroups& left, PanelLimits& left_limits,
                  const PanelOfGroups& right, PanelLimits& right_limits, std::uint32_t strips,
                  const Upcoming& upcoming);

  // A panel of the table against one of the base, for the first only.
  void visit_base(NearestTable& table, const PanelOfGroups& anchors, PanelLimits& limits,
                  const PanelOfGroups& base, const Upcoming& upcoming);

  // Tells the table how near enough of these base rows are, without adding them.
  void promise(NearestTable& table, const PanelOfGroups& anchors, const PanelOfGroups& base);

  TileHits& hits() { return hits_; }

  // Columns of the strips that visit_both scored, summed.
  std::size_t columns_scored() const { return columns_scored_; }

 private:
  // Calls take(a, b, score, implied limit) for each hit.
  template <typename Take>
  void take_hits(std::uint64_t rows_hit, const PanelOfGroups& left, const PanelOfGroups& right,
                 Take take);

  const SearchSpace& space_;
  ScoreTile score_tile_;
  Points::Scratch scratch_;
  TileHits hits_;
  std::vector<std::uint32_t> offsets_;  // of a tile's columns
  std::size_t columns_scored_ = 0;
  PanelLimits nobody_;  // limits of a side that wants nothing
};

}  // namespace noiseplus
