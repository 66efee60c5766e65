#include "misuse.h"

#include "noiseplus/kernels.h"
#include "noiseplus/neighbours.h"

namespace noiseplus {
namespace {

using namespace testing_support;

Matrix some_rows() {
  Matrix rows(20, 3);
  for (std::size_t i = 0; i < 60; ++i) rows.row(0)[i] = static_cast<float>(i * i % 17);
  return rows;
}

TEST(UtilMisuse, IsRefused) {
  refused("Matrix::Matrix", "more values than 64 bits count", [] { Matrix(huge, 2); });
  refused("Matrix::Matrix", "a product that wraps to 0",
          [] { Matrix(std::size_t{1} << 32, std::size_t{1} << 32); });
  refused("Matrix::Matrix", "more bytes than there are addresses",
          [] { Matrix(std::size_t{1} << 61, 2); });
  answered("Matrix::Matrix", "no rows", [] { EXPECT_EQ(Matrix(0, huge).rows(), 0U); });
  Matrix buffer;
  refused("RowsView::floats", "rows without data", [&] {
    RowsView(MatrixView{nullptr, 3, 2}).floats(buffer);
  });
  refused("RowsView::floats", "halves without data",
          [&] { RowsView(nullptr, 3, 2).floats(buffer); });
  refused("RowsView::floats", "a type that is none", [&] {
    const float value = 0;
    RowsView rows(MatrixView{&value, 1, 1});
    rows.type = static_cast<ValueType>(7);
    rows.floats(buffer);
  });
  answered("RowsView::RowsView", "nothing at all",
           [] { EXPECT_EQ(RowsView(nullptr, 0, 0).rows, 0U); });
  answered("Error::Error", "an empty message", [] { Error(ErrorKind::usage, "").kind(); });
  answered("Error::kind", "a kind that is none",
           [] { Error(static_cast<ErrorKind>(9), "x").kind(); });
  for (const std::uint64_t any : {std::uint64_t{0}, ~std::uint64_t{0}}) {
    const auto stream = static_cast<Stream>(any);
    answered("hash", "any numbers", [&] { hash(any, stream, any, any); });
    answered("uniform", "any numbers", [&] { EXPECT_LT(uniform(any, stream, any, any), 1); });
    answered("normal", "any numbers", [&] { EXPECT_LT(normal(any, stream, any, any), 100); });
  }
  for (const char* name : {"", "avx1024", "Scalar"}) {
    refused("set_kernel", "a name that is none", [=] { set_kernel(name); });
  }
  answered("kernel_names", "nothing", [] { EXPECT_EQ(kernel_names().back(), "scalar"); });
  answered("kernel_in_use", "nothing", [] { EXPECT_NE(kernel_in_use(), "auto"); });
  answered("sample_rows", "more than there are",
           [] { EXPECT_EQ(sample_rows(5, huge, 0, Stream::anchors).size(), 5U); });
  answered("sample_rows", "none of none",
           [] { EXPECT_TRUE(sample_rows(0, 0, 0, Stream::anchors).empty()); });
}

TEST(NeighbourMisuse, OfASearchIsRefused) {
  const Matrix matrix = some_rows();
  const RowsView rows = matrix.view();
  const auto search = [&](RowsView view, const NeighbourOptions& options) {
    return [=] { find_neighbours(view, options, {1, {}}); };
  };
  refused("find_neighbours", "k is 0", search(rows, {.k = 0}));
  refused("find_neighbours", "k is all rows", search(rows, {.k = 20}));
  refused("find_neighbours", "k is huge", search(rows, {.k = huge}));
  refused("find_neighbours", "no rows", search({}, {}));
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
    refused("find_neighbours", "a value that is not finite", search(bad.view(), {.k = 2}));
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
  refused("neighbours_within", "k is all rows", within(rows, graph, keep, {.k = 20}));
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
