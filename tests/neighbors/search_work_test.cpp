// How much the search does: the kernel asked for, each pair once, and not what can be spared.
#include "neighbors/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string_view>

#include "neighbors/brute_force.h"
#include "neighbors/hard_data.h"

namespace noiseplus {
namespace {

// Counts the tiles it passes on to the kernel under test.
ScoreTile counted_kernel = nullptr;

std::atomic<std::size_t> counted_tiles = 0;

std::uint64_t count_and_score(const Tile& tile, std::uint32_t strips, TileHits& hits) {
  ++counted_tiles;
  return counted_kernel(tile, strips, hits);
}

TEST(NeighborSearch, TheKernelAskedForIsTheOneThatRuns) {
  const Matrix matrix = make(kinds[0], 300, 6, 1);
  NeighborOptions options;
  options.k = 3;
  const NeighborGraph expected = brute_force(matrix.view(), options);
  for (const Kernel& kernel : available_kernels()) {
    SCOPED_TRACE(kernel.name);
    counted_kernel = kernel.score_tile;
    counted_tiles = 0;
    SearchChoices choices;
    choices.kernel = {"counted", count_and_score};
    expect_equal(find_neighbors_by(choices, matrix.view(), options, {}), expected);
    EXPECT_EQ(counted_tiles, 7U * 8U / 2);  // each pair of panels once
  }
}

// A table with a thousand equal rows costs what its distinct rows cost.
TEST(NeighborSearch, DuplicatesAreSearchedOnce) {
  Matrix matrix = make(kinds[0], 6000, 5, 1);
  for (std::size_t i = 300; i < 6000; ++i) std::copy_n(matrix.row(i % 300), 5, matrix.row(i));
  NeighborOptions options;
  SearchCounts counts;
  SearchChoices choices;
  choices.counts = &counts;
  options.k = 25;  // 19 duplicates and 6 others
  expect_equal(find_neighbors_by(choices, matrix.view(), options, {}),
               brute_force(matrix.view(), options));
  EXPECT_EQ(counts.distinct_rows, 300U);
  EXPECT_EQ(counts.tiles, 7U * 8U / 2);
}

TEST(NeighborSearch, ClustersAndFewDirectionsArePruned) {
  const auto share_scored = [](const char* name, std::size_t columns) {
    const Kind& kind = *std::ranges::find(kinds, std::string_view(name), &Kind::name);
    SearchCounts counts;
    SearchChoices choices;
    choices.counts = &counts;
    find_neighbors_by(choices, make(kind, 6000, columns, 3).view(), {}, {});
    constexpr double strips = panel_rows / strip_rows;
    return static_cast<double>(counts.strips_scored) / (strips * static_cast<double>(counts.tiles));
  };
  EXPECT_LT(share_scored("tight clusters far apart", 40), 0.2);  // a sixth is within clusters
  EXPECT_LT(share_scored("few directions", 40), 0.1);
  EXPECT_LT(share_scored("gaussian", 2), 0.25);
  EXPECT_EQ(share_scored("gaussian", 40), 1);  // nothing to be gained, and nothing tried
}

// Indicators, most of them zero: tiles score the columns that both their panels use.
TEST(NeighborSearch, ColumnsOfZerosAreLeftOut) {
  Matrix matrix(4000, 60);
  for (std::size_t i = 0; i < 4000; ++i) {
    matrix.row(i)[hash(1, Stream::generate, i, 0) % 30] = 1;
    matrix.row(i)[30 + hash(1, Stream::generate, i, 1) % 28] = 1;
    matrix.row(i)[58] = gaussian(1, i, 2);
    matrix.row(i)[59] = gaussian(1, i, 3);
  }
  SearchCounts counts;
  SearchChoices choices;
  choices.counts = &counts;
  NeighborOptions options;
  expect_equal(find_neighbors_by(choices, matrix.view(), options, {.threads = 2}),
               brute_force(matrix.view(), options));
  EXPECT_LT(static_cast<double>(counts.columns_scored),
            0.5 * 60 * static_cast<double>(counts.strips_scored));
}

}  // namespace
}  // namespace noiseplus
