// The search on real pixels, against brute force. Run from the root of the project by
// `make shared-data-test`.
#include <gtest/gtest.h>

#include "neighbors/brute_force.h"
#include "neighbors/search.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

const Features& pixels() {
  static const std::string path = "../shared/data/mnist/train-images-idx3-ubyte.gz";
  static const Features features = read_arrays(Bytes::read(path), path, Format::idx).features;
  return features;
}

RowsView first_rows(std::size_t rows) {
  RowsView view = pixels().view();
  view.rows = rows;
  return view;
}

TEST(SharedData, NeighborsOfMnistRowsEqualBruteForce) {
  for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
    NeighborOptions options;
    options.metric = metric;
    const NeighborGraph expected = brute_force(first_rows(2000), options);
    for (const Kernel& kernel : available_kernels()) {
      SearchChoices choices;
      choices.kernel = kernel;
      choices.rows_worth_pruning = 1;
      EXPECT_EQ(find_neighbors_by(choices, first_rows(2000), options, {}).ids, expected.ids);
    }
  }
}

TEST(SharedData, NeighborsAmongAllOfMnistEqualBruteForceForSome) {
  const RowsView rows = pixels().view();
  ASSERT_EQ(rows.rows, 60000U);
  NeighborOptions options;
  SearchCounts counts;
  SearchChoices choices;
  choices.counts = &counts;
  const NeighborGraph all = find_neighbors_by(choices, rows, options, {});
  EXPECT_GT(counts.sketch_directions, 0U);
  const std::vector<std::uint32_t> anchors = sample_rows(rows.rows, 100, 1, Stream::anchors);
  options.anchors = anchors;
  const NeighborGraph expected = brute_force(rows, options);
  EXPECT_EQ(find_neighbors(rows, options).ids, expected.ids);
  for (std::size_t a = 0; a < anchors.size(); ++a) {
    EXPECT_TRUE(std::ranges::equal(all.neighbors(anchors[a]), expected.neighbors(a)));
  }
}

}  // namespace
}  // namespace noiseplus
