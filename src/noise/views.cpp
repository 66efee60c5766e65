#include <numeric>

#include "noise/sharing.h"
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
  const Occurrences occurrences = Occurrences::find(graph, codes.size());
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
    SharingSets sets(graph, occurrences);
    const std::size_t end = graph.size() * (task + 1) / tasks;
    for (std::size_t t = graph.size() * task / tasks; t < end; ++t) {
      for (const std::uint32_t other : sets.of(t)) ++pairs[cells[t] * width + cells[other]];
      common[task] += sets.common_row_pairs();
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
