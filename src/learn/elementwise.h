// What a network does number by number: one function for each instruction set, and a scalar twin
// that is kept for ever. All give the same bits, but for SSE4, which has no fused multiply-add.
#pragma once

#include <cstddef>
#include <span>

namespace noiseplus {

// What a step of Adam does to each parameter; the caller has worked out the corrections for the
// number of the step (Kingma and Ba 2015, algorithm 1, with the decay of Loshchilov and Hutter
// 2019).
struct AdamRule {
  float rate = 0;        // over 1 - 0.9^t
  float correction = 1;  // 1 / sqrt(1 - 0.999^t)
  float kept = 1;        // what is left of a parameter after the decay
};

struct AdamState {
  float* values = nullptr;
  const float* gradients = nullptr;
  float* means = nullptr;
  float* squares = nullptr;
};

struct ElementKernel {
  const char* name = "";

  // result[i] = (values[i] - means[i]) * scale.
  void (*scale)(const float* values, const float* means, float scale, std::size_t count,
                float* result) = nullptr;

  // 0 where the value is 0 or below, else the value, also for NaN; in place.
  void (*rectify)(float* values, std::size_t count) = nullptr;

  // slopes[i] *= factor where units[i] is above 0, else 0.
  void (*gate)(float* slopes, const float* units, float factor, std::size_t count) = nullptr;

  void (*adam)(const AdamState& state, const AdamRule& rule, std::size_t count) = nullptr;
};

// Those this processor can run, fastest first; the scalar twin is last and always there.
std::span<const ElementKernel> element_kernels();

// The one of them that set_kernel has chosen.
const ElementKernel& chosen_element_kernel();

ElementKernel scalar_element_kernel();

}  // namespace noiseplus
