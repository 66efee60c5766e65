// Arrays that Python reads too.
#pragma once

#include <string>

#include "noiseplus/core.h"

namespace noiseplus::bench {

// float32, C order; whole or not at all.
void write_npy(MatrixView matrix, const std::string& path);

}  // namespace noiseplus::bench
