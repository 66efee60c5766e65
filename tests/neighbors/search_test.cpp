// find_neighbors against a brute force that measures every pair, whatever the choices made for
// speed.
#include "neighbors/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "neighbors/brute_force.h"
#include "neighbors/hard_data.h"

namespace noiseplus {
namespace {

struct Shape {
  std::size_t rows, columns, k;
};

constexpr Shape shapes[] = {{3, 1, 2},     {5, 2, 1},     {33, 3, 4},    {64, 8, 10},
                            {97, 9, 5},    {150, 50, 10}, {600, 17, 3},  {40, 513, 7},
                            {129, 1, 128}, {31, 1025, 2}, {20, 3000, 5}, {12, 0, 3}};

NeighborOptions options_for(const Shape& shape, std::uint64_t seed) {
  NeighborOptions options;
  options.k = shape.k;
  options.seed = seed;
  return options;
}

TEST(NeighborSearch, EveryKernelEqualsBruteForce) {
  std::uint64_t seed = 0;
  for (const Kind& kind : kinds) {
    for (const Shape& shape : shapes) {
      const Matrix matrix = make(kind, shape.rows, shape.columns, ++seed);
      const NeighborOptions options = options_for(shape, seed);
      const NeighborGraph expected = brute_force(matrix.view(), options);
      for (const Kernel& kernel : available_kernels()) {
        SCOPED_TRACE(std::string(kind.name) + ", " + std::to_string(shape.rows) + " x " +
                     std::to_string(shape.columns) + ", " + kernel.name);
        SearchChoices choices;
        choices.kernel = kernel;
        expect_equal(find_neighbors_by(choices, matrix.view(), options, {.threads = 1}), expected);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GE(seed, 100U);
}

// Small blocks, so that there are many, and every bound in use whether it pays or not.
TEST(NeighborSearch, PruningChangesNothing) {
  std::uint64_t seed = 1000;
  for (const Kind& kind : kinds) {
    for (const Shape& shape : {Shape{300, 1, 5}, {500, 3, 4}, {700, 20, 3}, {400, 70, 10}}) {
      const Matrix matrix = make(kind, shape.rows, shape.columns, ++seed);
      NeighborOptions options = options_for(shape, seed);
      const NeighborGraph expected = brute_force(matrix.view(), options);
      for (const std::size_t length : {0U, 1U, 3U}) {
        SCOPED_TRACE(std::string(kind.name) + ", " + std::to_string(shape.rows) + " x " +
                     std::to_string(shape.columns) + ", length " + std::to_string(length));
        SearchChoices choices;
        choices.rows_worth_pruning = 1;
        choices.sketch_length = length;
        choices.block_bytes = 1 + length * 20000;
        expect_equal(find_neighbors_by(choices, matrix.view(), options, {.threads = 2}), expected);
        if (::testing::Test::HasFailure()) return;
      }
      const std::vector<std::uint32_t> anchors = sample_rows(shape.rows, 60, 1, Stream::anchors);
      options.anchors = anchors;
      SearchChoices choices;
      choices.block_bytes = 1;
      expect_equal(find_neighbors_by(choices, matrix.view(), options, {.threads = 2}),
                   brute_force(matrix.view(), options));
    }
  }
}

TEST(NeighborSearch, CosineEqualsBruteForce) {
  std::uint64_t seed = 2000;
  for (const Kind& kind : kinds) {
    for (const Shape& shape : {Shape{60, 2, 5}, {300, 7, 4}, {200, 33, 10}, {40, 600, 3}}) {
      Matrix matrix = make(kind, shape.rows, shape.columns, ++seed);
      for (std::size_t i = 0; i < shape.rows; ++i) {
        matrix.row(i)[i % shape.columns] += 1;  // no row of zeros
        if (i % 5 == 4) {                       // another length, the same direction
          for (std::size_t c = 0; c < shape.columns; ++c) {
            matrix.row(i)[c] = (i % 2 ? 0.25F : 0.3F) * matrix.row(i - 1)[c];
          }
        }
      }
      NeighborOptions options = options_for(shape, seed);
      options.metric = Metric::cosine;
      SCOPED_TRACE(std::string(kind.name) + ", " + std::to_string(shape.rows));
      SearchChoices choices;
      choices.rows_worth_pruning = seed % 2 ? 1 : 1000;
      choices.sketch_length = 0;
      expect_equal(find_neighbors_by(choices, matrix.view(), options, {.threads = 2}),
                   brute_force(matrix.view(), options));
      if (::testing::Test::HasFailure()) return;
    }
  }
}

TEST(NeighborSearch, CosineIsTwoLessTwiceTheCosine) {
  Matrix matrix(3, 2);
  std::copy_n(std::vector<float>{3, 0, 0, 5, 2, 2}.data(), 6, matrix.row(0));
  NeighborOptions options;
  options.k = 2;
  options.metric = Metric::cosine;
  const NeighborGraph graph = find_neighbors(matrix.view(), options);
  EXPECT_EQ(graph.ids, (std::vector<std::uint32_t>{2, 1, 2, 0, graph.ids[4], graph.ids[5]}));
  EXPECT_NEAR(graph.distances[0], 2 - 2 * std::sqrt(0.5), 1e-6);
  EXPECT_NEAR(graph.distances[1], 2, 1e-6);
}

TEST(NeighborSearch, HalvesGiveWhatTheirFloatsGive) {
  const std::size_t rows = 400, columns = 9;
  std::vector<std::uint16_t> halves(rows * columns);
  for (std::size_t i = 0; i < halves.size(); ++i) {
    halves[i] = static_cast<std::uint16_t>(hash(1, Stream::generate, i) & 0xbfffU);  // finite
    if (i % 3 == 0) halves[i] &= 0x8fffU;  // many of them near zero, subnormal or minus zero
  }
  const RowsView view(halves.data(), rows, columns);
  Matrix floats(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    std::copy_n(view.row(i, floats.row(i)), columns, floats.row(i));
  }
  NeighborOptions options;
  options.k = 7;
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    options.metric = metric;
    SearchChoices choices;
    choices.rows_worth_pruning = 1;
    expect_equal(find_neighbors_by(choices, view, options, {}),
                 find_neighbors(floats.view(), options));
    expect_equal(find_neighbors(view, options), brute_force(floats.view(), options));
  }
}

TEST(NeighborSearch, ThreadsDoNotChangeTheResult) {
  for (const std::size_t kind : {0U, 1U, 3U}) {
    const Matrix matrix = make(kinds[kind], 1500, 12, 5);
    NeighborOptions options;
    options.k = 6;
    options.seed = 9;
    const NeighborGraph expected = find_neighbors(matrix.view(), options, {.threads = 1});
    for (const unsigned threads : {2U, 5U, 0U}) {
      expect_equal(find_neighbors(matrix.view(), options, {.threads = threads}), expected);
    }
  }
}

TEST(NeighborSearch, AnchorsGetTheirRowsOfTheFullSearch) {
  const Matrix matrix = make(kinds[1], 500, 5, 2);
  NeighborOptions options;
  options.k = 4;
  const NeighborGraph all = find_neighbors(matrix.view(), options);
  std::vector<std::uint32_t> anchors = sample_rows(500, 77, 3, Stream::anchors);
  std::reverse(anchors.begin(), anchors.end());
  anchors.push_back(anchors.front());
  options.anchors = anchors;
  const NeighborGraph some = find_neighbors(matrix.view(), options);
  ASSERT_EQ(some.anchors, anchors);
  for (std::size_t a = 0; a < anchors.size(); ++a) {
    EXPECT_TRUE(std::ranges::equal(some.neighbors(a), all.neighbors(anchors[a])));
  }
}

TEST(NeighborSearch, RowNamesOrderTiesAsTheWholeWould) {
  const Matrix whole = make(kinds[1], 200, 2, 4);
  std::vector<std::uint32_t> names = sample_rows(200, 120, 6, Stream::anchors);
  Matrix part(names.size(), 2);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::copy_n(whole.row(names[i]), 2, part.row(i));
  }
  NeighborOptions options;
  options.k = 199;
  const NeighborGraph among_all = find_neighbors(whole.view(), options);
  options.k = 5;
  options.row_ids = names;
  const NeighborGraph among_part = find_neighbors(part.view(), options);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t id : among_all.neighbors(names[i])) {
      if (std::ranges::binary_search(names, id)) expected.push_back(id);
    }
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_EQ(names[among_part.neighbors(i)[j]], expected[j]);
    }
  }
}

TEST(NeighborSearch, EqualRowsSpreadTheirChoices) {
  const Matrix matrix = make(kinds[4], 1000, 3, 1);
  NeighborOptions options;
  options.k = 2;
  std::vector<std::uint32_t> first_choice;
  for (const std::uint64_t seed : {0U, 1U}) {
    options.seed = seed;
    const NeighborGraph graph = find_neighbors(matrix.view(), options);
    std::vector<int> chosen_by(1000);
    for (const std::uint32_t id : graph.ids) ++chosen_by[id];
    // Each row is chosen by those whose place is in the two gaps before its own: a Poisson number
    // with a random mean of 2. One in four is chosen by none, and none by more than some twenty.
    EXPECT_LT(*std::ranges::max_element(chosen_by), 25);
    EXPECT_GT(std::ranges::count_if(chosen_by, [](int count) { return count > 0; }), 700);
    EXPECT_NE(graph.ids, first_choice);
    first_choice = graph.ids;
  }
}

// Wide, of few directions and mostly zero: sketches must be exact, or do without.
TEST(NeighborSearch, WideRowsOfLowRank) {
  Matrix matrix(120, 3000);
  for (std::size_t i = 0; i < 120; ++i) {
    for (std::size_t c = 0; c < 1200; ++c) {
      matrix.row(i)[c] = std::round(1000 * gaussian(1, i, c / 600));
    }
  }
  SearchChoices choices;
  choices.rows_worth_pruning = 1;
  NeighborOptions options;
  options.k = 3;
  for (const std::size_t length : {0U, 3U}) {
    choices.sketch_length = length;
    expect_equal(find_neighbors_by(choices, matrix.view(), options, {}),
                 brute_force(matrix.view(), options));
  }
}

TEST(NeighborSearch, RoundsGiveWhatOneSearchGives) {
  const Matrix matrix = make(kinds[3], 900, 6, 8);
  NeighborOptions options;
  options.k = 4;
  const NeighborGraph all = find_neighbors(matrix.view(), options);
  const NeighborSearch search(matrix.view(), options);
  expect_equal(search.find({}), all);
  const std::vector<std::uint32_t> anchors = {5, 899, 5, 17};
  const NeighborGraph some = search.find(anchors, {.threads = 2});
  ASSERT_EQ(some.anchors, anchors);
  for (std::size_t a = 0; a < anchors.size(); ++a) {
    EXPECT_TRUE(std::ranges::equal(some.neighbors(a), all.neighbors(anchors[a])));
  }
  const std::vector<std::uint32_t> outside = {900};
  EXPECT_THROW(search.find(outside), Error);
}

}  // namespace
}  // namespace noiseplus
