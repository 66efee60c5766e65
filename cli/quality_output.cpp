#include "quality_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "data/csv.h"
#include "labels_output.h"
#include "row_writer.h"

namespace noiseplus::cli {
namespace {

// "17,yes,no,0.031250"
std::string judgment(const Dataset& dataset, const LabelQuality& quality, std::size_t n,
                     bool escapes_formulas, char delimiter) {
  const auto cell = [&](std::int32_t code) {
    const std::string& text = dataset.labels.spellings[static_cast<std::size_t>(code)];
    return csv_cell(escapes_formulas ? escape_formula(text) : text, delimiter);
  };
  return fmt::format("{1}{0}{2}{0}{3}{0}{4:.6f}", delimiter, dataset.row_id(n) + 1,
                     cell(dataset.labels.codes[n]), cell(quality.suggested[n]), quality.right[n]);
}

std::string heading(char delimiter) {
  return fmt::format("row{0}given{0}suggested{0}probability", delimiter);
}

// Cells that no spreadsheet takes for a formula keep their bytes.
std::string escape_record(std::string_view record, char delimiter) {
  std::string escaped, scratch;
  for (std::size_t begin = 0;; ++begin) {
    const CsvCell cell = read_cell(record, begin, delimiter, scratch);
    const std::string text = escape_formula(cell.text);
    escaped += text == cell.text ? std::string(record.substr(begin, cell.next - begin))
                                 : csv_cell(text, delimiter);
    begin = cell.next;
    if (begin >= record.size()) return escaped;
    escaped += delimiter;
  }
}

std::vector<std::size_t> find_suspicious(const Dataset& dataset, const LabelQuality& quality) {
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < quality.right.size(); ++n) {
    if (quality.suggested[n] != dataset.labels.codes[n]) rows.push_back(n);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
    return quality.right[a] < quality.right[b];
  });
  return rows;
}

}  // namespace

void write_rows(const Dataset& dataset, const LabelQuality& quality, bool escapes_formulas,
                OutputFile& output, const Execution& execution) {
  const std::size_t rows = dataset.file_rows();
  RowWriter writer(output, rows, execution);
  writer.add_heading(heading(',') + '\n');
  for (std::size_t row = 0, n = 0; row < rows; ++row) {
    const bool has_label = n < quality.right.size() && dataset.row_id(n) == row;
    writer.add((has_label ? judgment(dataset, quality, n, escapes_formulas, ',')
                          : fmt::format("{},,,", row + 1)) +
               '\n');
    n += has_label ? 1 : 0;
  }
  writer.flush();
}

void check_suspects_file(const Dataset& dataset, const std::string& path) {
  // Of arrays, what is written is separated by commas.
  const Table commas;
  check_table_ending(dataset.table ? *dataset.table : commas, path);
}

void write_suspects(const Dataset& dataset, const LabelQuality& quality, bool escapes_formulas,
                    OutputFile& output, const Execution& execution) {
  const TableText* const text = dataset.table ? &dataset.table->text : nullptr;
  const char delimiter = text != nullptr ? text->delimiter : ',';
  const std::vector<std::size_t> rows = find_suspicious(dataset, quality);
  RowWriter writer(output, rows.size(), execution);
  std::string line = heading(delimiter);
  if (text != nullptr) {
    for (const Column& column : dataset.table->columns) {
      const std::string name = escapes_formulas ? escape_formula(column.name) : column.name;
      line += delimiter + csv_cell(name, delimiter);
    }
  }
  writer.add_heading(line + '\n');
  for (const std::size_t n : rows) {
    line = judgment(dataset, quality, n, escapes_formulas, delimiter);
    if (text != nullptr) {
      const std::size_t row = dataset.row_id(n);
      const std::size_t begin = text->record_begin[row];
      line += delimiter;
      const std::string_view record =
          text->bytes.view().substr(begin, text->record_end[row] - begin);
      line += escapes_formulas ? escape_record(record, delimiter) : std::string(record);
    }
    writer.add(line += '\n');
  }
  writer.flush();
}

}  // namespace noiseplus::cli
