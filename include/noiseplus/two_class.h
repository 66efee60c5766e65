// To go: the first linear learner, until the new one takes its place.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "noiseplus/util.h"
namespace noiseplus {
struct LinearModel {
  std::vector<double> weights;
  double bias = 0;
  double score(const float* row) const;
};
struct TwoClassOptions {
  double ridge = 1e-4;
  int most_steps = 200;
  double tolerance = 1e-5;
};
LinearModel train_linear(MatrixView rows, std::span<const std::int32_t> codes,
                         const TwoClassOptions& options = {}, const Execution& execution = {});
double accuracy(const LinearModel& model, MatrixView rows, std::span<const std::int32_t> codes);
}  // namespace noiseplus
