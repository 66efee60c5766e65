// Internal to the data stage.
#pragma once

#include <algorithm>
#include <string>

namespace noiseplus {

// At least `wanted` bytes after the first `used`, doubling so that growth costs linear time.
inline void make_room(std::string& text, std::size_t used, std::size_t wanted) {
  if (text.size() - used < wanted) text.resize(used + std::max(used, wanted));
}

}  // namespace noiseplus
