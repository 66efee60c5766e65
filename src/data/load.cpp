#include <cmath>
#include <unordered_set>

#include "noiseplus/data.h"
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

std::vector<std::string> choose_features(const Table& table, const DataRequest& request,
                                         std::vector<std::string>& warnings) {
  for (const std::string& name : request.features) table.column(name);
  for (const std::string& name : request.drop) table.column(name);
  const std::unordered_set<std::string> only(request.features.begin(), request.features.end());
  const std::unordered_set<std::string> drop(request.drop.begin(), request.drop.end());
  std::vector<std::string> chosen;
  std::string relatives;
  for (const Column& column : table.columns) {
    if (column.name == request.label || drop.contains(column.name)) continue;
    if (!only.empty() && !only.contains(column.name)) continue;
    if (!request.label.empty() && family_root(column.name) == family_root(request.label)) {
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
  const Encoder encoder = Encoder::learn(table, columns, options, dataset.warnings);
  if (encoder.parts.empty()) {
    throw Error(ErrorKind::data,
                table.source + ": no feature has two different values; check the file");
  }
  dataset.features = Features(encoder.encode(table, execution));
  dataset.feature_names = encoder.names();
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

bool has_missing(RowsView view) {
  const std::size_t first = find_value(view, [](float value) { return std::isnan(value); });
  return first != view.rows * view.columns;
}

Labels read_labels_file(const DataRequest& request, std::string& label_name,
                        const Execution& execution) {
  const std::string& path = request.labels_path;
  const Format format = format_of(path);
  if (format != Format::csv && format != Format::tsv) {
    return make_labels(read_label_texts(Bytes::read(path), path, format), path);
  }
  TableOptions options;
  options.delimiter = format == Format::tsv ? '\t' : ',';
  options.header = request.header;
  if (!request.label.empty()) options.text_columns = {request.label};
  const Table table = read_table(Bytes::read(path), path, options, execution);
  if (request.label.empty() && table.columns.size() > 1) {
    throw Error(ErrorKind::usage,
                path + ": holds several columns; say which is the label with --label");
  }
  const Column& column = request.label.empty() ? table.columns[0] : table.column(request.label);
  label_name = column.name;
  return make_labels(column, table);
}

Dataset load_table(const DataRequest& request, Format format, const Execution& execution) {
  Dataset dataset;
  TableOptions options;
  options.delimiter = format == Format::tsv ? '\t' : ',';
  options.header = request.header;
  options.text_columns = {request.label};
  options.missing.insert(options.missing.end(), request.missing.begin(), request.missing.end());
  if (request.labels_path.empty() && request.label.empty()) {
    throw Error(ErrorKind::usage, request.path + ": which column is the label? Say --label COLUMN");
  }
  Table table = read_table(Bytes::read(request.path), request.path, options, execution);
  dataset.warnings = table.warnings;
  dataset.label_name = request.label.empty() ? "label" : request.label;
  dataset.labels = request.labels_path.empty()
                       ? make_labels(table.column(request.label), table)
                       : read_labels_file(request, dataset.label_name, execution);
  if (request.with_features) {
    encode_features(table, request, request.scale.value_or(true), dataset, execution);
  }
  dataset.table = std::move(table);
  return dataset;
}

Dataset load_arrays(const DataRequest& request, Format format, const Execution& execution) {
  Dataset dataset;
  Arrays arrays = read_arrays(Bytes::read(request.path), request.path, format,
                              request.labels_path.empty() ? request.label : "");
  dataset.label_name = request.label.empty() ? "label" : request.label;
  if (!request.labels_path.empty()) {
    dataset.labels = read_labels_file(request, dataset.label_name, execution);
  } else if (!arrays.labels.empty()) {
    dataset.labels = make_labels(arrays.labels, request.path);
  } else {
    throw Error(ErrorKind::usage,
                request.path + ": holds no labels; name their file with --labels");
  }
  const RowsView view = arrays.features.view();
  const bool scale = request.scale.value_or(false);
  const bool as_it_is = request.features.empty() && request.drop.empty() && !scale;
  if (request.with_features && (!as_it_is || has_missing(view))) {
    DataRequest columns = request;
    columns.label.clear();
    encode_features(as_table(view, request.path), columns, scale, dataset, execution);
  } else {
    dataset.features = std::move(arrays.features);
  }
  return dataset;
}

}  // namespace

Dataset load(const DataRequest& request, const Execution& execution) {
  const Format format =
      request.format == Format::automatic ? format_of(request.path) : request.format;
  const bool is_table = format == Format::csv || format == Format::tsv || format == Format::txt;
  Dataset dataset =
      is_table ? load_table(request, format, execution) : load_arrays(request, format, execution);
  dataset.source = request.path;
  const std::size_t rows = dataset.table ? dataset.table->rows : dataset.features.view().rows;
  if (dataset.labels.codes.size() != rows) {
    throw Error(ErrorKind::data, request.labels_path + ": " +
                                     std::to_string(dataset.labels.codes.size()) + " labels for " +
                                     std::to_string(rows) + " rows of " + request.path +
                                     "; give one a row");
  }
  return dataset;
}

}  // namespace noiseplus
