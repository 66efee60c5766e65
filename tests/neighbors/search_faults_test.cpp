// What the search refuses, how it is stopped, and how far it says it has come.
#include "neighbors/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>

#include "neighbors/hard_data.h"

namespace noiseplus {
namespace {

ErrorKind kind_of_error(MatrixView rows, const NeighborOptions& options,
                        const Execution& execution = {}) {
  try {
    find_neighbors(rows, options, execution);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << "no error";
  return ErrorKind::io;
}

TEST(NeighborSearch, Errors) {
  Matrix matrix = make(kinds[0], 10, 3, 1);
  NeighborOptions options;
  EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::data);  // k = 10 of 10 rows
  EXPECT_EQ(kind_of_error({}, options), ErrorKind::data);
  options.k = 0;
  EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::usage);
  options.k = 9;
  const std::vector<std::uint32_t> anchors = {0, 10};
  options.anchors = anchors;
  EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::usage);
  options.anchors = {};
  options.row_ids = anchors;
  EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::usage);
  options.row_ids = {};
  EXPECT_NO_THROW(find_neighbors(matrix.view(), options));
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -INFINITY, INFINITY}) {
    matrix.row(7)[2] = bad;
    EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::data);
  }
}

TEST(NeighborSearch, ErrorsSayWhere) {
  Matrix matrix = make(kinds[0], 100, 3, 1);
  matrix.row(41)[1] = matrix.row(77)[0] = std::numeric_limits<float>::quiet_NaN();
  try {
    find_neighbors(matrix.view(), {}, {.threads = 2});
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("row 41, column 1"), std::string::npos);
  }
}

double seconds_to_cancel(const Matrix& matrix, double stop_at) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point stopped;
  Execution execution;
  execution.threads = 2;
  execution.progress = [&](const Progress& progress) {
    if (progress.done < stop_at) return true;
    stopped = Clock::now();
    return false;
  };
  EXPECT_EQ(kind_of_error(matrix.view(), {}, execution), ErrorKind::cancelled);
  return std::chrono::duration<double>(Clock::now() - stopped).count();
}

// The shortest of up to three: a busy machine may hold up any single one.
void expect_prompt_cancel(const Matrix& matrix) {
  constexpr double limit = 0.2;
  for (const double stop_at : {0.0, 1e-3, 0.1}) {
    double shortest = seconds_to_cancel(matrix, stop_at);
    for (int again = 0; again < 2 && shortest >= limit; ++again) {
      shortest = std::min(shortest, seconds_to_cancel(matrix, stop_at));
    }
    EXPECT_LT(shortest, limit);
  }
}

// The second is so wide that a task is a single tile.
TEST(NeighborSearch, CancelsPromptly) {
  expect_prompt_cancel(make(kinds[0], 20000, 300, 1));
  expect_prompt_cancel(make(kinds[0], 4000, 3072, 1));
}

TEST(NeighborSearch, ARowOfZerosHasNoCosine) {
  Matrix matrix = make(kinds[0], 50, 3, 1);
  std::fill_n(matrix.row(20), 3, -0.0F);
  NeighborOptions options;
  options.metric = Metric::cosine;
  EXPECT_EQ(kind_of_error(matrix.view(), options), ErrorKind::data);
  options.metric = Metric::euclidean;
  EXPECT_NO_THROW(find_neighbors(matrix.view(), options));
}

TEST(NeighborSearch, ProgressRisesToOne) {
  const Matrix matrix = make(kinds[0], 2000, 5, 1);
  double last = -1;
  Execution execution;
  execution.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "neighbors");
    last = std::max(last, progress.done);
    return true;
  };
  find_neighbors(matrix.view(), {}, execution);
  EXPECT_EQ(last, 1.0);
}

}  // namespace
}  // namespace noiseplus
