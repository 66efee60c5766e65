#include "neighbors/visit.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <mutex>
#include <vector>

namespace noiseplus {

void PackedGroups::pack(std::size_t panel, const SearchSpace& space, const Centering& centering) {
  std::uint32_t rows[panel_rows];
  const std::span<const std::uint32_t> groups = this->panel(panel).groups;
  std::ranges::transform(groups, rows,
                         [&](std::uint32_t group) { return space.distinct.row(group); });
  pack_rows(space.points, centering, {rows, groups.size()}, panel, panels_);
}

Upcoming PackedGroups::upcoming(std::size_t panel, std::size_t part, std::size_t parts) const {
  if (panel >= panels()) return {};
  constexpr std::size_t line_floats = 16;
  const std::size_t strips = parts * (panel_rows / strip_rows);
  const std::size_t floats =
      ceiling_of_quotient(panel_rows * panels_.columns(), strips * line_floats) * line_floats;
  return {panels_.values(panel) + part * floats * (panel_rows / strip_rows),
          floats * sizeof(float)};
}

double PackedGroups::mean_columns() const {
  const std::size_t step = std::max<std::size_t>(panels() / 32, 1);
  std::size_t columns = 0;
  std::size_t tiles = 0;
  for (std::size_t p = 0; p < panels(); p += step) {
    for (std::size_t q = 0; q < panels(); q += step) {
      columns += CommonColumns(panels_, p, q).count();
      ++tiles;
    }
  }
  return static_cast<double>(columns) / static_cast<double>(std::max<std::size_t>(tiles, 1));
}

template <typename Take>
void TileVisitor::take_hits(std::uint64_t rows_hit, const PanelOfGroups& left,
                            const PanelOfGroups& right, Take take) {
  const float* const left_starts = left.panels.starts(left.panel);
  const float* const right_starts = right.panels.starts(right.panel);
  for (; rows_hit != 0; rows_hit &= rows_hit - 1) {
    const auto a = static_cast<std::size_t>(std::countr_zero(rows_hit));
    for (std::uint64_t lanes = hits_.lanes[a]; lanes != 0; lanes &= lanes - 1) {
      const auto b = static_cast<std::size_t>(std::countr_zero(lanes));
      const float score = hits_.scores[a][b];
      const float starts = left_starts[a] + right_starts[b];
      take(a, b, score, space_.bound.implied_limit(score, starts));
    }
  }
}

void TileVisitor::visit_own(NearestTable& table, const PanelOfGroups& own) {
  const PanelLimits limits(table, own.panel);
  const Tile tile{own.panels.side(own.panel, limits.limits),
                  own.panels.side(own.panel, nobody_.limits), own.panels.columns()};
  const std::uint64_t rows_hit = score_tile_(tile, all_strips, hits_);
  const std::lock_guard lock(table.lock_of_panel(own.panel));
  take_hits(rows_hit, own, own, [&](std::size_t a, std::size_t b, float score, float implied) {
    if (a != b) {
      table.offer(own.panel * panel_rows + a, {score, implied, own.groups[b]}, scratch_);
    }
  });
}

void TileVisitor::visit_both(NearestTable& table, const PanelOfGroups& left,
                             PanelLimits& left_limits, const PanelOfGroups& right,
                             PanelLimits& right_limits, std::uint32_t strips,
                             const Upcoming& upcoming) {
  const CommonColumns columns(left.panels, left.panel, right.panel);
  columns_scored_ += columns.count() * static_cast<std::size_t>(std::popcount(strips));
  const Tile tile{left.panels.side(left.panel, left_limits.limits),
                  right.panels.side(right.panel, right_limits.limits), columns.count(),
                  columns.offsets(offsets_), upcoming};
  const std::uint64_t rows_hit = score_tile_(tile, strips, hits_);
  if (rows_hit == 0) return;
  const std::size_t left_slots = left.panel * panel_rows;
  const std::size_t right_slots = right.panel * panel_rows;
  const std::scoped_lock lock(table.lock_of_panel(left.panel), table.lock_of_panel(right.panel));
  take_hits(rows_hit, left, right, [&](std::size_t a, std::size_t b, float score, float implied) {
    table.offer(left_slots + a, {score, implied, right.groups[b]}, scratch_);
    table.offer(right_slots + b, {score, implied, left.groups[a]}, scratch_);
    left_limits.limits[a] = table.limit(left_slots + a);
    right_limits.limits[b] = table.limit(right_slots + b);
  });
}

void TileVisitor::visit_base(NearestTable& table, const PanelOfGroups& anchors, PanelLimits& limits,
                             const PanelOfGroups& base, const Upcoming& upcoming) {
  const Tile tile{anchors.panels.side(anchors.panel, limits.limits),
                  base.panels.side(base.panel, nobody_.limits), base.panels.columns(), nullptr,
                  upcoming};
  const std::uint64_t rows_hit = score_tile_(tile, all_strips, hits_);
  if (rows_hit == 0) return;
  const std::size_t slots = anchors.panel * panel_rows;
  const std::lock_guard lock(table.lock_of_panel(anchors.panel));
  take_hits(rows_hit, anchors, base, [&](std::size_t a, std::size_t b, float score, float implied) {
    if (anchors.groups[a] == base.groups[b]) return;
    table.offer(slots + a, {score, implied, base.groups[b]}, scratch_);
    limits.limits[a] = table.limit(slots + a);
  });
}

void TileVisitor::promise(NearestTable& table, const PanelOfGroups& anchors,
                          const PanelOfGroups& base) {
  const PanelLimits limits(table, anchors.panel);
  const Tile tile{anchors.panels.side(anchors.panel, limits.limits),
                  base.panels.side(base.panel, nobody_.limits), base.panels.columns()};
  const std::uint64_t rows_hit = score_tile_(tile, all_strips, hits_);
  std::vector<float> implied_limits[panel_rows];
  take_hits(rows_hit, anchors, base, [&](std::size_t a, std::size_t b, float, float implied) {
    if (anchors.groups[a] != base.groups[b]) implied_limits[a].push_back(implied);
  });
  const std::lock_guard lock(table.lock_of_panel(anchors.panel));
  for (std::size_t a = 0; a < anchors.groups.size(); ++a) {
    const std::size_t slot = anchors.panel * panel_rows + a;
    const std::size_t wanted = table.wanted(slot);
    if (wanted == 0 || implied_limits[a].size() < wanted) continue;
    const auto last = implied_limits[a].begin() + static_cast<std::ptrdiff_t>(wanted) - 1;
    std::nth_element(implied_limits[a].begin(), last, implied_limits[a].end(), std::greater());
    table.promise(slot, *last);
  }
}

}  // namespace noiseplus
