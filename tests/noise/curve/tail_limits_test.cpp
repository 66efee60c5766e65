#include "noise/curve/tail_limits.h"

#include <gtest/gtest.h>

#include "noiseplus/core.h"

namespace noiseplus {
namespace {

struct Drawn {
  Matrix posterior;
  std::vector<std::int32_t> codes;
};

// Rows whose clean posterior rises evenly from `low` to `high`, with labels of these rates.
Drawn draw_rows(double low, double high, double e_negative, double e_positive, std::uint64_t seed) {
  constexpr std::size_t rows = 20000;
  Drawn drawn{Matrix(rows, 2), std::vector<std::int32_t>(rows)};
  for (std::size_t n = 0; n < rows; ++n) {
    const double h = low + (high - low) * static_cast<double>(n) / rows;
    drawn.posterior.row(n)[0] = static_cast<float>(1 - h);
    drawn.posterior.row(n)[1] = static_cast<float>(h);
    const double label = e_negative + (1 - e_negative - e_positive) * h;
    drawn.codes[n] = uniform(seed, Stream::generate, n) < label ? 1 : 0;
  }
  return drawn;
}

TEST(TailLimits, HoldWhetherOrNotARegionIsPure) {
  const std::vector<double> prior = {.5, .5};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const double impurity : {.0, .1, .3}) {
      const Drawn drawn = draw_rows(impurity, 1 - impurity, .1, .3, seed);
      const std::vector<double> limits = tail_limits(drawn.posterior.view(), drawn.codes, prior);
      EXPECT_GE(limits[0], .1) << "impurity " << impurity << ", seed " << seed;
      EXPECT_GE(limits[1], .3) << "impurity " << impurity << ", seed " << seed;
      if (impurity == 0) {
        EXPECT_LE(limits[0], .2);
        EXPECT_LE(limits[1], .4);
      }
    }
  }
}

TEST(TailLimits, FewRowsBoundLittle) {
  const Drawn all = draw_rows(0, 1, 0, 0, 1);
  Matrix few(40, 2);
  std::vector<std::int32_t> codes(40);
  for (std::size_t n = 0; n < 40; ++n) {
    few.row(n)[0] = all.posterior.row(n * 500)[0];
    few.row(n)[1] = all.posterior.row(n * 500)[1];
    codes[n] = all.codes[n * 500];
  }
  EXPECT_GT(tail_limits(few.view(), codes, std::vector<double>{.5, .5})[0], .4);
}

}  // namespace
}  // namespace noiseplus
