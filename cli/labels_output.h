// What balance and corrupt write: the table with one more column, or the labels alone.
#pragma once

#include <span>
#include <string>

#include "noiseplus/data.h"

namespace noiseplus::cli {

// Throws usage when the ending of `path` is not that of a table separated as this one.
void check_table_ending(const Table& table, const std::string& path);

// Throws usage, before any work is done, when the file's ending does not fit the data or the table
// has the new column already.
void check_output(const Dataset& dataset, const std::string& suffix, const std::string& path);

// Rows without a label get an empty one.
void write_new_labels(const Dataset& dataset, const std::string& suffix,
                      std::span<const std::int32_t> codes, const std::string& path,
                      OutputFile& output, const Execution& execution);

}  // namespace noiseplus::cli
