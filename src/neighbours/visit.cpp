#include "neighbours/visit.h"

#include <algorithm>
#include <bit>
#include <mutex>

namespace noiseplus {

void PackedGroups::pack(std::size_t panel, const SearchSpace& space, const Centring& centring) {
  std::uint32_t rows[panel_rows];
  const std::span<const std::uint32_t> groups = this->panel(panel).groups;
  std::ranges::transform(groups, rows,
                         [&](std::uint32_t group) { return space.distinct.row(group); });
  pack_rows(space.points, centring, {rows, groups.size()}, panel, panels_);
}

double TileVisitor::measure(std::uint32_t group, std::uint32_t other, double give_up) {
  ++measured_;
  const DistinctRows& distinct = space_.distinct;
  return space_.points.distance(distinct.row(group), distinct.row(other), give_up, scratch_);
}

void TileVisitor::collect_pairs(std::uint64_t rows_hit) {
  pairs_.clear();
  for (; rows_hit != 0; rows_hit &= rows_hit - 1) {
    const int a = std::countr_zero(rows_hit);
    for (std::uint64_t lanes = hits_.lanes[a]; lanes != 0; lanes &= lanes - 1) {
      const int b = std::countr_zero(lanes);
      pairs_.push_back(
          {hits_.scores[a][b], static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b)});
    }
  }
}

// Best scores first: they tighten the limits, and make others not worth measuring.
void TileVisitor::sort_pairs() {
  std::sort(pairs_.begin(), pairs_.end(),
            [](const Pair& a, const Pair& b) { return a.score > b.score; });
}

void TileVisitor::visit_own(NearestTable& table, const PanelOfGroups& own) {
  PanelLimits limits(table, own.panel);
  const Tile tile{own.panels.side(own.panel, limits.limits),
                  own.panels.side(own.panel, nobody_.limits), own.panels.columns()};
  std::uint64_t rows_hit = score_tile_(tile, all_strips, hits_);
  const std::lock_guard lock(table.lock_of_panel(own.panel));
  for (; rows_hit != 0; rows_hit &= rows_hit - 1) {
    const auto a = static_cast<std::size_t>(std::countr_zero(rows_hit));
    const std::size_t slot = own.panel * panel_rows + a;
    collect_pairs(std::uint64_t{1} << a);
    std::erase_if(pairs_, [a](const Pair& pair) { return pair.right == a; });
    sort_pairs();
    for (const Pair& pair : pairs_) {
      if (pair.score < table.limit(slot)) break;
      const std::uint32_t other = own.groups[pair.right];
      table.add(slot, {measure(own.groups[a], other, table.kth_distance(slot)), other});
    }
  }
}

void TileVisitor::visit_both(NearestTable& table, const PanelOfGroups& left,
                             PanelLimits& left_limits, const PanelOfGroups& right,
                             PanelLimits& right_limits, std::uint32_t strips) {
  const Tile tile{left.panels.side(left.panel, left_limits.limits),
                  right.panels.side(right.panel, right_limits.limits), left.panels.columns()};
  const std::uint64_t rows_hit = score_tile_(tile, strips, hits_);
  if (rows_hit == 0) return;
  collect_pairs(rows_hit);
  if (pairs_.size() > 1) sort_pairs();
  const std::scoped_lock lock(table.lock_of_panel(left.panel), table.lock_of_panel(right.panel));
  for (const Pair& pair : pairs_) {
    const std::size_t left_slot = left.panel * panel_rows + pair.left;
    const std::size_t right_slot = right.panel * panel_rows + pair.right;
    const bool for_left = pair.score >= table.limit(left_slot);
    const bool for_right = pair.score >= table.limit(right_slot);
    if (!for_left && !for_right) continue;
    const double give_up = std::max(for_left ? table.kth_distance(left_slot) : 0,
                                    for_right ? table.kth_distance(right_slot) : 0);
    const std::uint32_t left_group = left.groups[pair.left];
    const std::uint32_t right_group = right.groups[pair.right];
    const double distance = measure(left_group, right_group, give_up);
    if (for_left) table.add(left_slot, {distance, right_group});
    if (for_right) table.add(right_slot, {distance, left_group});
  }
  left_limits.read(table, left.panel);
  right_limits.read(table, right.panel);
}

void TileVisitor::visit_base(NearestTable& table, const PanelOfGroups& anchors, PanelLimits& limits,
                             const PanelOfGroups& base) {
  const Tile tile{anchors.panels.side(anchors.panel, limits.limits),
                  base.panels.side(base.panel, nobody_.limits), base.panels.columns()};
  const std::uint64_t rows_hit = score_tile_(tile, all_strips, hits_);
  if (rows_hit == 0) return;
  collect_pairs(rows_hit);
  if (pairs_.size() > 1) sort_pairs();
  const std::lock_guard lock(table.lock_of_panel(anchors.panel));
  for (const Pair& pair : pairs_) {
    const std::size_t slot = anchors.panel * panel_rows + pair.left;
    const std::uint32_t anchor = anchors.groups[pair.left];
    const std::uint32_t other = base.groups[pair.right];
    if (anchor == other || pair.score < table.limit(slot)) continue;
    table.add(slot, {measure(anchor, other, table.kth_distance(slot)), other});
  }
  limits.read(table, anchors.panel);
}

void TileVisitor::promise(NearestTable& table, const PanelOfGroups& anchors,
                          const PanelOfGroups& base) {
  PanelLimits limits(table, anchors.panel);
  const Tile tile{anchors.panels.side(anchors.panel, limits.limits),
                  base.panels.side(base.panel, nobody_.limits), base.panels.columns()};
  std::uint64_t rows_hit = score_tile_(tile, all_strips, hits_);
  const std::lock_guard lock(table.lock_of_panel(anchors.panel));
  for (; rows_hit != 0; rows_hit &= rows_hit - 1) {
    const auto a = static_cast<std::size_t>(std::countr_zero(rows_hit));
    const std::uint32_t anchor = anchors.groups[a];
    collect_pairs(std::uint64_t{1} << a);
    std::erase_if(pairs_, [&](const Pair& pair) { return base.groups[pair.right] == anchor; });
    if (pairs_.size() < space_.k) continue;
    sort_pairs();
    double farthest = 0;
    for (std::size_t i = 0; i < space_.k; ++i) {
      const std::uint32_t other = base.groups[pairs_[i].right];
      farthest =
          std::max(farthest, measure(anchor, other, std::numeric_limits<double>::infinity()));
    }
    table.promise(anchors.panel * panel_rows + a, farthest);
  }
}

}  // namespace noiseplus
