#include "misuse.h"

#include "noiseplus/neighbors.h"

namespace noiseplus {
namespace {

using namespace testing_support;

Matrix some_rows() {
  Matrix rows(20, 3);
  for (std::size_t i = 0; i < 60; ++i) rows.row(0)[i] = static_cast<float>(i * i % 17);
  return rows;
}

TEST(NeighborMisuse, OfASearchIsRefused) {
  const Matrix matrix = some_rows();
  const RowsView rows = matrix.view();
  const auto search = [&](RowsView view, const NeighborOptions& options) {
    return [=] { find_neighbors(view, options, {1, {}}); };
  };
  refused("find_neighbors", "k is 0", search(rows, {.k = 0}));
  refused("find_neighbors", "k is all rows", search(rows, {.k = 20}), ErrorKind::data);
  refused("find_neighbors", "k is huge", search(rows, {.k = huge}), ErrorKind::data);
  refused("find_neighbors", "no rows", search({}, {}), ErrorKind::data);
  refused("find_neighbors", "rows without data", search(MatrixView{nullptr, 20, 3}, {.k = 2}));
  refused("find_neighbors", "rows times columns wraps",
          search(MatrixView{matrix.row(0), std::size_t{1} << 31, std::size_t{1} << 33}, {.k = 2}));
  refused("find_neighbors", "a metric that is none",
          search(rows, {.k = 2, .metric = static_cast<Metric>(9)}));
  const std::vector<std::uint32_t> beyond = {0, 20}, three = {1, 2, 3};
  refused("find_neighbors", "an anchor beyond the rows", search(rows, {.k = 2, .anchors = beyond}));
  refused("find_neighbors", "too few row names", search(rows, {.k = 2, .row_ids = three}));
  for (const float value : {static_cast<float>(not_a_number), static_cast<float>(infinite)}) {
    Matrix bad = some_rows();
    bad.row(7)[1] = value;
    refused("find_neighbors", "a value that is not finite", search(bad.view(), {.k = 2}),
            ErrorKind::data);
  }
  RowsView odd = rows;
  odd.type = static_cast<ValueType>(3);
  refused("find_neighbors", "a type that is none", search(odd, {.k = 2}));

  refused("NeighborSearch::NeighborSearch", "k is 0", [&] {
    NeighborSearch(rows, {.k = 0}, {1, {}});
  });
  refused("NeighborSearch::NeighborSearch", "rows without data", [&] {
    NeighborSearch(MatrixView{nullptr, 20, 3}, {.k = 2}, {1, {}});
  });
  NeighborSearch prepared(rows, {.k = 2}, {1, {}});
  refused("NeighborSearch::find", "an anchor beyond the rows", [&] {
    prepared.find(beyond, {1, {}});
  });
  const NeighborSearch other = std::move(prepared);
  refused("NeighborSearch::find", "of a search that was moved", [&] {
    prepared.find(three, {1, {}});
  });  // NOLINT(bugprone-use-after-move)
}

TEST(NeighborMisuse, OfAGraphIsRefused) {
  const Matrix matrix = some_rows();
  const RowsView rows = matrix.view();
  const NeighborGraph graph = find_neighbors(rows, {.k = 4}, {1, {}});
  const std::vector<char> keep(20, 1), few = {1, 1};
  const auto within = [&](RowsView view, const NeighborGraph& of, std::span<const char> kept,
                          const NeighborOptions& options) {
    return [=] { neighbors_within(view, of, kept, options, {1, {}}); };
  };
  refused("neighbors_within", "too few marks", within(rows, graph, few, {.k = 2}));
  refused("neighbors_within", "k is 0", within(rows, graph, keep, {.k = 0}));
  refused("neighbors_within", "k is all rows", within(rows, graph, keep, {.k = 20}),
          ErrorKind::data);
  refused("neighbors_within", "rows without data",
          within(MatrixView{nullptr, 20, 3}, graph, keep, {.k = 2}));
  refused("neighbors_within", "a metric that is none",
          within(rows, graph, keep, {.k = 2, .metric = static_cast<Metric>(5)}));
  const std::vector<std::uint32_t> anchors = {1};
  refused("neighbors_within", "anchors are chosen",
          within(rows, graph, keep, {.k = 2, .anchors = anchors}));
  refused("neighbors_within", "too few row names",
          within(rows, graph, keep, {.k = 2, .row_ids = anchors}));
  NeighborGraph wrong = graph;
  wrong.ids[3] = 20;
  refused("neighbors_within", "an id beyond the rows", within(rows, wrong, keep, {.k = 2}));
  wrong = graph;
  wrong.ids.resize(7);
  refused("neighbors_within", "too few ids", within(rows, wrong, keep, {.k = 2}));
  wrong = graph;
  wrong.distances.clear();
  refused("neighbors_within", "no distances", within(rows, wrong, keep, {.k = 2}));
  wrong = graph;
  wrong.k = huge / 2;
  refused("neighbors_within", "a huge k of the graph", within(rows, wrong, keep, {.k = 2}));
  refused("neighbors_within", "an empty graph", within(rows, {}, keep, {.k = 2}));

  refused("NeighborGraph::neighbors", "an anchor that is not there", [&] { graph.neighbors(20); });
  refused("NeighborGraph::neighbors", "a huge anchor", [&] { graph.neighbors(huge); });
  refused("NeighborGraph::neighbors", "a graph that nobody filled",
          [] { NeighborGraph().neighbors(0); });
  refused("NeighborGraph::neighbors", "too few ids", [&] {
    NeighborGraph cut = graph;
    cut.ids.resize(4);
    cut.neighbors(1);
  });
}

}  // namespace
}  // namespace noiseplus
