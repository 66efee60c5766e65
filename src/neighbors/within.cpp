#include <algorithm>
#include <string>

#include "core/checks.h"
#include "neighbors/graph_check.h"
#include "neighbors/metric_check.h"
#include "neighbors/within.h"

namespace noiseplus {
namespace {

void check(RowsView rows, const NeighborGraph& graph, std::span<const char> keep,
           const NeighborOptions& options) {
  if (options.k == 0) throw Error(ErrorKind::usage, "k is 0; ask for at least one neighbor");
  if (!options.anchors.empty()) {
    throw Error(ErrorKind::usage, "anchors cannot be chosen here: the kept rows are the anchors");
  }
  if (keep.size() != rows.rows) {
    throw Error(ErrorKind::usage, std::to_string(keep.size()) + " marks of kept rows for " +
                                      std::to_string(rows.rows) + " rows; give one for each");
  }
  if (!options.row_ids.empty() && options.row_ids.size() != rows.rows) {
    throw Error(ErrorKind::usage, std::to_string(options.row_ids.size()) + " row names for " +
                                      std::to_string(rows.rows) +
                                      " rows; give one for each or none");
  }
  check_view(rows);
  check_metric(options.metric);
  check_graph_of_all_rows(graph, rows.rows);
}

std::vector<std::uint32_t> kept_rows(std::span<const char> keep) {
  std::vector<std::uint32_t> kept;
  for (std::size_t row = 0; row < keep.size(); ++row) {
    if (keep[row]) kept.push_back(static_cast<std::uint32_t>(row));
  }
  return kept;
}

// Copies the first k kept neighbors of `row`; false when the graph's list holds fewer.
bool take_from_list(const NeighborGraph& graph, std::span<const char> keep, std::uint32_t row,
                    std::size_t anchor, NeighborGraph& result) {
  std::size_t taken = 0;
  for (std::size_t j = 0; j < graph.k && taken < result.k; ++j) {
    const std::uint32_t neighbor = graph.ids[row * graph.k + j];
    if (!keep[neighbor]) continue;
    result.ids[anchor * result.k + taken] = neighbor;
    result.distances[anchor * result.k + taken] = graph.distances[row * graph.k + j];
    ++taken;
  }
  return taken == result.k;
}

// Searches the kept rows alone for those anchors of `result` that `short_anchors` lists. Rows keep
// their names, so that ties fall as they do in the graph.
void search_kept_rows(RowsView rows, std::span<const std::uint32_t> short_anchors,
                      const NeighborOptions& options, const Execution& execution,
                      NeighborGraph& result) {
  const std::vector<std::uint32_t>& kept = result.anchors;
  Matrix gathered(kept.size(), rows.columns);
  std::vector<std::uint32_t> names(kept.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::copy_n(rows.row(kept[i], gathered.row(i)), rows.columns, gathered.row(i));
    names[i] = options.row_ids.empty() ? kept[i] : options.row_ids[kept[i]];
  }
  NeighborOptions among_kept = options;
  among_kept.anchors = short_anchors;
  among_kept.row_ids = names;
  const NeighborGraph found = find_neighbors(gathered.view(), among_kept, execution);
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t j = 0; j < found.k; ++j) {
      const std::size_t target = found.anchors[i] * found.k + j;
      result.ids[target] = kept[found.ids[i * found.k + j]];
      result.distances[target] = found.distances[i * found.k + j];
    }
  }
}

// `kept` lists what `keep` marks.
NeighborGraph neighbors_of(RowsView rows, const NeighborGraph& graph, std::span<const char> keep,
                           std::vector<std::uint32_t> kept, const NeighborOptions& options,
                           const Execution& execution) {
  if (kept.size() <= options.k) {
    throw Error(ErrorKind::data, "k = " + std::to_string(options.k) + " neighbors need at least " +
                                     std::to_string(options.k) + " + 1 kept rows, and there are " +
                                     std::to_string(kept.size()));
  }
  NeighborGraph result;
  result.k = options.k;
  result.anchors = std::move(kept);
  result.ids.resize(result.size() * result.k);
  result.distances.resize(result.size() * result.k);

  // A list's order is that of a search among the kept rows, so its first k kept are the answer.
  std::vector<std::uint32_t> short_anchors;
  for (std::size_t anchor = 0; anchor < result.size(); ++anchor) {
    if (!take_from_list(graph, keep, result.anchors[anchor], anchor, result)) {
      short_anchors.push_back(static_cast<std::uint32_t>(anchor));
    }
  }
  if (!short_anchors.empty()) {
    search_kept_rows(rows, short_anchors, options, execution, result);
  }
  return result;
}

// Sets marks for as long as it lives.
class Marked {
 public:
  Marked(std::span<char> marks, std::span<const std::uint32_t> rows)
      : marks_(marks), rows_(rows.begin(), rows.end()) {
    for (const std::uint32_t row : rows_) marks_[row] = 1;
  }
  ~Marked() {
    for (const std::uint32_t row : rows_) marks_[row] = 0;
  }
  Marked(const Marked&) = delete;
  Marked& operator=(const Marked&) = delete;

 private:
  std::span<char> marks_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace

void check_graph_of_all_rows(const NeighborGraph& graph, std::size_t rows) {
  check_graph(graph, rows);
  bool is_of_all_rows = graph.size() == rows && graph.distances.size() == graph.ids.size();
  for (std::size_t row = 0; is_of_all_rows && row < rows; ++row) {
    is_of_all_rows = graph.anchors[row] == row;
  }
  if (!is_of_all_rows) {
    throw Error(ErrorKind::usage,
                "the graph is not of all rows of the matrix in order; make it without anchors");
  }
}

NeighborGraph neighbors_within(RowsView rows, const NeighborGraph& graph,
                               std::span<const char> keep, const NeighborOptions& options,
                               const Execution& execution) {
  check(rows, graph, keep, options);
  return neighbors_of(rows, graph, keep, kept_rows(keep), options, execution);
}

NeighborGraph neighbors_among(RowsView rows, const NeighborGraph& graph,
                              std::vector<std::uint32_t> kept, std::span<char> marks,
                              const NeighborOptions& options, const Execution& execution) {
  const Marked marked(marks, kept);
  return neighbors_of(rows, graph, marks, std::move(kept), options, execution);
}

}  // namespace noiseplus
