#include "data/recipe.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include "core/rows.h"
#include "data/name_list.h"

namespace noiseplus {
namespace {

void refuse_missing_columns(const Encoder& encoder, const Table& table) {
  std::unordered_set<std::string_view> present;
  for (const Column& column : table.columns) present.insert(column.name);
  NameList missing;
  for (const Encoder::Part& part : encoder.parts) {
    if (!present.contains(part.column)) missing.add(part.column);
  }
  if (missing.empty()) return;
  throw Error(ErrorKind::data, table.source + ": lacks " + missing.columns() +
                                   " that the model was trained with: " + missing.names() +
                                   "; it has " + std::to_string(table.columns.size()) +
                                   " columns; give a file that has them all");
}

void warn_of_unused_columns(const Encoder& encoder, const Table& table,
                            const IsExpected& is_expected, std::vector<std::string>& warnings) {
  std::unordered_set<std::string_view> used;
  for (const Encoder::Part& part : encoder.parts) used.insert(part.column);
  NameList unused;
  for (const Column& column : table.columns) {
    if (!used.contains(column.name) && !is_expected(column.name)) unused.add(column.name);
  }
  if (unused.empty()) return;
  warnings.push_back(unused.columns() + " that the model does not use: " + unused.names());
}

// The rows that hold a text the part has no place for, and the first of them.
struct Unseen {
  std::size_t rows = 0;
  std::size_t first_row = 0;
};

Unseen find_unseen(const Encoder::Part& part, const Column& column) {
  std::vector<char> is_unseen(column.categories.size());
  for (std::size_t c = 0; c < is_unseen.size(); ++c) {
    is_unseen[c] =
        !std::binary_search(part.categories.begin(), part.categories.end(), column.categories[c]);
  }
  Unseen unseen;
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    const std::int32_t code = column.codes[row];
    if (code < 0 || is_unseen[static_cast<std::size_t>(code)] == 0) continue;
    if (unseen.rows++ == 0) unseen.first_row = row;
  }
  return unseen;
}

void warn_of_unseen_texts(const Encoder& encoder, const Table& table,
                          std::vector<std::string>& warnings) {
  constexpr std::size_t max_warnings = 10;
  std::size_t columns = 0;
  std::unordered_map<std::string_view, const Column*> by_name;
  for (const Column& column : table.columns) by_name.emplace(column.name, &column);
  for (const Encoder::Part& part : encoder.parts) {
    const Column& column = *by_name.at(part.column);
    if (!part.is_text || part.pools_rare || !column.is_text) continue;
    const Unseen unseen = find_unseen(part, column);
    if (unseen.rows == 0 || ++columns > max_warnings) continue;
    const std::int32_t code = column.codes[unseen.first_row];
    warnings.push_back("column '" + part.column + "': " + std::to_string(unseen.rows) +
                       (unseen.rows == 1 ? " row holds" : " rows hold") +
                       " a text that was not there in training, such as '" +
                       column.categories[static_cast<std::size_t>(code)] + "' at " +
                       table.where(unseen.first_row, column) + "; it counts as none of the known");
  }
  if (columns > max_warnings) {
    warnings.push_back("the same in " + std::to_string(columns - max_warnings) + " more columns");
  }
}

// Room for `columns` columns, the present ones from `first` on, the others zero.
Features widened(const Features& features, std::size_t first, std::size_t columns) {
  const RowsView view = features.view();
  Matrix matrix(view.rows, columns);
  std::vector<float> buffer(view.columns);
  for (std::size_t r = 0; r < view.rows; ++r) {
    const float* row = view.row(r, buffer.data());
    std::copy(row, row + view.columns, matrix.row(r) + first);
  }
  return Features(std::move(matrix));
}

}  // namespace

void add_table_options(const FeatureRecipe& recipe, TableOptions& options) {
  options.missing.insert(options.missing.end(), recipe.missing.begin(), recipe.missing.end());
  if (!recipe.encoder) return;
  for (const Encoder::Part& part : recipe.encoder->parts) {
    if (part.is_text || part.date) options.text_columns.push_back(part.column);
  }
}

void restore_numbers(Column& column) {
  std::vector<double> values;
  for (const std::string& text : column.categories) {
    const std::optional<double> value = parse_number(text);
    if (!value) return;
    values.push_back(*value);
  }
  for (const std::int32_t code : column.codes) {
    column.numbers.push_back(code < 0 ? std::numeric_limits<double>::quiet_NaN()
                                      : values[static_cast<std::size_t>(code)]);
  }
  column.is_text = false;
  column.codes.clear();
  column.categories.clear();
}

Features follow_recipe(const FeatureRecipe& recipe, const Table& table,
                       const IsExpected& is_expected, std::vector<std::string>& warnings,
                       const Execution& execution) {
  if (!recipe.encoder) {
    throw Error(ErrorKind::data, table.source +
                                     ": is a table, but the model was trained on an "
                                     "array of " +
                                     std::to_string(recipe.columns) +
                                     " columns; give npy, npz, idx or libsvm");
  }
  refuse_missing_columns(*recipe.encoder, table);
  warn_of_unused_columns(*recipe.encoder, table, is_expected, warnings);
  warn_of_unseen_texts(*recipe.encoder, table, warnings);
  return Features(recipe.encoder->encode(table, execution));
}

void align_sparse(const FeatureRecipe& recipe, const std::string& source, Arrays& arrays) {
  const std::size_t given = arrays.first_index.value_or(1);
  const std::size_t wanted = recipe.first_index.value_or(given);
  if (wanted > given) {
    throw Error(ErrorKind::data, source +
                                     ": has an index 0, but the model was trained on indices from "
                                     "1 on; count the columns from 1");
  }
  const std::size_t shift = given - wanted;
  std::size_t columns = arrays.features.view().columns + shift;
  if (!recipe.encoder) columns = std::max(columns, recipe.columns);
  if (columns > arrays.features.view().columns) {
    arrays.features = widened(arrays.features, shift, columns);
  }
}

void add_zero_columns(const FeatureRecipe& recipe, Table& table) {
  const auto written = static_cast<double>(table.columns.size());
  for (const Encoder::Part& part : recipe.encoder->parts) {
    const std::optional<double> number = parse_number(part.column);
    if (!number || *number <= written) continue;
    table.columns.emplace_back();
    table.columns.back().name = part.column;
    table.columns.back().numbers.resize(table.rows);
  }
}

Features follow_recipe(const FeatureRecipe& recipe, Features features, const std::string& source) {
  const RowsView view = features.view();
  if (view.columns != recipe.columns) {
    throw Error(ErrorKind::data, source + ": has " + std::to_string(view.columns) +
                                     " columns, but the model was trained on " +
                                     std::to_string(recipe.columns) + "; give an array of as many");
  }
  const std::size_t gap = find_value(view, [](float value) { return std::isnan(value); });
  if (gap != view.rows * view.columns) {
    throw Error(ErrorKind::data, source + ": row " + std::to_string(gap / view.columns + 1) +
                                     ", column " + std::to_string(gap % view.columns + 1) +
                                     " is missing (NaN), and the model was trained on data without "
                                     "gaps; fill it in or remove the row");
  }
  return features;
}

Table as_table(RowsView view, const std::string& source) {
  Table table;
  table.source = source;
  table.rows = view.rows;
  table.columns.resize(view.columns);
  for (std::size_t c = 0; c < view.columns; ++c) {
    table.columns[c].name = std::to_string(c + 1);
    table.columns[c].numbers.resize(view.rows);
  }
  std::vector<float> buffer(view.columns);
  for (std::size_t r = 0; r < view.rows; ++r) {
    const float* row = view.row(r, buffer.data());
    for (std::size_t c = 0; c < view.columns; ++c) table.columns[c].numbers[r] = row[c];
  }
  return table;
}

}  // namespace noiseplus
