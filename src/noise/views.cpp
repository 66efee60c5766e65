#include <numeric>

#include "noiseplus/noise.h"
#include "util/thread_pool.h"

namespace noiseplus {
namespace {

std::size_t cell_of(const NeighbourGraph& graph, std::size_t anchor,
                    std::span<const std::int32_t> codes, std::int32_t positive) {
  std::size_t positives = 0;
  for (const std::uint32_t id : graph.neighbours(anchor))
    positives += codes[id] == positive ? 1 : 0;
  const bool is_positive = codes[graph.anchors[anchor]] == positive;
  return (is_positive ? graph.k + 1 : 0) + positives;
}

// For each row, the view sets it occurs in: those of row r are sets[first[r]] .. sets[first[r +
// 1]].
struct Occurrences {
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> sets;
};

template <typename Visit>
void for_each_row(const NeighbourGraph& graph, std::size_t set, const Visit& visit) {
  visit(graph.anchors[set]);
  for (const std::uint32_t id : graph.neighbours(set)) visit(id);
}

Occurrences find_occurrences(const NeighbourGraph& graph, std::size_t rows) {
  Occurrences occurrences;
  occurrences.first.assign(rows + 1, 0);
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for_each_row(graph, t, [&](std::uint32_t row) { ++occurrences.first[row + 1]; });
  }
  std::partial_sum(occurrences.first.begin(), occurrences.first.end(), occurrences.first.begin());
  occurrences.sets.resize(occurrences.first.back());
  std::vector<std::size_t> next(occurrences.first.begin(), occurrences.first.end() - 1);
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for_each_row(graph, t, [&](std::uint32_t row) {
      occurrences.sets[next[row]++] = static_cast<std::uint32_t>(t);
    });
  }
  return occurrences;
}

}  // namespace

std::int64_t ViewCounts::anchors() const {
  return std::accumulate(cells.begin(), cells.end(), std::int64_t{0});
}

std::vector<double> ViewCounts::shares() const {
  std::vector<double> shares(cells.begin(), cells.end());
  const auto total = static_cast<double>(anchors());
  for (double& share : shares) share /= total;
  return shares;
}

ViewCounts& ViewCounts::operator+=(const ViewCounts& other) {
  if (cells.empty()) return *this = other;
  for (std::size_t i = 0; i < cells.size(); ++i) cells[i] += other.cells[i];
  return *this;
}

ViewCounts count_views(const NeighbourGraph& graph, std::span<const std::int32_t> codes,
                       std::int32_t positive) {
  ViewCounts counts{graph.k, std::vector<std::int64_t>(2 * (graph.k + 1))};
  for (std::size_t a = 0; a < graph.size(); ++a) ++counts.cells[cell_of(graph, a, codes, positive)];
  return counts;
}

PairCounts count_pairs(const NeighbourGraph& graph, std::span<const std::int32_t> codes,
                       std::int32_t positive, const Execution& execution) {
  const Occurrences occurrences = find_occurrences(graph, codes.size());
  std::vector<std::size_t> cells(graph.size());
  for (std::size_t a = 0; a < graph.size(); ++a) cells[a] = cell_of(graph, a, codes, positive);

  const std::size_t width = 2 * (graph.k + 1);
  ThreadPool pool(execution.threads);
  const std::size_t tasks = std::min<std::size_t>(graph.size(), std::size_t{pool.size()} * 4);
  ProgressMeter meter(execution, "intervals", graph.size());
  std::vector<std::vector<std::int64_t>> partial(tasks);
  std::vector<std::int64_t> common(tasks);
  pool.for_each(tasks, [&](std::size_t task) {
    std::vector<std::int64_t>& pairs = partial[task];
    pairs.resize(width * width);
    std::vector<std::uint32_t> rows_shared(graph.size());
    std::vector<std::uint32_t> sharing;
    const std::size_t end = graph.size() * (task + 1) / tasks;
    for (std::size_t t = graph.size() * task / tasks; t < end; ++t) {
      sharing.clear();
      for_each_row(graph, t, [&](std::uint32_t row) {
        for (std::size_t i = occurrences.first[row]; i < occurrences.first[row + 1]; ++i) {
          const std::uint32_t other = occurrences.sets[i];
          if (rows_shared[other]++ == 0) sharing.push_back(other);
        }
      });
      for (const std::uint32_t other : sharing) {
        ++pairs[cells[t] * width + cells[other]];
        const std::int64_t rows = rows_shared[other];
        common[task] += rows * (rows - 1) / 2;
        rows_shared[other] = 0;
      }
      meter.step();
    }
  });
  PairCounts total{graph.k, std::vector<std::int64_t>(width * width),
                   std::accumulate(common.begin(), common.end(), std::int64_t{0})};
  for (const std::vector<std::int64_t>& pairs : partial) {
    for (std::size_t i = 0; i < pairs.size(); ++i) total.cells[i] += pairs[i];
  }
  return total;
}

}  // namespace noiseplus
