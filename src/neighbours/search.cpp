// The walk of the search: blocks of anchors, one a task, each past all panels of the base.
//
// Invariants:
//   1. A block meets every base row once; which block an anchor is in, the order of panels and the
//      kernel do not show in the result, because the nearest.h order is total and scores only rule
//      out what is proven too far.
//   2. A task writes to the result's rows of its own anchors and to nothing else.
//   3. The meter is stepped after each visit, some microseconds to milliseconds of work.
#include "neighbours/search.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>

#include "neighbours/nearest.h"
#include "neighbours/panels.h"

namespace noiseplus {
namespace {

// How the loops are cut, by what should stay in which cache.
struct Blocking {
  std::size_t anchor_panels_per_block;
  std::size_t base_panels_per_visit;
};

Blocking choose_blocking(std::size_t columns, std::size_t anchor_panels, unsigned threads) {
  constexpr std::size_t block_bytes = 512 * 1024;  // half of a small L2
  constexpr std::size_t visit_bytes = 24 * 1024;   // leaves room in L1 for a panel of anchors
  const std::size_t column_bytes = std::max<std::size_t>(columns, 1) * sizeof(float);
  const std::size_t fit_in_block = block_bytes / (anchor_lanes * column_bytes);
  const std::size_t fit_in_visit = visit_bytes / (base_lanes * column_bytes);
  const std::size_t fair_share = ceiling_of_quotient(anchor_panels, std::size_t{threads} * 4);
  return {std::clamp<std::size_t>(std::min(fit_in_block, fair_share), 1, 20),
          std::clamp<std::size_t>(fit_in_visit, 1, 64)};
}

// Twelve anchors: what the kernel reads of them, and what each has found.
class AnchorPanel {
 public:
  AnchorPanel(const SearchSpace& space, const Centring& centring,
              std::span<const std::uint32_t> anchors)
      : values_(anchor_lanes * space.rows.columns) {
    double squared_norms[anchor_lanes];
    pack_rows(space.rows, centring, anchors, anchor_lanes, values_.data(), squared_norms);
    std::fill_n(limits_, anchor_lanes, std::numeric_limits<float>::infinity());
    searches_.reserve(anchors.size());
    for (std::size_t a = 0; a < anchors.size(); ++a) {
      searches_.emplace_back(space, anchors[a], squared_norms[a]);
      limits_[a] = searches_[a].limit();
    }
  }

  void visit(ScoreTile score_tile, const PackedBase& base, std::size_t p, std::size_t columns) {
    const Tile tile{values_.data(), base.panel(p), base.starts(p), limits_, columns};
    TileHits hits;
    for (std::uint32_t anchors = score_tile(tile, hits); anchors != 0; anchors &= anchors - 1) {
      const auto a = static_cast<std::size_t>(std::countr_zero(anchors));
      for (std::uint32_t lanes = hits.lanes[a]; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<std::size_t>(std::countr_zero(lanes));
        searches_[a].add(static_cast<std::uint32_t>(p * base_lanes + lane), hits.scores[a][lane]);
      }
      limits_[a] = searches_[a].limit();
    }
  }

  std::vector<AnchorSearch>& searches() { return searches_; }

 private:
  AlignedFloats values_;
  float limits_[anchor_lanes];
  std::vector<AnchorSearch> searches_;
};

void check(MatrixView rows, const NeighbourOptions& options) {
  if (options.k == 0) throw Error(ErrorKind::usage, "k is 0; ask for at least one neighbour");
  if (rows.rows <= options.k) {
    throw Error(ErrorKind::data, "k = " + std::to_string(options.k) + " neighbours need at least " +
                                     std::to_string(options.k) + " + 1 rows, and there are " +
                                     std::to_string(rows.rows) + "; use fewer neighbours");
  }
  if (rows.rows > std::numeric_limits<std::uint32_t>::max()) {
    throw Error(ErrorKind::data,
                std::to_string(rows.rows) + " rows are too many: 2^32 - 1 at most");
  }
  if (rows.columns >= std::size_t{1} << 28) {
    throw Error(ErrorKind::data,
                std::to_string(rows.columns) + " columns are too many: 2^28 - 1 at most");
  }
  for (const std::uint32_t anchor : options.anchors) {
    if (anchor < rows.rows) continue;
    throw Error(ErrorKind::usage, "anchor " + std::to_string(anchor) + " is not a row: there are " +
                                      std::to_string(rows.rows) + " rows, counted from 0");
  }
  if (!options.row_names.empty() && options.row_names.size() != rows.rows) {
    throw Error(ErrorKind::usage, std::to_string(options.row_names.size()) + " row names for " +
                                      std::to_string(rows.rows) +
                                      " rows; give one for each or none");
  }
}

NeighbourGraph empty_graph(MatrixView rows, const NeighbourOptions& options) {
  NeighbourGraph graph;
  graph.k = options.k;
  graph.anchors.assign(options.anchors.begin(), options.anchors.end());
  if (graph.anchors.empty()) {
    graph.anchors.resize(rows.rows);
    std::iota(graph.anchors.begin(), graph.anchors.end(), 0U);
  }
  graph.ids.resize(graph.size() * graph.k);
  graph.distances.resize(graph.size() * graph.k);
  return graph;
}

class Search {
 public:
  Search(const Kernel& kernel, const SearchSpace& space, const PackedBase& base, Blocking blocking,
         ProgressMeter& meter, NeighbourGraph& graph)
      : kernel_(kernel),
        space_(space),
        base_(base),
        blocking_(blocking),
        meter_(meter),
        graph_(graph) {}

  std::size_t blocks() const { return ceiling_of_quotient(graph_.size(), anchors_per_block()); }

  void run_block(std::size_t block) {
    const std::size_t first = block * anchors_per_block();
    const std::size_t last = std::min(first + anchors_per_block(), graph_.size());
    std::vector<AnchorPanel> panels;
    for (std::size_t a = first; a < last; a += anchor_lanes) {
      const std::size_t count = std::min(anchor_lanes, last - a);
      panels.emplace_back(space_, base_.centring(), std::span(&graph_.anchors[a], count));
    }
    walk_base(panels, graph_.anchors[first] / base_lanes);
    std::size_t anchor = first;
    for (AnchorPanel& panel : panels) {
      for (AnchorSearch& search : panel.searches()) write(anchor++, search.finish());
    }
  }

 private:
  std::size_t anchors_per_block() const { return blocking_.anchor_panels_per_block * anchor_lanes; }

  // From the block's own rows on and around: where rows are sorted, the nearest come first and
  // tighten the limits for all others.
  void walk_base(std::vector<AnchorPanel>& panels, std::size_t start) {
    for (std::size_t done = 0, count = 0; done < base_.panels(); done += count) {
      const std::size_t first = (start + done) % base_.panels();
      const std::size_t left = std::min(base_.panels() - done, base_.panels() - first);
      count = std::min(blocking_.base_panels_per_visit, left);
      for (AnchorPanel& panel : panels) {
        for (std::size_t p = first; p < first + count; ++p) {
          panel.visit(kernel_.score_tile, base_, p, space_.rows.columns);
        }
      }
      meter_.step(count * panels.size());
    }
  }

  void write(std::size_t anchor, std::span<const Neighbour> nearest) {
    for (std::size_t j = 0; j < nearest.size(); ++j) {
      graph_.ids[anchor * graph_.k + j] = nearest[j].row;
      graph_.distances[anchor * graph_.k + j] = static_cast<float>(nearest[j].distance);
    }
  }

  const Kernel& kernel_;
  const SearchSpace& space_;
  const PackedBase& base_;
  Blocking blocking_;
  ProgressMeter& meter_;
  NeighbourGraph& graph_;
};

}  // namespace

NeighbourGraph find_neighbours_by(const Kernel& kernel, MatrixView rows,
                                  const NeighbourOptions& options, const Execution& execution) {
  check(rows, options);
  NeighbourGraph graph = empty_graph(rows, options);
  ThreadPool pool(execution.threads);
  const std::size_t base_panels = PackedBase::panels_for(rows.rows);
  const std::size_t anchor_panels = ceiling_of_quotient(graph.size(), anchor_lanes);
  ProgressMeter meter(execution, "neighbours", base_panels * (anchor_panels + 2));
  const PackedBase base(rows, pool, meter);
  const SearchSpace space{rows, {options.seed, options.row_names}, base.bound(), options.k};
  Search search(kernel, space, base, choose_blocking(rows.columns, anchor_panels, pool.size()),
                meter, graph);
  pool.for_each(search.blocks(), [&](std::size_t block) { search.run_block(block); });
  return graph;
}

struct NeighbourSearch::Prepared {
  RowsView rows;
  NeighbourOptions options;
};
NeighbourSearch::NeighbourSearch(RowsView rows, const NeighbourOptions& options, const Execution&)
    : prepared_(std::make_unique<Prepared>(rows, options)) {}
NeighbourSearch::~NeighbourSearch() = default;
NeighbourSearch::NeighbourSearch(NeighbourSearch&&) noexcept = default;
NeighbourSearch& NeighbourSearch::operator=(NeighbourSearch&&) noexcept = default;
NeighbourGraph NeighbourSearch::find(std::span<const std::uint32_t> anchors,
                                     const Execution& execution) const {
  NeighbourOptions options = prepared_->options;
  options.anchors = anchors;
  return find_neighbours(prepared_->rows, options, execution);
}

NeighbourGraph find_neighbours(RowsView rows, const NeighbourOptions& options,
                               const Execution& execution) {
  Matrix floats(rows.rows, rows.columns);
  for (std::size_t i = 0; i < rows.rows; ++i) {
    std::copy_n(rows.row(i, floats.row(i)), rows.columns, floats.row(i));
  }
  return find_neighbours_by(available_kernels().front(), floats.view(), options, execution);
}

}  // namespace noiseplus
