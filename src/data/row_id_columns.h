// Columns that only name the rows of a table. Internal to the data stage.
#pragma once

#include "noiseplus/data.h"

namespace noiseplus {

// As load() says it: row numbers, ids by name and value, and texts that differ in every row.
bool is_row_id(const Column& column);

// Whether a column is called like an id, or has no name.
bool has_id_name(const Column& column);

}  // namespace noiseplus
