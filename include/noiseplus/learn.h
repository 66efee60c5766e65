// Stage 3, learn: models trained on labels as they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "noiseplus/util.h"

namespace noiseplus {

// Logistic regression for labels 0 and 1: P(1 | x) = sigmoid(weights . x + bias).
struct LinearModel {
  std::vector<double> weights;
  double bias = 0;

  double score(const float* row) const;  // the logit
};

struct LinearOptions {
  // Changes the answer. Minimised is mean cross entropy + ridge / 2 * |weights|^2; the bias is
  // free.
  double ridge = 1e-4;
  int most_steps = 200;
  double tolerance = 1e-5;  // on the largest entry of the gradient
};

// By L-BFGS from zero. Throws usage when codes and rows differ in number.
LinearModel train_linear(MatrixView rows, std::span<const std::int32_t> codes,
                         const LinearOptions& options = {}, const Execution& execution = {});

// Share of rows whose sign of the score is the label's.
double accuracy(const LinearModel& model, MatrixView rows, std::span<const std::int32_t> codes);

}  // namespace noiseplus
