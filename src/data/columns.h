// What is done to the columns of a table wherever they come from. Internal to the data stage.
#pragma once

#include "noiseplus/data.h"

namespace noiseplus {

// Gives the table one empty column for each name, under names that differ: a second column of the
// same name gets ".1" appended, a third ".2", with a warning. Columns without a name, all of them
// unless `has_names`, are called 1, 2, ...
void name_columns(Table& table, const std::vector<std::string>& names, bool has_names);

// The column as text, each number by format_number. REQUIRES: !column.is_text.
Column spell_numbers(const Column& column);

}  // namespace noiseplus
