#include <gtest/gtest.h>

#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

TEST(NoiseEstimator, EachRowHasALabel) {
  const Matrix rows(4, 2);
  const std::vector<std::int32_t> three = {0, 1, 0};
  const std::vector<std::string> names = {"a", "b"};
  EXPECT_THROW(NoiseEstimator(rows.view(), three, names, {}), Error);
}

}  // namespace
}  // namespace noiseplus
