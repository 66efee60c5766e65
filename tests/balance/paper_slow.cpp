// The paper's search on samples: the bias of Algorithm 1 shows, rebalancing and the closed form
// mend it.
#include <gtest/gtest.h>

#include "noiseplus/balance.h"
#include "support.h"

namespace noiseplus {
namespace {

TEST(PaperOnSamples, KeepsItsBias) {
  GeneratorOptions options;
  options.rows = 50000;
  options.positive = .5;
  options.seed = 3;
  const Generated data = generate(options);
  const auto noisy = testing_support::with_noise(data.codes, .1, 0, 11);
  NeighborOptions search;
  search.k = 30;
  const NeighborGraph graph = find_neighbors(data.features.view(), search);

  const auto epsilon = [&](PaperVariant variant) {
    const PaperResult result =
        search_flip(agreement_gap(data.features.view(), graph, noisy, 1, variant, search.seed));
    EXPECT_TRUE(result.successful) << result.why;
    EXPECT_EQ(result.flipped, 0);
    return result.epsilon;
  };
  EXPECT_NEAR(epsilon(PaperVariant::original), .058, .02);
  EXPECT_NEAR(epsilon(PaperVariant::rebalanced), .091, .03);

  NeighborOptions ten;
  const std::vector<std::string> names = {"0", "1"};
  const NoiseEstimate estimate =
      estimate_by_moments(find_neighbors(data.features.view(), ten), noisy, names);
  EXPECT_NEAR(closed_form_plan(estimate).flip[1], 1.0 / 11, .01);
}

}  // namespace
}  // namespace noiseplus
