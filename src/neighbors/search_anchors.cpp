// Some anchors against all rows: the cost is linear in the rows, and so little is kept of them that
// a mapped file may be larger than the memory.
//
// Invariants:
//   1. A task packs a block of the base, lets every anchor meet it, and forgets it.
//   2. Every anchor meets every group but its own exactly once.
#include <numeric>

#include "neighbors/search.h"
#include "neighbors/visit.h"

namespace noiseplus {
namespace {

class AnchorSearch {
 public:
  AnchorSearch(const SearchRun& run, std::span<const std::uint32_t> anchor_groups)
      : run_(run),
        anchors_({anchor_groups.begin(), anchor_groups.end()}, run.space.points.columns()) {}

  NearestTable find() {
    NearestTable table(run_.space, anchors_.groups());
    run_.pool.for_each(anchors_.panels(), [&](std::size_t panel) {
      anchors_.pack(panel, run_.space, run_.centering);
      run_.meter.step(0);
    });
    promise_limits(table);
    const std::size_t groups = run_.space.distinct.size();
    const std::size_t groups_in_task =
        run_.panels_per_block(ceiling_of_quotient(groups, panel_rows)) * panel_rows;
    run_.pool.for_each(ceiling_of_quotient(groups, groups_in_task), [&](std::size_t task) {
      const std::size_t first = task * groups_in_task;
      std::vector<std::uint32_t> base(std::min(groups_in_task, groups - first));
      std::iota(base.begin(), base.end(), static_cast<std::uint32_t>(first));
      meet(table, pack(std::move(base)));
    });
    return table;
  }

 private:
  PackedGroups pack(std::vector<std::uint32_t> groups) const {
    PackedGroups packed(std::move(groups), run_.space.points.columns());
    for (std::size_t panel = 0; panel < packed.panels(); ++panel) {
      packed.pack(panel, run_.space, run_.centering);
      run_.meter.step(0);
    }
    return packed;
  }

  // By some groups at equal steps, so that the first blocks of the base are not all hits.
  void promise_limits(NearestTable& table) const {
    const std::size_t groups = run_.space.distinct.size();
    std::vector<std::uint32_t> sample(std::min(groups, 4 * panel_rows));
    for (std::size_t i = 0; i < sample.size(); ++i) {
      sample[i] = static_cast<std::uint32_t>(i * groups / sample.size());
    }
    const PackedGroups base = pack(std::move(sample));
    run_.pool.for_each(anchors_.panels(), [&](std::size_t panel) {
      TileVisitor visitor(run_.space, run_.choices.kernel.score_tile);
      for (std::size_t b = 0; b < base.panels(); ++b) {
        visitor.promise(table, anchors_.panel(panel), base.panel(b));
      }
      run_.meter.step(0);
    });
  }

  void meet(NearestTable& table, const PackedGroups& base) const {
    WorkDone done(run_);
    TileVisitor visitor(run_.space, run_.choices.kernel.score_tile);
    for (std::size_t a = 0; a < anchors_.panels(); ++a) {
      PanelLimits limits(table, a);
      for (std::size_t b = 0; b < base.panels(); ++b) {
        visitor.visit_base(table, anchors_.panel(a), limits, base.panel(b),
                           anchors_.upcoming(a + 1, b, base.panels()));
        done.finish_tiles(1);
      }
    }
    done.tiles_past_balls = anchors_.panels() * base.panels();
    done.strips_scored = done.tiles_past_balls * (panel_rows / strip_rows);
    done.columns_scored = done.strips_scored * run_.space.points.columns();
    done.tell();
  }

  const SearchRun& run_;
  PackedGroups anchors_;
};

}  // namespace

NearestTable search_anchors(const SearchRun& run, std::span<const std::uint32_t> anchor_groups) {
  return AnchorSearch(run, anchor_groups).find();
}

}  // namespace noiseplus
