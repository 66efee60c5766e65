// Which of a list of kernels runs. Every user of kernels asks here, so that set_kernel of
// noiseplus/kernels.h reaches all of them. Internal to the library.
#pragma once

#include <span>
#include <string_view>

namespace noiseplus {

// Highway's name of the chosen instruction set; empty where the fastest is wanted.
std::string_view chosen_target();

// `kernels` are those of the processor, fastest first, as supported_kernels of core/dispatch.h
// lists them: set_kernel accepts only names that every such list has.
template <typename Kernel>
const Kernel& chosen_kernel(std::span<const Kernel> kernels) {
  const std::string_view wanted = chosen_target();
  for (const Kernel& kernel : kernels) {
    if (wanted == kernel.name) return kernel;
  }
  return kernels.front();
}

}  // namespace noiseplus
