#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "data/checks.h"
#include "data/recipe.h"
#include "data/row_names.h"
#include "util/checks.h"
#include "util/rows.h"

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

std::vector<std::string> choose_features(const Table& table, const DataRequest& request,
                                         std::vector<std::string>& warnings) {
  refuse_unknown_columns(table, request.features);
  refuse_unknown_columns(table, request.drop);
  const std::unordered_set<std::string> only(request.features.begin(), request.features.end());
  const std::unordered_set<std::string> drop(request.drop.begin(), request.drop.end());
  std::vector<std::string> chosen;
  std::string relatives;
  for (const Column& column : table.columns) {
    if (column.name == request.label || drop.contains(column.name)) continue;
    if (!only.empty() && !only.contains(column.name)) continue;
    if (is_of_label(column.name, request.label)) {
      relatives += (relatives.empty() ? "" : ", ") + column.name;
      continue;
    }
    chosen.push_back(column.name);
  }
  if (!relatives.empty()) {
    warnings.push_back("not used as a feature, being the label in another state: " + relatives);
  }
  if (chosen.empty()) {
    throw Error(ErrorKind::usage, table.source + ": no column is left as a feature; drop fewer");
  }
  return chosen;
}

void encode_features(const Table& table, const DataRequest& request, bool scale, Dataset& dataset,
                     const Execution& execution) {
  EncoderOptions options;
  options.scale = scale;
  const std::vector<std::string> columns = choose_features(table, request, dataset.warnings);
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

void make_features(const Table& table, const DataRequest& request, Dataset& dataset,
                   const Execution& execution) {
  if (request.recipe == nullptr) {
    encode_features(table, request, request.scale.value_or(true), dataset, execution);
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

Dataset load_table(const DataRequest& request, Format format, const Execution& execution) {
  Dataset dataset;
  TableOptions options;
  options.delimiter = format == Format::tsv ? '\t' : ',';
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
  read_row_names(request, &table, execution, dataset);
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
    encode_features(as_table(arrays.features.view(), request.path), columns, scale, dataset,
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
    dataset.labels = make_labels(arrays.labels, request.path);
  }
  read_row_names(request, nullptr, execution, dataset);
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
  dataset.table = read_row_names(request, nullptr, execution, dataset);
  if (dataset.table) dataset.warnings = dataset.table->warnings;
  dataset.source = request.labels_path;
  check_row_names(request, dataset.labels.codes.size(), dataset);
  return dataset;
}

void check_request(const DataRequest& request) {
  check_that(is_among(request.format, Format::txt), "the format is none of Format");
  const FeatureRecipe* const recipe = request.recipe;
  check_that(recipe == nullptr || !recipe->encoder || recipe->encoder->columns() == recipe->columns,
             "the encoder of the recipe makes another number of columns than the recipe has");
}

}  // namespace

Dataset load(const DataRequest& request, const Execution& execution) {
  check_request(request);
  if (request.path.empty()) return load_labels_alone(request, execution);
  const Format format =
      request.format == Format::automatic ? format_of(request.path) : request.format;
  const bool is_table = format == Format::csv || format == Format::tsv || format == Format::txt;
  Dataset dataset =
      is_table ? load_table(request, format, execution) : load_arrays(request, format, execution);
  dataset.source = request.path;
  const std::size_t rows = dataset.table ? dataset.table->rows : dataset.features.view().rows;
  check_row_names(request, rows, dataset);
  dataset.features.throw_if_changed();
  return dataset;
}

Dataset dataset_of(RowsView rows, const DataRequest& request, const Execution& execution) {
  check_request(request);
  check_view(rows);
  refuse_infinity(rows, request.path);
  Dataset dataset;
  dataset.source = request.path;
  dataset.label_name = request.label;
  dataset.recipe.missing = request.missing;
  Arrays arrays{Features(rows), {}};
  make_features(arrays, request, Format::npy, dataset, execution);
  return dataset;
}

Dataset dataset_of(Table table, const DataRequest& request, const Execution& execution) {
  check_request(request);
  check_table(table);
  Dataset dataset;
  dataset.source = request.path;
  dataset.warnings = table.warnings;
  dataset.label_name = request.label;
  dataset.recipe.missing = request.missing;
  make_features(table, request, dataset, execution);
  dataset.table = std::move(table);
  return dataset;
}

}  // namespace noiseplus
