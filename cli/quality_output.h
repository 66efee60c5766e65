// What audit writes of single rows: --rows has all of them, --suspects-file those to look at.
#pragma once

#include <string>

#include "noiseplus/data.h"
#include "noiseplus/noise.h"

namespace noiseplus::cli {

// csv, a line for each row of the file: row (from 1), given, suggested, probability that the given
// label is right. Rows without a label have only their number.
void write_rows(const Dataset& dataset, const LabelQuality& quality, bool escapes_formulas,
                OutputFile& output, const Execution& execution);

// Throws usage when the file's ending does not fit the data.
void check_suspects_file(const Dataset& dataset, const std::string& path);

// The rows of which another label is likelier, the least likely label first, as write_rows has them
// and then, of a table, the row as it is in the file; separated as the file is. Escaped are the
// labels, the names of columns and the cells of the row.
void write_suspects(const Dataset& dataset, const LabelQuality& quality, bool escapes_formulas,
                    OutputFile& output, const Execution& execution);

}  // namespace noiseplus::cli
