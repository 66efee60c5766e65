// Wide rows made narrow, for work that would take too long on all of their columns. Internal.
#pragma once

#include "noiseplus/util.h"

namespace noiseplus {

// The rows along their first principal directions, found from a sample of them, each scaled to a
// deviation of 1: n x min(directions, columns). The same at any number of threads.
Matrix principal_coordinates(RowsView rows, std::size_t directions, const Execution& execution);

}  // namespace noiseplus
