// The npy format of numpy. Internal to the data stage.
#pragma once

#include "data/raw_array.h"

namespace noiseplus {

// What the header at the start of `file` says; `data` points just behind it. The shape is
// unchecked, and `file` may end there. Throws data for anything but a whole, well-formed header of
// an element type that can be read.
RawArray parse_npy_header(std::string_view file, const std::string& name);

// The one array that `file` holds, its extent checked.
RawArray read_npy(std::string_view file, const std::string& name);

}  // namespace noiseplus
