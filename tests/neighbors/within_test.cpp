// neighbors_within against a search of the kept rows alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "noiseplus/neighbors.h"

namespace noiseplus {
namespace {

Matrix integers_with_ties(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns; ++c) {
      matrix.row(i)[c] = static_cast<float>(hash(seed, Stream::generate, i, c) % 5);
    }
  }
  return matrix;
}

NeighborGraph search_gathered(MatrixView rows, const std::vector<char>& keep,
                              NeighborOptions options) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t row = 0; row < rows.rows; ++row) {
    if (keep[row]) kept.push_back(row);
  }
  Matrix gathered(kept.size(), rows.columns);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    std::copy_n(rows.row(kept[i]), rows.columns, gathered.row(i));
  }
  options.row_ids = kept;
  NeighborGraph graph = find_neighbors(gathered.view(), options);
  for (std::uint32_t& id : graph.ids) id = kept[id];
  graph.anchors = kept;
  return graph;
}

TEST(NeighborsWithin, EqualsASearchOfTheKeptRows) {
  const Matrix matrix = integers_with_ties(400, 3, 1);
  NeighborOptions options;
  options.seed = 11;
  options.k = 12;
  const NeighborGraph graph = find_neighbors(matrix.view(), options);
  for (const double share : {1.0, 0.9, 0.5, 0.1, 0.02}) {
    std::vector<char> keep(400);
    for (std::size_t i = 0; i < 400; ++i) keep[i] = uniform(7, Stream::split, i) < share;
    for (const std::size_t k : {1U, 2U, 5U}) {
      options.k = k;
      const NeighborGraph expected = search_gathered(matrix.view(), keep, options);
      for (const unsigned threads : {1U, 3U}) {
        const NeighborGraph found =
            neighbors_within(matrix.view(), graph, keep, options, {.threads = threads});
        EXPECT_EQ(found.k, k);
        EXPECT_EQ(found.anchors, expected.anchors);
        EXPECT_EQ(found.ids, expected.ids);
        EXPECT_EQ(found.distances, expected.distances);
      }
    }
  }
}

TEST(NeighborsWithin, AGraphWithFewerNeighborsThanAskedStillAnswers) {
  const Matrix matrix = integers_with_ties(60, 2, 3);
  NeighborOptions options;
  options.k = 2;
  const NeighborGraph graph = find_neighbors(matrix.view(), options);
  const std::vector<char> keep(60, 1);
  options.k = 8;
  const NeighborGraph found = neighbors_within(matrix.view(), graph, keep, options);
  EXPECT_EQ(found.ids, find_neighbors(matrix.view(), options).ids);
}

ErrorKind kind_of_error(MatrixView rows, const NeighborGraph& graph, std::vector<char> keep,
                        const NeighborOptions& options) {
  try {
    neighbors_within(rows, graph, keep, options);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::io;
}

TEST(NeighborsWithin, Errors) {
  const Matrix matrix = integers_with_ties(30, 2, 3);
  NeighborOptions options;
  options.k = 4;
  const NeighborGraph graph = find_neighbors(matrix.view(), options);
  std::vector<std::uint32_t> some(30);
  std::iota(some.rbegin(), some.rend(), 0U);
  options.anchors = some;
  const NeighborGraph backwards = find_neighbors(matrix.view(), options);
  options.anchors = {};
  options.k = 2;
  const std::vector<char> all(30, 1);
  EXPECT_EQ(kind_of_error(matrix.view(), backwards, all, options), ErrorKind::usage);
  EXPECT_EQ(kind_of_error(matrix.view(), {}, all, options), ErrorKind::usage);
  EXPECT_EQ(kind_of_error(matrix.view(), graph, {1, 0, 1}, options), ErrorKind::usage);
  std::vector<char> two(30);
  two[3] = two[17] = 1;
  EXPECT_EQ(kind_of_error(matrix.view(), graph, two, options), ErrorKind::data);
  options.k = 0;
  EXPECT_EQ(kind_of_error(matrix.view(), graph, all, options), ErrorKind::usage);
  options.k = 2;
  options.anchors = some;
  EXPECT_EQ(kind_of_error(matrix.view(), graph, all, options), ErrorKind::usage);
  options.anchors = {};
  options.row_ids = std::span(some).first(3);
  EXPECT_EQ(kind_of_error(matrix.view(), graph, all, options), ErrorKind::usage);
}

}  // namespace
}  // namespace noiseplus
