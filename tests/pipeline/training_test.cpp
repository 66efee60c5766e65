#include <gtest/gtest.h>

#include "noiseplus/pipeline.h"
#include "pipeline/generated.h"

namespace noiseplus {
namespace {

TEST(TrainModel, AGivenMatrixOfAnotherSizeIsRefused) {
  const Dataset dataset = testing_support::generated(.5, .2, .1, 400);
  TrainModelOptions options;
  options.train.loss = LossKind::backward;
  options.transition = "given";
  for (const std::size_t numbers : {0U, 2U, 9U}) {
    options.train.transition.assign(numbers, 0.5);
    EXPECT_THROW(train_model(dataset, options), Error) << numbers;
  }
}

}  // namespace
}  // namespace noiseplus
