#include "data/checks.h"

#include "core/checks.h"

namespace noiseplus {
namespace {

void check_codes_of_texts(const Column& column) {
  const auto count = static_cast<std::int64_t>(column.categories.size());
  for (std::size_t row = 0; row < column.codes.size(); ++row) {
    if (column.codes[row] >= -1 && column.codes[row] < count) continue;
    throw Error(ErrorKind::usage, "column '" + column.name + "', row " + std::to_string(row + 1) +
                                      ": the code " + std::to_string(column.codes[row]) +
                                      " is none of " + std::to_string(count) +
                                      " categories, nor -1 for missing");
  }
}

void check_labels_and_groups(const Dataset& dataset) {
  const std::vector<std::size_t>& ids = dataset.row_ids;
  check_that(ids.empty() == (dataset.missing_labels == 0),
             "row ids go with rows that were left out");
  if (ids.empty()) return;
  check_one_per_row(ids.size(), dataset.labels.codes.size(), "row ids");
  for (std::size_t n = 0; n < ids.size(); ++n) {
    check_that(ids[n] < dataset.file_rows() && (n == 0 || ids[n - 1] < ids[n]),
               "row ids do not ascend from 0 to the last row of the file");
  }
}

}  // namespace

void check_column(const Column& column, std::size_t rows) {
  const std::size_t values = column.is_text ? column.codes.size() : column.numbers.size();
  if (values != rows) {
    throw Error(ErrorKind::usage, "column '" + column.name + "' has " + std::to_string(values) +
                                      " values for " + std::to_string(rows) +
                                      " rows; give one per row");
  }
  if (column.is_text) check_codes_of_texts(column);
}

void check_table(const Table& table) {
  for (const Column& column : table.columns) check_column(column, table.rows);
}

void check_row_labels(const Labels& labels, std::size_t rows, const char* what) {
  check_one_per_row(labels.codes.size(), rows, (std::string(what) + 's').c_str());
  check_codes(labels.codes, labels.classes.size(), what);
  check_that(labels.spellings.empty() || labels.spellings.size() == labels.classes.size(),
             "there is not one spelling for each class, and not none");
}

void check_dataset(const Dataset& dataset) {
  const RowsView rows = dataset.features.view();
  check_view(rows, "the features");
  check_row_labels(dataset.labels, rows.rows, "label");
  if (!dataset.groups.codes.empty() || !dataset.groups.classes.empty()) {
    check_row_labels(dataset.groups, rows.rows, "group");
  }
  check_that(dataset.feature_names.empty() || dataset.feature_names.size() == rows.columns,
             "there is not one name for each feature, and not none");
  if (dataset.recipe.encoder) {
    check_that(dataset.recipe.encoder->columns() == rows.columns,
               "the encoder of the data set makes another number of columns than there are");
  }
  check_labels_and_groups(dataset);
  if (!dataset.row_shape.empty()) {
    std::size_t values = 1;
    for (const std::size_t size : dataset.row_shape) {
      values = count_values(values, size, "the shape of a row");
    }
    check_that(values == rows.columns, "the shape of a row does not make its columns");
  }
  if (!dataset.table) return;
  check_that(dataset.table->rows == rows.rows + dataset.missing_labels,
             "the table has another number of rows than the features");
  check_table(*dataset.table);
}

}  // namespace noiseplus
