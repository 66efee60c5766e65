// On which rows the rates of a model are counted.
#include <gtest/gtest.h>

#include <algorithm>

#include "noiseplus/fair.h"

namespace noiseplus {
namespace {

// Columns that say nothing of the labels, in number enough to learn them by heart.
struct PureNoise {
  Matrix rows = Matrix(400, 60);
  std::vector<std::int32_t> codes, groups;

  PureNoise() {
    for (std::size_t n = 0; n < rows.rows(); ++n) {
      for (std::size_t c = 0; c < rows.columns(); ++c) {
        rows.row(n)[c] = static_cast<float>(normal(1, Stream::generate, n, c));
      }
      codes.push_back(uniform(1, Stream::corrupt, n) < .5 ? 0 : 1);
      groups.push_back(static_cast<std::int32_t>(n % 2));
    }
  }

  FairTrainResult trained(std::size_t folds, const Execution& execution = {}) const {
    FairOptions fair;
    fair.group_names = {"a", "b"};
    fair.folds = folds;
    TrainOptions train;
    train.class_names = {"0", "1"};
    return train_fair(rows.view(), {codes, 2, {}}, groups, train, fair, execution);
  }
};

TEST(FairFolds, WhatIsLearnedByHeartDoesNotCount) {
  const PureNoise data;
  EXPECT_LT(data.trained(0).free_error, .4);
  EXPECT_GT(data.trained(5).free_error, .45);
}

TEST(FairFolds, TheConstraintHoldsOnTheRowsThatAreCounted) {
  const PureNoise data;
  for (const std::size_t folds : {0U, 5U}) EXPECT_LE(data.trained(folds).violation, .02 + 1e-6);
}

TEST(FairFolds, ALabelWithFewerRowsThanFoldsIsCountedOnItsOwnRows) {
  PureNoise data;
  int left = 3;
  for (std::size_t n = 0; n < data.codes.size(); ++n) {
    if (data.groups[n] == 1 && data.codes[n] == 1 && left-- <= 0) data.codes[n] = 0;
  }
  EXPECT_EQ(data.trained(5).free_error, data.trained(0).free_error);
  EXPECT_NE(data.trained(2).free_error, data.trained(0).free_error);
}

TEST(FairFolds, ProgressGoesForward) {
  std::vector<double> done;
  const Execution execution{1, [&](const Progress& progress) {
                              done.push_back(progress.done);
                              return true;
                            }};
  PureNoise().trained(5, execution);
  ASSERT_FALSE(done.empty());
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
}

}  // namespace
}  // namespace noiseplus
