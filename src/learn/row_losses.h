// The loss of rows, given their logits, and its gradient in the logits: one function for each
// instruction set, and a scalar twin that is kept for ever. All give the same bits, but for SSE4,
// which has no fused multiply-add.
//
// With l_c = -log P(c) and signed weights w_c a row's loss is the sum of w_c l_c, and its gradient
// (sum of w_c) P - w. A weight below zero pulls its class to probability 0 without end; from
// l_c = limit on it no longer counts, neither in the gradient nor, growing, in the loss.
#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace noiseplus {

// `count` rows. Two classes: logits[i] is that of class 1, `stride` is 1. K classes: K logits from
// i * stride on, with room for padded(K) floats. weights are those of Targets, K a row.
// The gradient takes the place of the logits.
struct RowLosses {
  std::size_t count = 0, classes = 2;
  float* logits = nullptr;
  std::size_t stride = 1;
  const float* weights = nullptr;
  float limit = std::numeric_limits<float>::infinity();
};

struct LossKernel {
  const char* name = "";
  // Returns the sum of the losses.
  double (*logistic)(const RowLosses& rows) = nullptr;  // two classes
  double (*softmax)(const RowLosses& rows) = nullptr;   // more
};

// Those this processor can run, fastest first; the scalar twin is last and always there.
std::span<const LossKernel> loss_kernels();

// The one of them that set_kernel has chosen.
const LossKernel& chosen_loss_kernel();

LossKernel scalar_loss_kernel();

// Forward correction: l_c = -log of entry c of T^t P. `transition` is T, K x K. In plain double,
// because it is rare.
double forward_losses(const RowLosses& rows, std::span<const double> transition);

}  // namespace noiseplus
