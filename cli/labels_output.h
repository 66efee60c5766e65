// What balance and corrupt write: the table with one more column, or the labels alone.
#pragma once

#include <span>
#include <string>

#include "noiseplus/data.h"

namespace noiseplus::cli {

// Throws usage, before any work is done, when the file's ending does not fit the data or the table
// has the new column already.
void check_output(const Dataset& dataset, const std::string& suffix, const std::string& path);

void write_new_labels(const Dataset& dataset, const std::string& suffix,
                      std::span<const std::int32_t> codes, const std::string& path,
                      OutputFile& output, const Execution& execution);

}  // namespace noiseplus::cli
