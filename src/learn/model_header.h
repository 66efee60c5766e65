// The header of a model file: everything but the weights, as JSON. Internal to the learn stage.
#pragma once

#include <string>
#include <string_view>

#include "noiseplus/learn.h"

namespace noiseplus {

// Thrown by parse_header; who knows the file makes an Error of it.
struct HeaderFault {
  std::string message;
};

// The same bytes for the same model on every machine. REQUIRES: why_unfit finds nothing.
std::string write_header(const SavedModel& model);

// A model whose layers have shapes and no weights yet; nothing is larger than the text it was read
// from. Fits together only when why_unfit finds nothing. Throws HeaderFault.
SavedModel parse_header(std::string_view json);

// What does not fit together, weights aside: "the layers do not chain". Empty when all does.
std::string why_unfit(const SavedModel& model);

}  // namespace noiseplus
