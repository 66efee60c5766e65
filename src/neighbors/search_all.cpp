// All rows against all rows.
//
// Invariants:
//   1. Every pair of different groups is scored, or proven too far, exactly once, for both of them.
//   2. Blocks i and j meet in round (j - i) mod blocks: tasks that follow each other touch
//      different blocks, and blocks near in the order, whose rows are near in space, meet first.
#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "neighbors/order.h"
#include "neighbors/pruning.h"
#include "neighbors/search.h"
#include "neighbors/sketch.h"
#include "neighbors/visit.h"

namespace noiseplus {
namespace {

// Panels first .. last - 1 and what is known of their limits.
struct Block {
  std::size_t first, last;
  std::vector<PanelLimits> limits;

  std::size_t size() const { return last - first; }
  PanelLimits& limits_of(std::size_t panel) { return limits[panel - first]; }
  double reach() const {
    double widest = -1;
    for (const PanelLimits& panel : limits) widest = std::max(widest, panel.reach);
    return widest;
  }
};

class AllSearch {
 public:
  explicit AllSearch(const SearchRun& run)
      : run_(run),
        panels_per_block_(
            run.panels_per_block(ceiling_of_quotient(run.space.distinct.size(), panel_rows))),
        packed_(put_in_order(), run.space.points.columns()),
        blocks_(ceiling_of_quotient(packed_.panels(), panels_per_block_)) {
    if (sketches_) {
      pruning_.emplace(*sketches_, packed_.groups(), panels_per_block_, run.pool, run.meter);
    }
  }

  NearestTable find() {
    NearestTable table(run_.space, packed_.groups());
    run_.pool.for_each(packed_.panels(), [&](std::size_t panel) { start_panel(table, panel); });
    visit_rounds(table, 0, 0);
    if (pruning_) try_sketches(table);
    visit_rounds(table, 1, blocks_ / 2);
    return table;
  }

 private:
  // All groups, those near in space near in the list where it is worth the work.
  std::vector<std::uint32_t> put_in_order() {
    const DistinctRows& distinct = run_.space.distinct;
    const std::size_t columns = run_.space.points.columns();
    std::vector<std::uint32_t> groups(distinct.size());
    std::iota(groups.begin(), groups.end(), 0U);
    if (groups.size() < run_.choices.rows_worth_pruning || columns == 0 ||
        columns > Sketches::max_columns) {
      return groups;
    }
    std::vector<std::uint32_t> rows(groups.size());
    std::ranges::transform(groups, rows.begin(), [&](auto group) { return distinct.row(group); });
    sketches_.emplace(run_.space.points, run_.centering, rows, run_.pool, run_.meter);
    if (sketches_->directions() > 0) return order_by_place(*sketches_, run_.pool, run_.meter);
    sketches_.reset();
    return groups;
  }

  // Packs a panel and lets its rows meet each other.
  void start_panel(NearestTable& table, std::size_t panel) {
    packed_.pack(panel, run_.space, run_.centering);
    TileVisitor visitor(run_.space, run_.choices.kernel.score_tile);
    visitor.visit_own(table, packed_.panel(panel));
    WorkDone done(run_);
    done.tiles_past_balls = 1;
    done.strips_scored = panel_rows / strip_rows;
    done.columns_scored = done.strips_scored * run_.space.points.columns();
    done.finish_tiles(1);
    done.tell();
  }

  void try_sketches(const NearestTable& table) {
    std::vector<PanelLimits> limits;
    for (std::size_t panel = 0; panel < packed_.panels(); ++panel) {
      limits.emplace_back(table, panel);
    }
    std::optional<std::size_t> length = run_.choices.sketch_length;
    if (length) {
      length = std::min(*length, sketches_->lengths() - 1);
    } else {
      length =
          pruning_->choose_length(run_.choices.kernel.score_tile, limits, packed_.mean_columns());
    }
    if (!length) return;
    pruning_->use_length(*length, run_.pool, run_.meter);
    if (run_.choices.counts) {
      run_.choices.counts->sketch_directions = sketches_->directions(*length);
    }
  }

  // All pairs of blocks that are nearest_round to farthest_round apart, counted around.
  void visit_rounds(NearestTable& table, std::size_t nearest_round, std::size_t farthest_round) {
    if (nearest_round > farthest_round) return;
    run_.pool.for_each((farthest_round - nearest_round + 1) * blocks_, [&](std::size_t task) {
      const std::size_t apart = nearest_round + task / blocks_;
      const std::size_t left = task % blocks_;
      // Half way around, every pair would meet twice.
      if (apart > 0 && 2 * apart == blocks_ && left >= apart) return;
      visit_blocks(table, left, (left + apart) % blocks_);
    });
  }

  void visit_blocks(NearestTable& table, std::size_t left_number, std::size_t right_number) {
    WorkDone done(run_);
    TileVisitor visitor(run_.space, run_.choices.kernel.score_tile);
    Block left = block(table, left_number);
    const auto visit_tile = [&](std::size_t p, std::size_t q, Block& right,
                                const Upcoming& upcoming) {
      PanelLimits& left_limits = left.limits_of(p);
      PanelLimits& right_limits = right.limits_of(q);
      const std::uint32_t strips =
          strips_to_score(p, left_limits, q, right_limits, visitor.hits(), done);
      if (strips != 0) {
        visitor.visit_both(table, packed_.panel(p), left_limits, packed_.panel(q), right_limits,
                           strips, upcoming);
      }
      done.finish_tiles(1);
    };
    if (left_number == right_number) {
      // The nearest panels first: the limits they give spare the others many hits.
      for (std::size_t apart = 1; apart < left.size(); ++apart) {
        for (std::size_t p = left.first; p + apart < left.last; ++p) {
          visit_tile(p, p + apart, left, {});
        }
      }
    } else {
      Block right = block(table, right_number);
      const double reach = std::max(left.reach(), right.reach());
      if (pruning_ && !pruning_->blocks_may_touch(left_number, right_number, reach)) {
        done.finish_tiles(left.size() * right.size());
        done.tell();
        return;
      }
      for (std::size_t q = right.first; q < right.last; ++q) {
        for (std::size_t p = left.first; p < left.last; ++p) {
          visit_tile(p, q, right, upcoming(left, p, right, q));
        }
      }
    }
    done.columns_scored = visitor.columns_scored();
    done.tell();
  }

  // While the left block is met for the first time, its next panel; later a part of the right's.
  Upcoming upcoming(const Block& left, std::size_t p, const Block& right, std::size_t q) const {
    if (q == right.first && p + 1 < left.last) return packed_.upcoming(p + 1, 0, 1);
    return packed_.upcoming(q + 1, p - left.first, left.size());
  }

  Block block(const NearestTable& table, std::size_t number) const {
    const std::size_t first = number * panels_per_block_;
    Block result{first, std::min(first + panels_per_block_, packed_.panels()), {}};
    for (std::size_t panel = first; panel < result.last; ++panel) {
      result.limits.emplace_back(table, panel);
    }
    return result;
  }

  std::uint32_t strips_to_score(std::size_t p, const PanelLimits& left, std::size_t q,
                                const PanelLimits& right, TileHits& hits, WorkDone& done) const {
    std::uint32_t strips = all_strips;
    if (pruning_) {
      if (!pruning_->panels_may_touch(p, q, std::max(left.reach, right.reach))) return 0;
      if (pruning_->uses_sketches()) {
        strips = pruning_->strips_of_tile(run_.choices.kernel.score_tile, p, left, q, right, hits);
      }
    }
    ++done.tiles_past_balls;
    done.strips_scored += static_cast<std::size_t>(std::popcount(strips));
    return strips;
  }

  const SearchRun& run_;
  std::size_t panels_per_block_;
  std::optional<Sketches> sketches_;
  PackedGroups packed_;
  std::size_t blocks_;
  std::optional<Pruning> pruning_;
};

}  // namespace

NearestTable search_all(const SearchRun& run) {
  return AllSearch(run).find();
}

}  // namespace noiseplus
