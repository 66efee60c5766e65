// Row ids have 32 bits. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "noiseplus/core.h"

namespace noiseplus {

// Throws data where an id of 32 bits would wrap. To be called before anything of that size is
// allocated or read.
inline void check_row_count(std::size_t rows) {
  if (rows <= std::numeric_limits<std::uint32_t>::max()) return;
  throw Error(ErrorKind::data,
              std::to_string(rows) + " rows are too many: 2^32 - 1 at most; use a sample of them");
}

}  // namespace noiseplus
