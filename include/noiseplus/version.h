#pragma once

#include <string>

namespace noiseplus {

// The version of the library, "0.1.0".
std::string version();

}  // namespace noiseplus
