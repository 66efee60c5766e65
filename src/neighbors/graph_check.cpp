#include "neighbors/graph_check.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/rows.h"

namespace noiseplus {
namespace {

void check_ids(std::span<const std::uint32_t> ids, std::size_t rows, const char* what) {
  const std::size_t found = find_value_at(
      ids.size(), [ids](std::size_t i) { return ids[i]; },
      [rows](std::uint32_t id) { return id >= rows; });
  if (found == ids.size()) return;
  throw Error(ErrorKind::usage, std::string(what) + ' ' + std::to_string(ids[found]) +
                                    " of the graph is not a row: there are " +
                                    std::to_string(rows) + " rows, counted from 0");
}

// One pass: each row remembers the last set it was seen in.
void check_sets(const NeighborGraph& graph, std::size_t rows) {
  std::vector<std::size_t> last_set(rows);  // counted from 1
  const auto see = [&](std::uint32_t row, std::size_t anchor) {
    if (std::exchange(last_set[row], anchor + 1) != anchor + 1) return;
    throw Error(ErrorKind::usage, "row " + std::to_string(row) +
                                      " occurs twice among the anchor and neighbors of set " +
                                      std::to_string(anchor) +
                                      " of the graph (both counted from 0); leave out the " +
                                      "anchor itself and repeated neighbors");
  };
  for (std::size_t t = 0; t < graph.size(); ++t) {
    see(graph.anchors[t], t);
    for (const std::uint32_t id : graph.neighbors(t)) see(id, t);
  }
}

}  // namespace

void check_graph(const NeighborGraph& graph, std::size_t rows) {
  const bool fits = graph.k <= rows && graph.ids.size() / std::max<std::size_t>(graph.k, 1) ==
                                           (graph.k == 0 ? 0 : graph.size());
  if (!fits || (graph.k != 0 && graph.ids.size() % graph.k != 0)) {
    throw Error(ErrorKind::usage, "a graph of " + std::to_string(graph.size()) +
                                      " anchors with k = " + std::to_string(graph.k) + " among " +
                                      std::to_string(rows) + " rows does not have " +
                                      std::to_string(graph.ids.size()) +
                                      " neighbors; give k for each anchor, k at most the rows");
  }
  check_ids(graph.anchors, rows, "anchor");
  check_ids(graph.ids, rows, "neighbor");
  check_sets(graph, rows);
}

std::span<const std::uint32_t> NeighborGraph::neighbors(std::size_t anchor) const {
  if (anchor >= size() || k > ids.size() || anchor * k > ids.size() - k) {
    throw Error(ErrorKind::usage,
                "anchor " + std::to_string(anchor) + " (from 0) has no neighbors in a graph of " +
                    std::to_string(size()) + " anchors and " + std::to_string(ids.size()) + " ids");
  }
  return {ids.data() + anchor * k, k};
}

}  // namespace noiseplus
