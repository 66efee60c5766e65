// The search from its check to its result.
//
// Invariants:
//   1. Kernel, order, pruning and threads do not show in the result, because the order of
//      neighbors is total and scores and sketches only rule out what is proven too far.
//   2. The result is made from groups: an anchor's own duplicates, then the members of the nearest
//      groups.
#include "neighbors/search.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "core/checks.h"
#include "core/row_count.h"
#include "neighbors/metric_check.h"

namespace noiseplus {
namespace {

void check(RowsView rows, const NeighborOptions& options) {
  check_view(rows);
  check_metric(options.metric);
  if (options.k == 0) throw Error(ErrorKind::usage, "k is 0; ask for at least one neighbor");
  if (rows.rows <= options.k) {
    throw Error(ErrorKind::data, "k = " + std::to_string(options.k) + " neighbors need at least " +
                                     std::to_string(options.k) + " + 1 rows, and there are " +
                                     std::to_string(rows.rows) + "; use fewer neighbors");
  }
  check_row_count(rows.rows);
  if (rows.columns >= std::size_t{1} << 26) {
    throw Error(ErrorKind::data,
                std::to_string(rows.columns) + " columns are too many: 2^26 - 1 at most");
  }
  if (!options.row_ids.empty() && options.row_ids.size() != rows.rows) {
    throw Error(ErrorKind::usage, std::to_string(options.row_ids.size()) + " row names for " +
                                      std::to_string(rows.rows) +
                                      " rows; give one for each or none");
  }
}

void check_anchors(std::span<const std::uint32_t> anchors, std::size_t rows) {
  for (const std::uint32_t anchor : anchors) {
    if (anchor < rows) continue;
    throw Error(ErrorKind::usage, "anchor " + std::to_string(anchor) + " is not a row: there are " +
                                      std::to_string(rows) + " rows, counted from 0");
  }
}

NeighborGraph empty_graph(std::span<const std::uint32_t> anchors, std::size_t rows, std::size_t k) {
  NeighborGraph graph;
  graph.k = k;
  graph.anchors.assign(anchors.begin(), anchors.end());
  if (graph.anchors.empty()) {
    graph.anchors.resize(rows);
    std::iota(graph.anchors.begin(), graph.anchors.end(), 0U);
  }
  graph.ids.resize(graph.size() * k);
  graph.distances.resize(graph.size() * k);
  return graph;
}

std::size_t scan_steps(std::size_t rows) {
  return ceiling_of_quotient(rows, Points::rows_at_once);
}

// As many as there are when no two rows are equal.
std::size_t tiles(std::size_t rows, std::size_t anchors) {
  const std::size_t panels = ceiling_of_quotient(rows, panel_rows);
  if (anchors == 0) return panels * (panels + 1) / 2;
  return panels * ceiling_of_quotient(anchors, panel_rows);
}

// Writes the neighbors of one anchor.
class Expansion {
 public:
  Expansion(const SearchSpace& space, std::uint32_t anchor, std::size_t position,
            NeighborGraph& graph)
      : space_(space),
        anchor_(anchor),
        first_place_(space.ties.first_place_for(anchor)),
        next_(position * graph.k),
        end_(next_ + graph.k),
        graph_(graph) {}

  // The members of a group, from the anchor's place on the ring on and around.
  void add(NearGroup near) {
    const std::span<const std::uint32_t> members = space_.distinct.members(near.group);
    std::size_t start = 0;
    if (members.size() > 1) {
      const auto from = std::partition_point(
          members.begin(), members.end(),
          [this](std::uint32_t row) { return space_.ties.place(row) < first_place_; });
      start = static_cast<std::size_t>(from - members.begin());
    }
    for (std::size_t i = 0; i < members.size() && next_ < end_; ++i) {
      const std::uint32_t row = members[(start + i) % members.size()];
      if (row == anchor_) continue;
      graph_.ids[next_] = row;
      graph_.distances[next_] = static_cast<float>(near.distance);
      ++next_;
    }
  }

 private:
  const SearchSpace& space_;
  std::uint32_t anchor_;
  std::uint64_t first_place_;
  std::size_t next_;
  std::size_t end_;
  NeighborGraph& graph_;
};

// The rows, checked, and their duplicates, grouped.
struct PreparedRows {
  PreparedRows(RowsView rows, const NeighborOptions& options, ThreadPool& pool,
               ProgressMeter& meter)
      : points(rows, options.metric, pool, meter),
        ties(options.seed, options.row_ids),
        distinct(points, ties, pool, meter),
        centering(points, pool, meter),
        space{points, distinct, ties, {points.columns(), centering.scale()}, options.k} {}

  PreparedRows(const PreparedRows&) = delete;  // space looks into the other members
  PreparedRows& operator=(const PreparedRows&) = delete;

  NeighborGraph find(std::span<const std::uint32_t> anchors, const SearchChoices& choices,
                     ThreadPool& pool, ProgressMeter& meter) const;

  Points points;
  TieOrder ties;
  DistinctRows distinct;
  Centering centering;
  SearchSpace space;
};

NeighborGraph PreparedRows::find(std::span<const std::uint32_t> anchors,
                                 const SearchChoices& choices, ThreadPool& pool,
                                 ProgressMeter& meter) const {
  NeighborGraph graph = empty_graph(anchors, points.rows(), space.k);
  if (choices.counts) choices.counts->distinct_rows = distinct.size();

  // Each group once, however many of its rows are anchors.
  std::vector<std::uint32_t> groups;
  if (!anchors.empty()) {
    for (const std::uint32_t anchor : anchors) groups.push_back(distinct.group_of(anchor));
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  }
  const SearchRun run{space, centering, choices, pool, meter};
  NearestTable table = anchors.empty() ? search_all(run) : search_anchors(run, groups);

  std::vector<std::uint32_t> slot_of_group(distinct.size());
  constexpr std::size_t at_once = 1024;
  pool.for_each(ceiling_of_quotient(table.size(), at_once), [&](std::size_t chunk) {
    Points::Scratch scratch(points);
    std::size_t measured = 0;
    const std::size_t last = std::min((chunk + 1) * at_once, table.size());
    for (std::size_t slot = chunk * at_once; slot < last; ++slot) {
      table.finish(slot, scratch);
      measured += table.measured(slot);
      slot_of_group[table.anchor(slot)] = static_cast<std::uint32_t>(slot);
    }
    if (choices.counts) choices.counts->distances += measured;
    meter.step(0);
  });
  pool.for_each(ceiling_of_quotient(graph.size(), at_once), [&](std::size_t chunk) {
    const std::size_t last = std::min((chunk + 1) * at_once, graph.size());
    for (std::size_t i = chunk * at_once; i < last; ++i) {
      const std::uint32_t group = distinct.group_of(graph.anchors[i]);
      Expansion expansion(space, graph.anchors[i], i, graph);
      expansion.add({0, group});
      for (const NearGroup& near : table.nearest(slot_of_group[group])) expansion.add(near);
    }
    meter.step(0);
  });
  meter.finish();
  return graph;
}

}  // namespace

std::size_t SearchRun::panels_per_block(std::size_t panels) const {
  const std::size_t panel_bytes = panel_rows * space.points.columns() * sizeof(float);
  const std::size_t fair_share = panels / (std::size_t{pool.size()} * 8);
  const std::size_t fit = choices.block_bytes / (panel_bytes + 1);
  return std::clamp<std::size_t>(std::min(fit, fair_share), 1, max_panels_in_block);
}

void WorkDone::finish_tiles(std::size_t count) {
  constexpr std::size_t columns_between_tellings = 4096;
  tiles_ += count;
  tiles_not_told_ += count;
  if (tiles_not_told_ * (run_.space.points.columns() + 8) >= columns_between_tellings) tell();
}

void WorkDone::tell() {
  run_.meter.step(std::exchange(tiles_not_told_, 0));
}

WorkDone::~WorkDone() {
  SearchCounts* const counts = run_.choices.counts;
  if (!counts) return;
  counts->tiles += tiles_;
  counts->tiles_past_balls += tiles_past_balls;
  counts->strips_scored += strips_scored;
  counts->columns_scored += columns_scored;
}

struct NeighborSearch::Prepared : PreparedRows {
  using PreparedRows::PreparedRows;
};

NeighborSearch::NeighborSearch(RowsView rows, const NeighborOptions& options,
                               const Execution& execution) {
  check(rows, options);
  ThreadPool pool(execution.threads);
  ProgressMeter meter(execution, "neighbors", 2 * scan_steps(rows.rows));
  prepared_ = std::make_unique<Prepared>(rows, options, pool, meter);
}

NeighborSearch::~NeighborSearch() = default;
NeighborSearch::NeighborSearch(NeighborSearch&&) noexcept = default;
NeighborSearch& NeighborSearch::operator=(NeighborSearch&&) noexcept = default;

NeighborGraph NeighborSearch::find(std::span<const std::uint32_t> anchors,
                                   const Execution& execution) const {
  check_that(prepared_ != nullptr, "the search was moved elsewhere; use the one it was moved to");
  const std::size_t rows = prepared_->points.rows();
  check_anchors(anchors, rows);
  ThreadPool pool(execution.threads);
  ProgressMeter meter(execution, "neighbors", tiles(rows, anchors.size()));
  return prepared_->find(anchors, {}, pool, meter);
}

NeighborGraph find_neighbors_by(const SearchChoices& choices, RowsView rows,
                                const NeighborOptions& options, const Execution& execution) {
  check(rows, options);
  check_anchors(options.anchors, rows.rows);
  ThreadPool pool(execution.threads);
  ProgressMeter meter(execution, "neighbors",
                      2 * scan_steps(rows.rows) + tiles(rows.rows, options.anchors.size()));
  const PreparedRows prepared(rows, options, pool, meter);
  return prepared.find(options.anchors, choices, pool, meter);
}

NeighborGraph find_neighbors(RowsView rows, const NeighborOptions& options,
                             const Execution& execution) {
  return find_neighbors_by({}, rows, options, execution);
}

}  // namespace noiseplus
