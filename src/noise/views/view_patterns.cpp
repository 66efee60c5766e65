#include "noise/views/view_patterns.h"

#include <algorithm>
#include <numeric>

#include "noise/views/sharing.h"

namespace noiseplus {
namespace {

// The labels of each view set, sorted, set after set.
std::vector<std::uint16_t> sorted_views(const NeighborGraph& graph,
                                        std::span<const std::int32_t> codes) {
  std::vector<std::uint16_t> labels;
  labels.reserve(graph.size() * (graph.k + 1));
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for_each_row(graph, t, [&](std::uint32_t row) {
      labels.push_back(static_cast<std::uint16_t>(codes[row]));
    });
    std::sort(labels.end() - static_cast<std::ptrdiff_t>(graph.k + 1), labels.end());
  }
  return labels;
}

void add_pattern(ViewPatterns& patterns, const std::uint16_t* labels) {
  patterns.first.push_back(patterns.entries.size());
  patterns.sets.push_back(0);
  for (std::size_t v = 0; v < patterns.views; ++v) {
    if (v == 0 || labels[v] != labels[v - 1]) patterns.entries.push_back({labels[v], 0});
    ++patterns.entries.back().count;
  }
}

}  // namespace

ViewPatterns find_patterns(const NeighborGraph& graph, std::span<const std::int32_t> codes) {
  ViewPatterns patterns;
  const std::size_t views = graph.k + 1;
  patterns.views = views;
  patterns.of_set.resize(graph.size());
  const std::vector<std::uint16_t> labels = sorted_views(graph, codes);
  const auto of = [&](std::uint32_t set) { return labels.data() + set * views; };

  std::vector<std::uint32_t> order(graph.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare(of(a), of(a) + views, of(b), of(b) + views);
  });
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint16_t* now = of(order[i]);
    if (i == 0 || !std::equal(now, now + views, of(order[i - 1]))) add_pattern(patterns, now);
    patterns.sets.back() += 1;
    patterns.of_set[order[i]] = static_cast<std::uint32_t>(patterns.size() - 1);
  }
  patterns.first.push_back(patterns.entries.size());
  return patterns;
}

}  // namespace noiseplus
