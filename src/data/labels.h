// Names of rows: labels, and what is like them. Internal to the data stage.
#pragma once

#include "noiseplus/data.h"

namespace noiseplus {

// As make_labels; `what` is what messages call a name: "label", "group".
Labels name_rows(const Column& column, const Table& table, const std::string& what);
Labels name_rows(const std::vector<std::string>& texts, const std::string& source,
                 const std::string& what);

// As relabel; `whose` is what messages call the known names: "the model's classes".
Labels rename_rows(Labels names, const std::vector<std::string>& classes,
                   const std::vector<std::string>& spellings, const std::string& source,
                   const std::string& what, const std::string& whose);

}  // namespace noiseplus
