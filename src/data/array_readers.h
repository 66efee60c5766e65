// The readers of array files, one for each format. Internal to the data stage.
#pragma once

#include "data/raw_array.h"

namespace noiseplus {

// The one array that an idx file (the format of MNIST) holds, its extent checked.
RawArray read_idx(std::string_view file, const std::string& name);

// See read_arrays.
Arrays read_npz(const Bytes& bytes, const std::string& source, const std::string& label,
                bool with_labels, std::optional<std::uint64_t> max_unpacked);
Arrays read_libsvm(const Bytes& bytes, const std::string& source);

}  // namespace noiseplus
