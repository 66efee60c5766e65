// The header of a model file: everything but the weights, as JSON. Internal to the learn stage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "noiseplus/learn.h"

namespace noiseplus {

// Thrown by parse_header; who knows the file makes an Error of it.
struct HeaderFault {
  std::string message;
};

// Of the file that holds the model: 3 with trees, else 2 with a mixture or a promise, else 1.
std::uint32_t format_version(const SavedModel& model);

// The same bytes for the same model on every machine. REQUIRES: why_unfit finds nothing.
std::string write_header(const SavedModel& model);

// A model whose layers have shapes and no weights yet, or which has no trees yet; nothing is larger
// than the text it was read from. Fits together only when why_unfit finds nothing. Throws
// HeaderFault. REQUIRES: version 1 to 3.
SavedModel parse_header(std::string_view json, std::uint32_t version);

// What does not fit together, weights and trees aside: "the layers do not chain". Empty when all
// does.
std::string why_unfit(const SavedModel& model);

}  // namespace noiseplus
