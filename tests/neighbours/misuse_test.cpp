#include "misuse.h"

#include "noiseplus/neighbours.h"

namespace noiseplus {
namespace {

using namespace testing_support;

Matrix some_rows() {
  Matrix rows(20, 3);
  for (std::size_t i = 0; i < 60; ++i) rows.row(0)[i] = static_cast<float>(i * i % 17);
  return rows;
}

TEST(NeighbourMisuse, OfASearchIsRefused) {
  const Matrix matrix = some_rows();
  const RowsView rows = matrix.view();
  const auto search = [&](RowsView view, const NeighbourOptions& options) {
    return [=] { find_neighbours(view, options, {1, {}}); };
  };
  refused("find_neighbours", "k is 0", search(rows, {.k = 0}));
  refused("find_neighbours", "k is all rows", search(rows, {.k = 20}), ErrorKind::data);
  refused("find_neighbours", "k is huge", search(rows, {.k = huge}), ErrorKind::data);
  refused("find_neighbours", "no rows", search({}, {}), ErrorKind::data);
  refused("find_neighbours", "rows without data", search(MatrixView{nullptr, 20, 3}, {.k = 2}));
  refused("find_neighbours", "rows times columns wraps",
          search(MatrixView{matrix.row(0), std::size_t{1} << 31, std::size_t{1} << 33}, {.k = 2}));
  refused("find_neighbours", "a metric that is none",
          search(rows, {.k = 2, .metric = static_cast<Metric>(9)}));
  const std::vector<std::uint32_t> beyond = {0, 20}, three = {1, 2, 3};
  refused("find_neighbours", "an anchor beyond the rows",
          search(rows, {.k = 2, .anchors = beyond}));
  refused("find_neighbours", "too few row names", search(rows, {.k = 2, .row_names = three}));
  for (const float value : {static_cast<float>(not_a_number), static_cast<float>(infinite)}) {
    Matrix bad = some_rows();
    bad.row(7)[1] = value;
    refused("find_neighbours", "a value that is not finite", search(bad.view(), {.k = 2}),
            ErrorKind::data);
  }
  RowsView odd = rows;
  odd.type = static_cast<ValueType>(3);
  refused("find_neighbours", "a type that is none", search(odd, {.k = 2}));

  refused("NeighbourSearch::NeighbourSearch", "k is 0", [&] {
    NeighbourSearch(rows, {.k = 0}, {1, {}});
  });
  refused("NeighbourSearch::NeighbourSearch", "rows without data", [&] {
    NeighbourSearch(MatrixView{nullptr, 20, 3}, {.k = 2}, {1, {}});
  });
  NeighbourSearch prepared(rows, {.k = 2}, {1, {}});
  refused("NeighbourSearch::find", "an anchor beyond the rows", [&] {
    prepared.find(beyond, {1, {}});
  });
  const NeighbourSearch other = std::move(prepared);
  refused("NeighbourSearch::find", "of a search that was moved", [&] {
    prepared.find(three, {1, {}});
  });  // NOLINT(bugprone-use-after-move)
}

TEST(NeighbourMisuse, OfAGraphIsRefused) {
  const Matrix matrix = some_rows();
  const RowsView rows = matrix.view();
  const NeighbourGraph graph = find_neighbours(rows, {.k = 4}, {1, {}});
  const std::vector<char> keep(20, 1), few = {1, 1};
  const auto within = [&](RowsView view, const NeighbourGraph& of, std::span<const char> kept,
                          const NeighbourOptions& options) {
    return [=] { neighbours_within(view, of, kept, options, {1, {}}); };
  };
  refused("neighbours_within", "too few marks", within(rows, graph, few, {.k = 2}));
  refused("neighbours_within", "k is 0", within(rows, graph, keep, {.k = 0}));
  refused("neighbours_within", "k is all rows", within(rows, graph, keep, {.k = 20}),
          ErrorKind::data);
  refused("neighbours_within", "rows without data",
          within(MatrixView{nullptr, 20, 3}, graph, keep, {.k = 2}));
  refused("neighbours_within", "a metric that is none",
          within(rows, graph, keep, {.k = 2, .metric = static_cast<Metric>(5)}));
  const std::vector<std::uint32_t> anchors = {1};
  refused("neighbours_within", "anchors are chosen",
          within(rows, graph, keep, {.k = 2, .anchors = anchors}));
  refused("neighbours_within", "too few row names",
          within(rows, graph, keep, {.k = 2, .row_names = anchors}));
  NeighbourGraph wrong = graph;
  wrong.ids[3] = 20;
  refused("neighbours_within", "an id beyond the rows", within(rows, wrong, keep, {.k = 2}));
  wrong = graph;
  wrong.ids.resize(7);
  refused("neighbours_within", "too few ids", within(rows, wrong, keep, {.k = 2}));
  wrong = graph;
  wrong.distances.clear();
  refused("neighbours_within", "no distances", within(rows, wrong, keep, {.k = 2}));
  wrong = graph;
  wrong.k = huge / 2;
  refused("neighbours_within", "a huge k of the graph", within(rows, wrong, keep, {.k = 2}));
  refused("neighbours_within", "an empty graph", within(rows, {}, keep, {.k = 2}));

  refused("NeighbourGraph::neighbours", "an anchor that is not there",
          [&] { graph.neighbours(20); });
  refused("NeighbourGraph::neighbours", "a huge anchor", [&] { graph.neighbours(huge); });
  refused("NeighbourGraph::neighbours", "a graph that nobody filled",
          [] { NeighbourGraph().neighbours(0); });
  refused("NeighbourGraph::neighbours", "too few ids", [&] {
    NeighbourGraph cut = graph;
    cut.ids.resize(4);
    cut.neighbours(1);
  });
}

}  // namespace
}  // namespace noiseplus
