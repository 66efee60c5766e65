// Pieces of JSON that several reports share. Internal.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "noiseplus/pipeline.h"

namespace noiseplus {

using Json = nlohmann::ordered_json;

// A row-major square matrix as an array of rows.
Json matrix_json(const std::vector<double>& matrix, std::size_t size);

// "key" and "key_interval"; null where there is none.
void add_estimate(Json& json, const std::string& key,
                  const std::optional<EstimateWithInterval>& estimate);

// `judged` is how many rows they were chosen from.
Json suspects_json(const Suspects& suspects, std::size_t judged);

}  // namespace noiseplus
