// find_neighbours against a brute force that measures every pair, for every kernel.
#include "neighbours/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <tuple>

#include "neighbours/nearest.h"

namespace noiseplus {
namespace {

NeighbourGraph brute_force(MatrixView rows, std::size_t k, std::uint64_t seed) {
  NeighbourGraph graph;
  graph.k = k;
  for (std::uint32_t a = 0; a < rows.rows; ++a) {
    std::vector<std::tuple<double, std::uint64_t, std::uint32_t>> all;
    for (std::uint32_t b = 0; b < rows.rows; ++b) {
      if (a == b) continue;
      const std::uint64_t tie = hash(seed, Stream::ties, std::min(a, b), std::max(a, b));
      all.push_back({squared_distance(rows.row(a), rows.row(b), rows.columns), tie, b});
    }
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k), all.end());
    graph.anchors.push_back(a);
    for (std::size_t j = 0; j < k; ++j) {
      graph.ids.push_back(std::get<2>(all[j]));
      graph.distances.push_back(static_cast<float>(std::get<0>(all[j])));
    }
  }
  return graph;
}

void expect_equal(const NeighbourGraph& found, const NeighbourGraph& expected) {
  EXPECT_EQ(found.k, expected.k);
  EXPECT_EQ(found.anchors, expected.anchors);
  EXPECT_EQ(found.ids, expected.ids);
  EXPECT_EQ(found.distances, expected.distances);
}

// Kinds of data that are hard for one reason or another: each gives the value of (row, column).
struct Kind {
  const char* name;
  float (*value)(std::uint64_t seed, std::size_t row, std::size_t column);
};

float gaussian(std::uint64_t seed, std::size_t row, std::size_t column) {
  return static_cast<float>(normal(seed, Stream::generate, row, column));
}

float few_integers(std::uint64_t seed, std::size_t row, std::size_t column) {
  return static_cast<float>(hash(seed, Stream::generate, row, column) % 3);
}

constexpr Kind kinds[] = {
    {"gaussian", gaussian},
    {"integers with ties", few_integers},
    {"duplicates",
     [](auto seed, auto row, auto column) { return gaussian(seed, row % 7, column); }},
    {"duplicates with a few others",
     [](auto seed, auto row, auto column) {
       return gaussian(seed, row % 3 == 0 ? row : row % 5, column);
     }},
    {"all equal", [](auto seed, auto, auto column) { return gaussian(seed, 0, column); }},
    {"all zero", [](auto, auto, auto) { return 0.0F; }},
    {"huge offset",
     [](auto seed, auto row, auto column) { return 1e6F + gaussian(seed, row, column); }},
    {"offset of another sign in each column",
     [](auto seed, auto row, auto column) {
       return (column % 2 ? 3e5F : -7e4F) + few_integers(seed, row, column);
     }},
    {"mostly constant columns",
     [](auto seed, auto row, auto column) {
       return column % 4 ? 17.25F : gaussian(seed, row, column);
     }},
    {"1e30", [](auto seed, auto row, auto column) { return 1e30F * gaussian(seed, row, column); }},
    {"near the largest float",
     [](auto seed, auto row, auto column) {
       return 3e38F * (few_integers(seed, row, column) - 1);
     }},
    {"1e-30",
     [](auto seed, auto row, auto column) { return 1e-30F * gaussian(seed, row, column); }},
    {"denormals",
     [](auto seed, auto row, auto column) { return 1e-43F * few_integers(seed, row, column); }},
    {"1e30 and 1e-30 mixed",
     [](auto seed, auto row, auto column) {
       return (row % 4 == 1 ? 1e30F : 1e-30F) * gaussian(seed, row, column);
     }},
    {"columns of very different scale",
     [](auto seed, auto row, auto column) {
       return std::pow(10.0F, static_cast<float>(column % 12) * 3 - 15) *
              gaussian(seed, row, column);
     }},
    {"one far row", [](auto seed, auto row,
                       auto column) { return row == 2 ? 1e20F : gaussian(seed, row, column); }},
    {"a mark for missing values",
     [](auto seed, auto row, auto column) {
       return (row + column) % 11 ? gaussian(seed, row, column) : -3.4e38F;
     }},
    {"sorted",
     [](auto seed, auto row, auto column) {
       return static_cast<float>(row) + 1e-3F * gaussian(seed, row, column);
     }},
};

Matrix make(const Kind& kind, std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns; ++c) matrix.row(i)[c] = kind.value(seed, i, c);
  }
  return matrix;
}

struct Shape {
  std::size_t rows, columns, k;
};

constexpr Shape shapes[] = {{3, 1, 2},     {5, 2, 1},     {33, 3, 4},    {64, 8, 10},
                            {97, 9, 5},    {150, 50, 10}, {600, 17, 3},  {40, 513, 7},
                            {129, 1, 128}, {31, 1025, 2}, {20, 3000, 5}, {12, 0, 3}};

TEST(NeighbourSearch, EveryKernelEqualsBruteForce) {
  std::uint64_t seed = 0;
  for (const Kind& kind : kinds) {
    for (const Shape& shape : shapes) {
      const Matrix matrix = make(kind, shape.rows, shape.columns, ++seed);
      const NeighbourGraph expected = brute_force(matrix.view(), shape.k, seed);
      NeighbourOptions options;
      options.k = shape.k;
      options.seed = seed;
      for (const Kernel& kernel : available_kernels()) {
        SCOPED_TRACE(std::string(kind.name) + ", " + std::to_string(shape.rows) + " x " +
                     std::to_string(shape.columns) + ", " + kernel.name);
        expect_equal(find_neighbours_by(kernel, matrix.view(), options, {.threads = 1}), expected);
        if (::testing::Test::HasFailure()) return;
      }
    }
  }
  EXPECT_GE(seed, 100U);
}

// Counts the tiles it passes on to the kernel under test.
ScoreTile counted_kernel = nullptr;
std::atomic<std::size_t> counted_tiles = 0;

std::uint32_t count_and_score(const Tile& tile, TileHits& hits) {
  ++counted_tiles;
  return counted_kernel(tile, hits);
}

TEST(NeighbourSearch, TheKernelAskedForIsTheOneThatRuns) {
  const Matrix matrix = make(kinds[0], 300, 6, 1);
  NeighbourOptions options;
  options.k = 3;
  const NeighbourGraph expected = brute_force(matrix.view(), 3, 0);
  for (const Kernel& kernel : available_kernels()) {
    SCOPED_TRACE(kernel.name);
    counted_kernel = kernel.score_tile;
    counted_tiles = 0;
    expect_equal(find_neighbours_by({"counted", count_and_score}, matrix.view(), options, {}),
                 expected);
    EXPECT_EQ(counted_tiles, 10U * 25U);
  }
}

TEST(NeighbourSearch, ThreadsDoNotChangeTheResult) {
  for (const std::size_t kind : {0U, 1U, 3U}) {
    const Matrix matrix = make(kinds[kind], 1500, 12, 5);
    NeighbourOptions options;
    options.k = 6;
    options.seed = 9;
    const NeighbourGraph expected = find_neighbours(matrix.view(), options, {.threads = 1});
    for (const unsigned threads : {2U, 5U, 0U}) {
      expect_equal(find_neighbours(matrix.view(), options, {.threads = threads}), expected);
    }
  }
}

TEST(NeighbourSearch, AnchorsGetTheirRowsOfTheFullSearch) {
  const Matrix matrix = make(kinds[1], 500, 5, 2);
  NeighbourOptions options;
  options.k = 4;
  const NeighbourGraph all = find_neighbours(matrix.view(), options);
  std::vector<std::uint32_t> anchors = sample_rows(500, 77, 3, Stream::anchors);
  std::reverse(anchors.begin(), anchors.end());
  anchors.push_back(anchors.front());
  options.anchors = anchors;
  const NeighbourGraph some = find_neighbours(matrix.view(), options);
  ASSERT_EQ(some.anchors, anchors);
  for (std::size_t a = 0; a < anchors.size(); ++a) {
    EXPECT_TRUE(std::ranges::equal(some.neighbours(a), all.neighbours(anchors[a])));
  }
}

TEST(NeighbourSearch, RowNamesOrderTiesAsTheWholeWould) {
  const Matrix whole = make(kinds[1], 200, 2, 4);
  std::vector<std::uint32_t> names = sample_rows(200, 120, 6, Stream::anchors);
  Matrix part(names.size(), 2);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::copy_n(whole.row(names[i]), 2, part.row(i));
  }
  NeighbourOptions options;
  options.k = 199;
  const NeighbourGraph among_all = find_neighbours(whole.view(), options);
  options.k = 5;
  options.row_names = names;
  const NeighbourGraph among_part = find_neighbours(part.view(), options);
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::uint32_t> expected;
    for (const std::uint32_t id : among_all.neighbours(names[i])) {
      if (std::ranges::binary_search(names, id)) expected.push_back(id);
    }
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_EQ(names[among_part.neighbours(i)[j]], expected[j]);
    }
  }
}

TEST(NeighbourSearch, EqualRowsSpreadTheirChoices) {
  const Matrix matrix = make(kinds[4], 1000, 3, 1);
  NeighbourOptions options;
  options.k = 2;
  std::vector<std::uint32_t> first_choice;
  for (const std::uint64_t seed : {0U, 1U}) {
    options.seed = seed;
    const NeighbourGraph graph = find_neighbours(matrix.view(), options);
    std::vector<int> chosen_by(1000);
    for (const std::uint32_t id : graph.ids) ++chosen_by[id];
    // Choices as good as independent: Poisson of mean 2, whose maximum over 1000 is below 14.
    EXPECT_LT(*std::ranges::max_element(chosen_by), 14);
    EXPECT_GT(std::ranges::count_if(chosen_by, [](int count) { return count > 0; }), 700);
    EXPECT_NE(graph.ids, first_choice);
    first_choice = graph.ids;
  }
}

ErrorKind kind_of_error(MatrixView rows, const NeighbourOptions& options,
                        const Execution& execution = {}) {
  try {
    find_neighbours(rows, options, execution);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::io;
}

TEST(NeighbourSearch, Errors) {
  Matrix matrix = make(kinds[0], 10, 3, 1);
  NeighbourOptions options;
  EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::data);  // k = 10 of 10 rows
  EXPECT_EQ(kind_of_error({}, options), ErrorKind::data);
  options.k = 0;
  EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::usage);
  options.k = 9;
  const std::vector<std::uint32_t> anchors = {0, 10};
  options.anchors = anchors;
  EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::usage);
  options.anchors = {};
  options.row_names = anchors;
  EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::usage);
  options.row_names = {};
  EXPECT_NO_THROW(find_neighbours(matrix.view(), options));
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -INFINITY, INFINITY}) {
    matrix.row(7)[2] = bad;
    EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::data);
  }
}

TEST(NeighbourSearch, ErrorsSayWhere) {
  Matrix matrix = make(kinds[0], 100, 3, 1);
  matrix.row(41)[1] = matrix.row(77)[0] = std::numeric_limits<float>::quiet_NaN();
  try {
    find_neighbours(matrix.view(), {}, {.threads = 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("row 41, column 1"), std::string::npos);
  }
}

TEST(NeighbourSearch, CancelsPromptly) {
  const Matrix matrix = make(kinds[5], 20000, 300, 1);
  NeighbourOptions options;
  using Clock = std::chrono::steady_clock;
  for (const double stop_at : {0.0, 1e-3}) {
    Clock::time_point stopped;
    Execution execution;
    execution.threads = 2;
    execution.progress = [&](const Progress& progress) {
      if (progress.done < stop_at) return true;
      stopped = Clock::now();
      return false;
    };
    EXPECT_EQ(kind_of_error(matrix.view(), options, execution), ErrorKind::cancelled);
    const std::chrono::duration<double> waited = Clock::now() - stopped;
    EXPECT_LT(waited.count(), 0.2);
  }
}

TEST(NeighbourSearch, ProgressRisesToOne) {
  const Matrix matrix = make(kinds[0], 2000, 5, 1);
  double last = -1;
  Execution execution;
  execution.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "neighbours");
    last = std::max(last, progress.done);
    return true;
  };
  find_neighbours(matrix.view(), {}, execution);
  EXPECT_EQ(last, 1.0);
}

}  // namespace
}  // namespace noiseplus
