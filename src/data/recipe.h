// Features made the way a recipe says, and what stands in the way. Internal to the data stage.
#pragma once

#include <functional>

#include "noiseplus/data.h"

namespace noiseplus {

// Has a table read so that the recipe's columns are of the kinds they were when it was learned.
void add_table_options(const FeatureRecipe& recipe, TableOptions& options);

// A column that was read as text because it names rows, as read_table would have read it by itself:
// numbers when all of it is numbers.
void restore_numbers(Column& column);

// `is_expected` says of a column that the recipe does not use whether it need not be mentioned.
using IsExpected = std::function<bool(const std::string&)>;

// Throws data when the recipe takes arrays only or the table lacks columns, as well as encode does.
Features follow_recipe(const FeatureRecipe& recipe, const Table& table,
                       const IsExpected& is_expected, std::vector<std::string>& warnings,
                       const Execution& execution);

// A libsvm file need not show its last columns, nor its first, where they are zero. align_sparse
// adds those that an array as it is must have; it throws data when the recipe counts from 1 and the
// file from 0. add_zero_columns adds those that an encoder asks for. REQUIRES: there is one.
void align_sparse(const FeatureRecipe& recipe, const std::string& source, Arrays& arrays);
void add_zero_columns(const FeatureRecipe& recipe, Table& table);

// An array as it is. Throws data when it has another number of columns than the recipe, or gaps.
Features follow_recipe(const FeatureRecipe& recipe, Features features, const std::string& source);

// The array as a table with columns 1, 2, ...
Table as_table(RowsView view, const std::string& source);

}  // namespace noiseplus
