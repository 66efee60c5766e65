// Which SIMD instructions the library runs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace noiseplus {

// The inner loops exist once for each instruction set: "avx512", "avx2", "sse4", "neon", and
// "scalar", which needs none. The names of those this processor can run, fastest first; "scalar" is
// last and always there.
std::vector<std::string> kernel_names();

// Makes all calls of this process run the kernels of that name from now on; "auto", the default, is
// the fastest. For experts and tests: all kernels but "sse4" give the same bits, so that there is
// nothing else to gain. "sse4" has no fused multiply-add and may differ in the last digits.
// Any thread may call it; a call under way may go on with the kernels it began with. Throws usage
// when `name` is neither "auto" nor one of kernel_names().
void set_kernel(std::string_view name);

// The name of the kernels that calls run now, never "auto".
std::string kernel_in_use();

}  // namespace noiseplus
