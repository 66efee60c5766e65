#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/checks.h"
#include "core/rows.h"
#include "data/checks.h"
#include "data/label_columns.h"
#include "data/name_list.h"
#include "data/recipe.h"
#include "data/row_id_columns.h"

namespace noiseplus {
namespace {

// y, y_noisy, y_balanced, y_noisy_balanced, ... are all about y: each knows something of the others
// that a feature must not know.
std::string family_root(std::string_view name) {
  for (bool stripped = true; stripped;) {
    stripped = false;
    for (const std::string_view suffix : {"_noisy", "_balanced"}) {
      if (name.size() > suffix.size() && name.ends_with(suffix)) {
        name.remove_suffix(suffix.size());
        stripped = true;
      }
    }
  }
  return std::string(name);
}

bool is_of_label(const std::string& name, const std::string& label) {
  return !label.empty() && family_root(name) == family_root(label);
}

// One by one they would be looked for among a million columns a million times.
void refuse_unknown_columns(const Table& table, const std::vector<std::string>& wanted) {
  if (wanted.empty()) return;
  std::unordered_set<std::string_view> names;
  for (const Column& column : table.columns) names.insert(column.name);
  for (const std::string& name : wanted) {
    if (!names.contains(name)) table.column(name);  // throws
  }
}

// `finds_row_ids`: leaves out columns that only name the rows, unless features are listed.
std::vector<std::string> choose_features(const Table& table, const DataRequest& request,
                                         bool finds_row_ids, std::vector<std::string>& warnings) {
  refuse_unknown_columns(table, request.features);
  refuse_unknown_columns(table, request.drop);
  const std::unordered_set<std::string> only(request.features.begin(), request.features.end());
  const std::unordered_set<std::string> drop(request.drop.begin(), request.drop.end());
  std::vector<std::string> chosen;
  std::string relatives;
  NameList row_ids;
  std::vector<std::string> counts;  // row numbers that are not called so
  for (const Column& column : table.columns) {
    if (column.name == request.label || drop.contains(column.name)) continue;
    if (!only.empty() && !only.contains(column.name)) continue;
    if (is_of_label(column.name, request.label)) {
      relatives += (relatives.empty() ? "" : ", ") + column.name;
      continue;
    }
    if (finds_row_ids && only.empty() && is_row_id(column)) {
      row_ids.add(column.name);
      if (!column.is_text && !has_id_name(column)) counts.push_back(column.name);
      continue;
    }
    chosen.push_back(column.name);
  }
  if (!relatives.empty()) {
    warnings.push_back("not used as a feature, being the label in another state: " + relatives);
  }
  // A measurement at 1, 2, 3, ... is one where there is nothing else to look at.
  if (chosen.empty() && !counts.empty()) return counts;
  if (chosen.empty()) {
    throw Error(ErrorKind::usage,
                table.source + ": no column is left as a feature; " +
                    (row_ids.empty() ? "drop fewer"
                                     : row_ids.names() + " only names the rows, and is used where "
                                                         "it is listed among the features"));
  }
  if (!row_ids.empty()) {
    warnings.push_back(row_ids.columns() + " left out as ids or row numbers: " + row_ids.names() +
                       "; list the features by name to use such a column");
  }
  return chosen;
}

void encode_features(const Table& table, const std::vector<std::string>& columns, bool scale,
                     Dataset& dataset, const Execution& execution) {
  EncoderOptions options;
  options.scale = scale;
  Encoder encoder = Encoder::learn(table, columns, options, dataset.warnings);
  if (encoder.parts.empty()) {
    throw Error(ErrorKind::data,
                table.source + ": no feature has two different values; check the file");
  }
  dataset.features = Features(encoder.encode(table, execution));
  dataset.feature_names = encoder.names();
  dataset.recipe.columns = encoder.columns();
  dataset.recipe.encoder = std::move(encoder);
}

bool has_missing(RowsView view) {
  const std::size_t first = find_value(view, [](float value) { return std::isnan(value); });
  return first != view.rows * view.columns;
}

void refuse_infinity(RowsView rows, const std::string& source) {
  const std::size_t found = find_infinity(rows);
  if (found == rows.rows * rows.columns) return;
  throw Error(ErrorKind::data, source + ": row " + std::to_string(found / rows.columns + 1) +
                                   ", column " + std::to_string(found % rows.columns + 1) +
                                   " is infinite or too large for a 32-bit float; replace it by a "
                                   "number, or by NaN when it is missing");
}

// What names rows is read as text, also where it is numbers; the features get the numbers back. A
// feature does not change because somebody asks for groups.
void restore_features(Table& table, const DataRequest& request) {
  std::unordered_set<std::string> names(request.groups.begin(), request.groups.end());
  names.erase(request.label);
  if (request.recipe != nullptr && request.recipe->encoder) {
    for (const Encoder::Part& part : request.recipe->encoder->parts) {
      if (part.is_text) names.erase(part.column);
      if (!part.is_text && part.column == request.label) names.insert(part.column);
    }
  }
  for (Column& column : table.columns) {
    if (column.is_text && names.contains(column.name)) restore_numbers(column);
  }
}

void warn_of_label_among_features(const Encoder& encoder, const std::string& label,
                                  std::vector<std::string>& warnings) {
  for (const Encoder::Part& part : encoder.parts) {
    if (!is_of_label(part.column, label)) continue;
    warnings.push_back("the model was trained with the column '" + part.column +
                       "' as a feature, and here it is the label or knows of it");
  }
}

// Some rows of a table. Takes the text, so that messages can say where a cell is.
Table select_rows(Table& table, const std::vector<std::size_t>& rows) {
  Table selected;
  selected.source = table.source;
  selected.rows = rows.size();
  selected.columns.resize(table.columns.size());
  const auto select = [&](const auto& from, auto& to) {
    if (from.empty()) return;
    to.reserve(rows.size());
    for (const std::size_t row : rows) to.push_back(from[row]);
  };
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const Column& from = table.columns[c];
    Column& to = selected.columns[c];
    to.name = from.name;
    to.is_unnamed = from.is_unnamed;
    to.is_date = from.is_date;
    to.is_text = from.is_text;
    to.categories = from.categories;
    select(from.numbers, to.numbers);
    select(from.codes, to.codes);
    if (!to.is_text) continue;
    // Only texts that occur, numbered as they come, as if the other rows had never been there.
    to = make_text_column(from.name, to.codes, from.categories, {});
    to.is_unnamed = from.is_unnamed;
  }
  select(table.text.record_begin, selected.text.record_begin);
  select(table.text.record_end, selected.text.record_end);
  selected.text.delimiter = table.text.delimiter;
  selected.text.bytes = std::move(table.text.bytes);
  return selected;
}

Features select_rows(const Features& features, const std::vector<std::size_t>& rows) {
  const RowsView view = features.view();
  Matrix matrix(rows.size(), view.columns);
  std::vector<float> buffer(view.columns);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const float* row = view.row(rows[n], buffer.data());
    std::copy(row, row + view.columns, matrix.row(n));
  }
  return Features(std::move(matrix));
}

// Of the rows that have a label. `columns` are those to learn from where there is no recipe.
void make_features(const Table& table, const DataRequest& request,
                   const std::vector<std::string>& columns, Dataset& dataset,
                   const Execution& execution) {
  if (request.recipe == nullptr) {
    encode_features(table, columns, request.scale.value_or(true), dataset, execution);
    return;
  }
  const auto is_expected = [&](const std::string& name) {
    return is_of_label(name, request.label) ||
           std::find(request.groups.begin(), request.groups.end(), name) != request.groups.end();
  };
  dataset.recipe = *request.recipe;
  dataset.features =
      follow_recipe(*request.recipe, table, is_expected, dataset.warnings, execution);
  dataset.feature_names = request.recipe->encoder->names();
  warn_of_label_among_features(*request.recipe->encoder, request.label, dataset.warnings);
}

void make_features(Table& table, const DataRequest& request, Dataset& dataset,
                   const Execution& execution) {
  std::vector<std::string> columns;
  if (request.recipe == nullptr) {
    columns = choose_features(table, request, true, dataset.warnings);
  }
  if (dataset.row_ids.empty()) {
    make_features(table, request, columns, dataset, execution);
    return;
  }
  Table labeled = select_rows(table, dataset.row_ids);
  make_features(labeled, request, columns, dataset, execution);
  table.text.bytes = std::move(labeled.text.bytes);
}

Dataset load_table(const DataRequest& request, Format format, const Execution& execution) {
  Dataset dataset;
  TableOptions options;
  options.delimiter = delimiter_for(request, format);
  options.header = request.header;
  options.text_columns = request.groups;
  options.text_columns.push_back(request.label);
  options.missing.insert(options.missing.end(), request.missing.begin(), request.missing.end());
  if (request.recipe != nullptr) add_table_options(*request.recipe, options);
  if (request.with_labels && request.labels_path.empty() && request.label.empty()) {
    throw Error(ErrorKind::usage, request.path + ": which column is the label? Say --label COLUMN");
  }
  Table table = read_table(Bytes::read(request.path, execution, request.max_unpacked), request.path,
                           options, execution);
  dataset.warnings = table.warnings;
  dataset.label_name = request.label.empty() ? "label" : request.label;
  dataset.recipe.missing = request.missing;
  read_labels_and_groups(request, &table, execution, dataset);
  check_labels_and_groups(request, table.rows, dataset);
  drop_missing_labels(request, dataset);
  if (request.with_features) {
    restore_features(table, request);
    make_features(table, request, dataset, execution);
  }
  dataset.table = std::move(table);
  return dataset;
}

void follow_recipe(const FeatureRecipe& recipe, Arrays& arrays, Format format, Dataset& dataset,
                   const std::string& source, const Execution& execution) {
  const bool is_sparse = format == Format::libsvm;
  if (is_sparse) align_sparse(recipe, source, arrays);
  dataset.recipe = recipe;
  if (!recipe.encoder) {
    dataset.features = follow_recipe(recipe, std::move(arrays.features), source);
    return;
  }
  Table table = as_table(arrays.features.view(), source);
  if (is_sparse) add_zero_columns(recipe, table);
  const auto is_expected = [](const std::string&) { return false; };
  dataset.features = follow_recipe(recipe, table, is_expected, dataset.warnings, execution);
  dataset.feature_names = recipe.encoder->names();
}

// Moves the features out of `arrays`, or encodes them.
void make_features(Arrays& arrays, const DataRequest& request, Format format, Dataset& dataset,
                   const Execution& execution) {
  if (request.with_features && request.recipe != nullptr) {
    follow_recipe(*request.recipe, arrays, format, dataset, request.path, execution);
    return;
  }
  const bool scale = request.scale.value_or(false);
  const bool as_it_is = request.features.empty() && request.drop.empty() && !scale;
  if (request.with_features && (!as_it_is || has_missing(arrays.features.view()))) {
    DataRequest columns = request;
    columns.label.clear();
    const Table table = as_table(arrays.features.view(), request.path);
    encode_features(table, choose_features(table, columns, false, dataset.warnings), scale, dataset,
                    execution);
    return;
  }
  dataset.recipe.columns = arrays.features.view().columns;
  dataset.features = std::move(arrays.features);
  dataset.row_shape = std::move(arrays.row_shape);
}

Dataset load_arrays(const DataRequest& request, Format format, const Execution& execution) {
  Dataset dataset;
  const bool has_labels_file = !request.labels_path.empty();
  // Only what may be used where it lies is worth mapping; a parser must not see bytes that change.
  Bytes bytes = format == Format::npy ? Bytes::map(request.path, execution, request.max_unpacked)
                                      : Bytes::read(request.path, execution, request.max_unpacked);
  Arrays arrays =
      read_arrays(std::move(bytes), request.path, format, has_labels_file ? "" : request.label,
                  request.with_labels && !has_labels_file, request.max_unpacked);
  dataset.label_name = request.label.empty() ? "label" : request.label;
  dataset.recipe.missing = request.missing;
  dataset.recipe.first_index = arrays.first_index;
  if (request.with_labels && !has_labels_file) {
    if (arrays.labels.empty()) {
      throw Error(ErrorKind::usage,
                  request.path + ": holds no labels; name their file with --labels");
    }
    take_labels(arrays.labels, request.path, request, dataset);
  }
  read_labels_and_groups(request, nullptr, execution, dataset);
  check_labels_and_groups(request, arrays.features.view().rows, dataset);
  drop_missing_labels(request, dataset);
  if (!dataset.row_ids.empty()) {
    Features labeled = select_rows(arrays.features, dataset.row_ids);
    arrays.features.throw_if_changed();
    arrays.features = std::move(labeled);
  }
  make_features(arrays, request, format, dataset, execution);
  arrays.features.throw_if_changed();
  return dataset;
}

// Labels, and perhaps groups, without rows. A csv file of them is kept as the table, so that what
// is written has its columns.
Dataset load_labels_alone(const DataRequest& request, const Execution& execution) {
  if (request.labels_path.empty()) {
    throw Error(ErrorKind::usage, "there is no data; name a file of rows, or of labels");
  }
  Dataset dataset;
  dataset.label_name = request.label.empty() ? "label" : request.label;
  dataset.table = read_labels_and_groups(request, nullptr, execution, dataset);
  if (dataset.table) dataset.warnings = dataset.table->warnings;
  dataset.source = request.labels_path;
  check_labels_and_groups(request, dataset.labels.codes.size(), dataset);
  drop_missing_labels(request, dataset);
  return dataset;
}

void check_request(const DataRequest& request) {
  check_that(is_among(request.format, Format::txt), "the format is none of Format");
  check_that(is_among(request.missing_labels, MissingLabels::error),
             "what to do with missing labels is none of MissingLabels");
  const FeatureRecipe* const recipe = request.recipe;
  check_that(recipe == nullptr || !recipe->encoder || recipe->encoder->columns() == recipe->columns,
             "the encoder of the recipe makes another number of columns than the recipe has");
}

}  // namespace

std::size_t Dataset::row_id(std::size_t n) const {
  if (row_ids.empty()) return n;
  check_that(n < row_ids.size(), "the data set has no such row; count rows from 0");
  return row_ids[n];
}

Dataset load(const DataRequest& request, const Execution& execution) {
  check_request(request);
  if (request.path.empty()) return load_labels_alone(request, execution);
  const Format format =
      request.format == Format::automatic ? format_of(request.path) : request.format;
  const bool is_table = format == Format::csv || format == Format::tsv || format == Format::txt;
  Dataset dataset =
      is_table ? load_table(request, format, execution) : load_arrays(request, format, execution);
  dataset.source = request.path;
  dataset.features.throw_if_changed();
  return dataset;
}

Dataset make_dataset(RowsView rows, const DataRequest& request, const Execution& execution) {
  return make_dataset(rows, Labels(), request, execution);
}

Dataset make_dataset(RowsView rows, Labels labels, const DataRequest& request,
                     const Execution& execution) {
  check_request(request);
  check_view(rows);
  refuse_infinity(rows, request.path);
  Dataset dataset;
  dataset.source = request.path;
  dataset.label_name = request.label;
  dataset.recipe.missing = request.missing;
  take_labels(std::move(labels), rows.rows, request, dataset);
  Features features(rows);
  if (!dataset.row_ids.empty()) features = select_rows(features, dataset.row_ids);
  Arrays arrays{std::move(features), {}};
  make_features(arrays, request, Format::npy, dataset, execution);
  return dataset;
}

Dataset make_dataset(Table table, const DataRequest& request, const Execution& execution) {
  return make_dataset(std::move(table), Labels(), request, execution);
}

Dataset make_dataset(Table table, Labels labels, const DataRequest& request,
                     const Execution& execution) {
  check_request(request);
  check_table(table);
  Dataset dataset;
  dataset.source = request.path;
  dataset.warnings = table.warnings;
  dataset.label_name = request.label;
  dataset.recipe.missing = request.missing;
  take_labels(std::move(labels), table.rows, request, dataset);
  make_features(table, request, dataset, execution);
  dataset.table = std::move(table);
  return dataset;
}

Dataset make_dataset(Labels labels, const DataRequest& request) {
  check_request(request);
  Dataset dataset;
  dataset.source = request.path;
  dataset.label_name = request.label;
  const std::size_t rows = labels.codes.size();
  take_labels(std::move(labels), rows, request, dataset);
  return dataset;
}

}  // namespace noiseplus
