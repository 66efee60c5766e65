#include <algorithm>
#include <cmath>
#include <functional>

#include "core/checks.h"
#include "data/csv.h"
#include "data/raw_array.h"

namespace noiseplus {
namespace {

// Softmax in 32-bit floats misses 0 and 1 by its last digits.
constexpr double probability_rounding = 1e-6;
constexpr double probability_sum_tolerance = 1e-3;

// Where a cell is, for a message.
using PlaceOf = std::function<std::string(std::size_t row, std::size_t column)>;

std::string classes_in_order(const std::vector<std::string>& classes) {
  constexpr std::size_t max_named = 10;
  std::string text;
  for (std::size_t c = 0; c < std::min(classes.size(), max_named); ++c) {
    text += (c == 0 ? "'" : ", '") + classes[c] + '\'';
  }
  return classes.size() > max_named ? text + ", ..." : text;
}

[[noreturn]] void refuse_shape(const std::string& source, std::size_t count, const char* what,
                               std::size_t wanted, const std::string& of, ErrorKind kind) {
  throw Error(kind, source + ": " + std::to_string(count) + ' ' + what + (count == 1 ? "" : "s") +
                        " of probabilities, and there are " + std::to_string(wanted) + ' ' + of);
}

void check_shape(MatrixView values, std::size_t rows, const std::vector<std::string>& classes,
                 const std::string& source, ErrorKind kind) {
  if (values.rows != rows) {
    refuse_shape(source, values.rows, "row", rows,
                 "labels; give the probabilities of each row, in the order of the labels", kind);
  }
  if (values.columns != classes.size()) {
    refuse_shape(source, values.columns, "column", classes.size(),
                 "classes; give one column per class, in this order: " + classes_in_order(classes),
                 kind);
  }
}

void check_values(MatrixView values, const PlaceOf& place, const std::string& source,
                  double rounding) {
  const auto refuse = [](const std::string& where, const std::string& why) {
    throw Error(ErrorKind::data, where + ": " + why);
  };
  for (std::size_t n = 0; n < values.rows; ++n) {
    const float* const row = values.row(n);
    double sum = 0;
    for (std::size_t c = 0; c < values.columns; ++c) {
      const double value = static_cast<double>(row[c]);
      sum += value;
      if (std::isnan(value)) {
        refuse(place(n, c), "a probability is missing (NaN); give one for each row and class");
      }
      if (!(value >= -rounding)) {
        refuse(place(n, c), format_number(value) +
                                " is below 0 and no probability; give predict_proba, not logits");
      }
      if (!(value <= 1 + rounding)) {
        refuse(place(n, c), format_number(value) +
                                " is above 1 and no probability; give predict_proba, not logits");
      }
    }
    if (std::abs(sum - 1) <= probability_sum_tolerance) continue;
    refuse(source + ": row " + std::to_string(n + 1),
           "the probabilities add up to " + format_number(std::round(sum * 1e6) / 1e6) +
               ", not to 1; give those of all classes");
  }
}

// What rounding has put outside [0, 1] comes back.
void clamp_values(Matrix& values) {
  const std::size_t cells = values.rows() * values.columns();
  float* const first = values.row(0);
  for (std::size_t i = 0; i < cells; ++i) first[i] = std::clamp(first[i], 0.0F, 1.0F);
}

Matrix read_array_of_probabilities(Bytes bytes, const std::string& source,
                                   const std::vector<std::string>& classes, std::size_t rows) {
  const Arrays arrays = read_arrays(std::move(bytes), source, Format::npy);
  if (!arrays.row_shape.empty()) {
    throw Error(ErrorKind::data, source + ": the array has " +
                                     std::to_string(arrays.row_shape.size() + 1) +
                                     " dimensions; save one row per row of the data and one "
                                     "column per class");
  }
  const RowsView view = arrays.features.view();
  Matrix values(view.rows, view.columns);
  std::vector<float> buffer(view.columns);
  for (std::size_t n = 0; n < view.rows; ++n) {
    std::copy_n(view.row(n, buffer.data()), view.columns, values.row(n));
  }
  arrays.features.throw_if_changed();
  check_shape(values.view(), rows, classes, source, ErrorKind::data);
  check_values(
      values.view(),
      [&](std::size_t row, std::size_t column) {
        return source + ": row " + std::to_string(row + 1) + ", column " +
               std::to_string(column + 1);
      },
      source, probability_rounding);
  clamp_values(values);
  return values;
}

// As they are written: a table gives a second column of the same name another one.
std::vector<std::string> header_cells(const Table& table) {
  std::vector<std::string> names;
  const std::string_view text = table.text.bytes.view();
  std::string scratch;
  std::size_t begin = table.text.header_begin;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const CsvCell cell = read_cell(text, begin, table.text.delimiter, scratch);
    names.emplace_back(cell.text);
    begin = cell.next + 1;
  }
  return names;
}

// The column of each class.
std::vector<std::size_t> columns_of_classes(const Table& table, const Labels& labels) {
  const std::size_t nowhere = table.columns.size();
  std::vector<std::size_t> columns(labels.classes.size(), nowhere);
  const std::vector<std::string> names = header_cells(table);
  for (std::size_t c = 0; c < names.size(); ++c) {
    const std::optional<std::size_t> found = labels.find(names[c]);
    if (!found) {
      throw Error(ErrorKind::data, table.source + ": the column " + noiseplus::quoted(names[c]) +
                                       " is none of the classes; name one column after each of: " +
                                       classes_in_order(labels.classes));
    }
    if (columns[*found] != nowhere) {
      throw Error(ErrorKind::data, table.source + ": two columns are of the class '" +
                                       labels.classes[*found] + "'; remove one");
    }
    columns[*found] = c;
  }
  for (std::size_t k = 0; k < columns.size(); ++k) {
    if (columns[k] != nowhere) continue;
    throw Error(ErrorKind::data, table.source + ": no column is of the class '" +
                                     labels.classes[k] + "'; add one with that name");
  }
  return columns;
}

void refuse_texts(const Table& table, const Column& column) {
  if (!column.is_text) return;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const std::int32_t code = column.codes[row];
    if (code < 0) continue;
    const std::string& text = column.categories[static_cast<std::size_t>(code)];
    if (parse_number(text)) continue;
    throw Error(ErrorKind::data, table.where(row, column) + ": " + noiseplus::quoted(text) +
                                     " is not a number; give probabilities from 0 to 1");
  }
}

Matrix read_table_of_probabilities(Bytes bytes, const std::string& source,
                                   std::optional<char> delimiter, const Labels& labels,
                                   const Execution& execution) {
  TableOptions options;
  options.delimiter = delimiter;
  const Table table = read_table(std::move(bytes), source, options, execution);
  const std::vector<std::size_t> columns = columns_of_classes(table, labels);
  for (const Column& column : table.columns) refuse_texts(table, column);
  Matrix values(table.rows, columns.size());
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const std::vector<double>& numbers = table.columns[columns[k]].numbers;
    for (std::size_t n = 0; n < table.rows; ++n) values.row(n)[k] = static_cast<float>(numbers[n]);
  }
  check_shape(values.view(), labels.codes.size(), labels.classes, source, ErrorKind::data);
  check_values(
      values.view(),
      [&](std::size_t row, std::size_t k) { return table.where(row, table.columns[columns[k]]); },
      source, probability_rounding);
  clamp_values(values);
  return values;
}

}  // namespace

Matrix read_probabilities(Bytes bytes, const std::string& source, const Labels& labels,
                          Format format, const Execution& execution) {
  check_that(is_among(format, Format::txt), "the format is none of Format");
  check_that(!labels.codes.empty(), "there are no labels that the probabilities could be of");
  const Format known = format == Format::automatic ? format_of(source) : format;
  switch (known) {
    case Format::npy:
      return read_array_of_probabilities(std::move(bytes), source, labels.classes,
                                         labels.codes.size());
    case Format::csv:
    case Format::tsv:
      return read_table_of_probabilities(std::move(bytes), source,
                                         known == Format::tsv ? std::optional('\t') : std::nullopt,
                                         labels, execution);
    default:
      break;
  }
  throw Error(ErrorKind::usage,
              source +
                  ": probabilities are read from .npy, .csv and .tsv; save them as one of "
                  "these");
}

void check_class_probabilities(MatrixView probabilities, std::size_t rows,
                               const std::vector<std::string>& classes) {
  const std::string what = "the probabilities";
  check_view(probabilities, what.c_str());
  check_shape(probabilities, rows, classes, what, ErrorKind::usage);
  check_values(
      probabilities,
      [&](std::size_t row, std::size_t column) {
        return what + ": row " + std::to_string(row + 1) + ", class '" + classes[column] + '\'';
      },
      what, 0);
}

}  // namespace noiseplus
