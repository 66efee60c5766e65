// Labels that come in blocks of rows. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace noiseplus {

// A warning where the labels of the rows before and after a row tell its own label far better than
// the most frequent label does, as in a file sorted by label; empty otherwise. Rows in random order
// give none. Takes time proportional to the rows. REQUIRES: codes below `classes`.
std::string row_order_warning(std::span<const std::int32_t> codes, std::size_t classes);

}  // namespace noiseplus
