// Pieces of JSON that several reports share. Internal.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace noiseplus {

using Json = nlohmann::ordered_json;

// A row-major square matrix as an array of rows.
Json matrix_json(const std::vector<double>& matrix, std::size_t size);

}  // namespace noiseplus
