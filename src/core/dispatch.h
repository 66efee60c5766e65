// Choosing among the functions that Highway compiled once for each instruction set. To be included
// before any header of Highway's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

// Our kernels keep vectors in arrays, which vectors of unknown length do not allow. A processor
// that stops at SSSE3 is old enough for the scalar twins.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#include "hwy/targets.h"

// core/kernel_choice.cpp has a name for these, and the tests know which of them have fused
// multiply-add. Disable others above, or give them a name.
static_assert((HWY_TARGETS &
               ~(HWY_AVX3 | HWY_AVX2 | HWY_SSE4 | HWY_NEON | HWY_SCALAR | HWY_EMU128)) == 0,
              "Highway compiles for an instruction set that has no name here");

namespace noiseplus {

// `makers` are those of HWY_CHOOSE_TARGET_LIST: best target first, each at the place of its bit,
// null where nothing was compiled. The result has what they make for the targets that this
// processor has, in the same order, and the scalar twin last.
template <typename Kernel, std::size_t count>
std::vector<Kernel> supported_kernels(Kernel (*const (&makers)[count])(), const Kernel& twin) {
  std::vector<Kernel> kernels;
  constexpr int first_bit = HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS;
  const std::int64_t supported = hwy::SupportedTargets();
  for (std::size_t i = 0; i < count; ++i) {
    const bool is_there = (supported >> (first_bit + static_cast<int>(i)) & 1) != 0;
    if (makers[i] != nullptr && is_there) kernels.push_back(makers[i]());
  }
  kernels.push_back(twin);
  return kernels;
}

}  // namespace noiseplus
