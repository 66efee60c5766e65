// Names of rows: labels, and what is like them. Internal to the data stage.
#pragma once

#include "noiseplus/data.h"

namespace noiseplus {

// As make_labels; `what` is what messages call a name: "label", "group". Rows that are not 0 in
// `ignored`, which is empty or has one value per row, get the code -1, and their names do not
// count.
Labels name_rows(const Column& column, const Table& table, const std::string& what,
                 std::span<const char> ignored = {});
Labels name_rows(const std::vector<std::string>& texts, const std::string& source,
                 const std::string& what, std::span<const char> ignored = {});

// Of each row 1 where its name is missing, else 0; empty where none is.
std::vector<char> find_missing_names(const Column& column);
std::vector<char> find_missing_names(const std::vector<std::string>& texts);

// As relabel; `whose` is what messages call the known names: "the model's classes".
Labels rename_rows(Labels names, const std::vector<std::string>& classes,
                   const std::vector<std::string>& spellings, const std::string& source,
                   const std::string& what, const std::string& whose,
                   std::span<const std::size_t> row_ids = {});

}  // namespace noiseplus
