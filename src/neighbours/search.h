// find_neighbours with the kernel chosen by the caller, for tests and benchmarks.
#pragma once

#include "neighbours/kernel.h"
#include "noiseplus/neighbours.h"

namespace noiseplus {

NeighbourGraph find_neighbours_by(const Kernel& kernel, MatrixView rows,
                                  const NeighbourOptions& options, const Execution& execution);

}  // namespace noiseplus
