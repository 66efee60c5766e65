// What calls ask of tables, labels and data sets that a caller may have filled. Each check throws
// usage and is one linear pass at most. Internal.
#pragma once

#include "noiseplus/data.h"

namespace noiseplus {

// Not a value per row, or a code that is none of the categories.
void check_column(const Column& column, std::size_t rows);

// All columns of a table.
void check_table(const Table& table);

// Not a code per row, a code that is none of the classes, or spellings that are not one per class.
// `what` is "label" or "group".
void check_row_labels(const Labels& labels, std::size_t rows, const char* what);

// Features, labels, groups and table that are not of the same rows and columns.
void check_dataset(const Dataset& dataset);

}  // namespace noiseplus
