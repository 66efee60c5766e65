#include <mutex>
#include <numeric>
#include <utility>

#include "core/checks.h"
#include "core/thread_pool.h"
#include "neighbors/graph_check.h"
#include "noise/views/sharing.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

std::size_t cell_of(const NeighborGraph& graph, std::size_t anchor,
                    std::span<const std::int32_t> codes, std::int32_t positive) {
  std::size_t positives = 0;
  for (const std::uint32_t id : graph.neighbors(anchor)) positives += codes[id] == positive ? 1 : 0;
  const bool is_positive = codes[graph.anchors[anchor]] == positive;
  return (is_positive ? graph.k + 1 : 0) + positives;
}

// How many sets of a list are of which cell.
class CellHistogram {
 public:
  struct Entry {
    std::size_t cell;
    std::int64_t sets;
  };

  CellHistogram(const std::vector<std::size_t>& cells, std::size_t width)
      : cells_(cells), sets_(width) {}

  // Valid until the next call.
  const std::vector<Entry>& of(SetList sets) {
    entries_.clear();
    for (const std::uint32_t set : sets) {
      if (sets_[cells_[set]]++ == 0) entries_.push_back({cells_[set], 0});
    }
    for (Entry& entry : entries_) entry.sets = std::exchange(sets_[entry.cell], 0);
    return entries_;
  }

 private:
  const std::vector<std::size_t>& cells_;
  std::vector<std::int64_t> sets_;
  std::vector<Entry> entries_;
};

// A few tables that tasks add to, each used by one task at a time: there are as many as threads,
// however many tasks there are.
class PairTables {
 public:
  explicit PairTables(std::size_t cells) : cells_(cells) {}

  // `add(table)` adds integers, so that it does not matter which table it is.
  template <typename Add>
  void use(const Add& add) {
    std::vector<std::int64_t> table = take();
    add(table);
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(table));
  }

  std::vector<std::int64_t> sum() const {
    std::vector<std::int64_t> total(cells_);
    for (const std::vector<std::int64_t>& table : free_) {
      for (std::size_t i = 0; i < cells_; ++i) total[i] += table[i];
    }
    return total;
  }

 private:
  std::vector<std::int64_t> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::vector<std::int64_t>(cells_);
    std::vector<std::int64_t> table = std::move(free_.back());
    free_.pop_back();
    return table;
  }

  std::size_t cells_;
  std::mutex mutex_;
  std::vector<std::vector<std::int64_t>> free_;
};

// Adds the pairs of sets that share a hub in this part; returns the pairs of hubs that two sets
// share.
std::int64_t add_hubs(const Hubs& hubs, std::size_t part, const std::vector<std::size_t>& cells,
                      std::size_t width, std::vector<std::int64_t>& pairs, ProgressMeter& meter) {
  CellHistogram x_cells(cells, width), y_cells(cells, width);
  hubs.sum_products(part, [&](int sign, SetList x, SetList y) {
    meter.step(0);  // a part may take long
    const auto& of_y = y_cells.of(y);
    for (const auto& first : x_cells.of(x)) {
      for (const auto& second : of_y) {
        pairs[first.cell * width + second.cell] += sign * first.sets * second.sets;
      }
    }
  });
  return hubs.common_pairs(part);
}

void check_cells(const ViewCounts& counts) {
  check_that(counts.cells.size() >= 2 && counts.cells.size() / 2 - 1 == counts.k &&
                 counts.cells.size() % 2 == 0,
             "the counts of views do not have 2 (k + 1) cells");
}

}  // namespace

std::int64_t ViewCounts::anchors() const {
  check_cells(*this);
  return sum_of_counts(cells, "the counts of views");
}

std::vector<double> ViewCounts::shares() const {
  std::vector<double> shares(cells.begin(), cells.end());
  const auto total = static_cast<double>(anchors());
  check_that(total > 0, "there are no anchors to take shares of; count views first");
  for (double& share : shares) share /= total;
  return shares;
}

ViewCounts& ViewCounts::operator+=(const ViewCounts& other) {
  check_cells(other);
  if (cells.empty()) return *this = other;
  check_cells(*this);
  check_that(k == other.k, "counts of views add up only where they have the same k");
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] += other.cells[i];
  return *this;
}

ViewCounts count_views(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                       std::int32_t positive) {
  check_graph(graph, codes.size());
  ViewCounts counts{graph.k, std::vector<std::int64_t>(2 * (graph.k + 1))};
  for (std::size_t a = 0; a < graph.size(); ++a) ++counts.cells[cell_of(graph, a, codes, positive)];
  return counts;
}

PairCounts count_pairs(const NeighborGraph& graph, std::span<const std::int32_t> codes,
                       std::int32_t positive, const Execution& execution) {
  check_graph(graph, codes.size());
  const Occurrences occurrences = Occurrences::find(graph, codes.size());
  const Hubs hubs(graph, occurrences);
  std::vector<std::size_t> cells(graph.size());
  for (std::size_t a = 0; a < graph.size(); ++a) cells[a] = cell_of(graph, a, codes, positive);

  const std::size_t width = 2 * (graph.k + 1);
  ThreadPool pool(execution.threads);
  const std::size_t tasks = std::min<std::size_t>(graph.size(), std::size_t{pool.size()} * 4);
  const std::size_t parts = hubs.parts();
  ProgressMeter meter(execution, "intervals", graph.size() * (parts > 0 ? 2 : 1));
  PairTables tables(width * width);
  std::vector<std::int64_t> common(tasks + parts);
  pool.for_each(tasks, [&](std::size_t task) {
    tables.use([&](std::vector<std::int64_t>& pairs) {
      SharingSets sets(graph, occurrences, hubs);
      const std::size_t end = graph.size() * (task + 1) / tasks;
      for (std::size_t t = graph.size() * task / tasks; t < end; ++t) {
        for (const std::uint32_t other : sets.of(t)) ++pairs[cells[t] * width + cells[other]];
        common[task] += sets.common_row_pairs();
        meter.step();
      }
    });
  });
  pool.for_each(parts, [&](std::size_t part) {
    tables.use([&](std::vector<std::int64_t>& pairs) {
      common[tasks + part] = add_hubs(hubs, part, cells, width, pairs, meter);
    });
    meter.step(graph.size() * (part + 1) / parts - graph.size() * part / parts);
  });
  return {graph.k, tables.sum(), std::accumulate(common.begin(), common.end(), std::int64_t{0})};
}

}  // namespace noiseplus
