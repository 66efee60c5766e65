// Wide rows made narrow, for work that would take too long on all of their columns. Internal.
#pragma once

#include "noiseplus/core.h"

namespace noiseplus {

// The rows along their first principal directions, found from a sample of them, each scaled to a
// standard deviation of 1. Returns n x d values, where d is at most `directions`, the number of
// columns, and, for samples with few rows, their number. Where no directions are found (see
// core/principal.h), returns a copy of the rows: n x columns. The same at any number of threads.
Matrix principal_coordinates(RowsView rows, std::size_t directions, const Execution& execution);

}  // namespace noiseplus
