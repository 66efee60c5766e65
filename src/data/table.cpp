#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "core/checks.h"
#include "core/messages.h"
#include "data/columns.h"
#include "data/csv_columns.h"

namespace noiseplus {
namespace {

// How many cells are looked at to guess which columns are numbers. A wrong guess costs a second
// pass, never a wrong answer.
constexpr std::size_t cells_to_guess_from = 20000;

std::vector<std::string> read_record_texts(std::string_view text, std::size_t begin, char delimiter,
                                           std::size_t& end) {
  std::vector<std::string> cells;
  std::string scratch;
  for (;;) {
    const CsvCell cell = read_cell(text, begin, delimiter, scratch);
    cells.emplace_back(cell.text);
    end = cell.next;
    if (end >= text.size() || text[end] != delimiter) return cells;
    begin = end + 1;
  }
}

std::vector<CellUse> guess_uses(const Table& table, const std::vector<CsvChunk>& chunks,
                                const TableOptions& options) {
  const std::size_t columns = table.columns.size();
  std::vector<CellUse> uses(columns, CellUse::number);
  const auto is_missing = [&](const std::string& cell) {
    return cell.empty() ||
           std::find(options.missing.begin(), options.missing.end(), cell) != options.missing.end();
  };
  const std::size_t rows =
      std::min(table.rows, std::max<std::size_t>(1, cells_to_guess_from / columns));
  const std::vector<std::size_t>* records = &chunks.front().record_begin;
  for (std::size_t row = 0, chunk = 0; row < rows; ++row) {
    while (row >= chunks[chunk].first_row + records->size())
      records = &chunks[++chunk].record_begin;
    std::size_t end = 0;
    std::vector<std::string> cells;
    try {
      cells = read_record_texts(table.text.bytes.view(), (*records)[row - chunks[chunk].first_row],
                                table.text.delimiter, end);
    } catch (const CsvFault&) {
      break;  // the full pass meets it too and knows whether it is the first
    }
    for (std::size_t c = 0; c < std::min(columns, cells.size()); ++c) {
      if (!is_missing(cells[c]) && !parse_number(cells[c])) uses[c] = CellUse::text;
    }
  }
  const std::unordered_set<std::string_view> texts(options.text_columns.begin(),
                                                   options.text_columns.end());
  for (std::size_t c = 0; c < columns; ++c) {
    if (texts.contains(table.columns[c].name)) uses[c] = CellUse::text;
  }
  return uses;
}

std::size_t offset_of_cell(const Table& table, std::size_t row, std::size_t column) {
  std::string scratch;
  std::size_t at = table.text.record_begin[row];
  for (std::size_t c = 0; c < column; ++c) {
    at = read_cell(table.text.bytes.view(), at, table.text.delimiter, scratch).next + 1;
  }
  return at;
}

// Other kinds of file, which would else be met as odd cells somewhere in the middle.
void refuse_what_is_no_table(std::string_view text, const std::string& source) {
  const auto refuse = [&](const char* why) { throw Error(ErrorKind::data, source + ": " + why); };
  const std::string_view begin = text.substr(0, 4096);
  if (begin.starts_with("\xff\xfe") || begin.starts_with("\xfe\xff")) {
    refuse("the text is UTF-16; save it as UTF-8");
  }
  if (begin.starts_with("\x93NUMPY")) refuse("this is an npy file, not a table; say --format npy");
  if (begin.find('\0') != begin.npos) {
    refuse("holds NUL bytes, so it is no text; if it is npy, npz or idx, say so with --format");
  }
  if (text.find('\n') == text.npos && begin.find('\r') != begin.npos) {
    refuse("the lines end in CR alone; convert them to LF");
  }
}

void read_header(Table& table, const TableOptions& options) {
  const std::string_view text = table.text.bytes.view();
  refuse_what_is_no_table(text, table.source);
  const std::size_t begin = begin_of_records(text);
  if (begin == text.size()) {
    throw Error(ErrorKind::data,
                table.source + ": the file is empty; give it a header line and rows");
  }
  table.text.header_begin = table.text.header_end = begin;
  std::size_t end = begin;
  std::vector<std::string> names;
  try {
    names = read_record_texts(text, begin, table.text.delimiter, end);
  } catch (const CsvFault& fault) {
    throw Error(ErrorKind::data, locate(text, fault.offset, table.source) + ": " + fault.message);
  }
  if (options.header) table.text.header_end = end;
  name_columns(table, names, options.header);
}

}  // namespace

Table read_table(Bytes bytes, const std::string& source, const TableOptions& options,
                 const Execution& execution) {
  check_that(!options.delimiter ||
                 std::string_view("\"\n\r\0", 4).find(*options.delimiter) == std::string_view::npos,
             "the delimiter of a table cannot be a quote, a line end or NUL");
  Table table;
  table.source = source;
  table.text.bytes = std::move(bytes);
  table.text.delimiter =
      options.delimiter ? *options.delimiter : find_delimiter(table.text.bytes.view());
  read_header(table, options);

  const std::string_view text = table.text.bytes.view();
  std::size_t begin = table.text.header_begin;
  if (options.header) begin = std::min(end_of_record(text, table.text.header_end) + 1, text.size());
  ThreadPool pool(execution.threads);
  const std::vector<CsvChunk> chunks = split_records(text, begin, table.columns.size() == 1, pool);
  if (!chunks.empty()) table.rows = chunks.back().first_row + chunks.back().record_begin.size();
  if (table.rows == 0) {
    throw Error(ErrorKind::data, source + ": there is a header but no rows; add some");
  }
  table.text.record_begin.resize(table.rows);
  table.text.record_end.resize(table.rows);

  ProgressMeter meter(execution, "reading", chunks.size());
  CsvColumns columns(table, options);
  std::vector<CellUse> uses = guess_uses(table, chunks, options);
  columns.read(chunks, uses, pool, meter);

  bool again = false;
  for (std::size_t c = 0; c < uses.size(); ++c) {
    const bool misjudged = uses[c] == CellUse::number && columns.met_text(c);
    uses[c] = misjudged ? CellUse::text : CellUse::skip;
    again = again || misjudged;
  }
  if (again) columns.read(chunks, uses, pool, meter);
  return table;
}

std::size_t Column::missing() const {
  return static_cast<std::size_t>(is_text ? std::count(codes.begin(), codes.end(), -1)
                                          : std::count_if(numbers.begin(), numbers.end(),
                                                          [](double v) { return std::isnan(v); }));
}

const Column* Table::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& column) { return column.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

const Column& Table::column(std::string_view name) const {
  if (const Column* found = find(name)) return *found;
  std::string names;
  constexpr std::size_t max_names = 30;
  for (std::size_t c = 0; c < std::min(columns.size(), max_names); ++c) {
    names += (c == 0 ? "" : ", ") + columns[c].name;
  }
  if (columns.size() > max_names) names += ", ...";
  if (columns.size() == 1 && columns[0].name.find_first_of(";|\t,:~^#") != std::string::npos) {
    names += " (is the table separated otherwise? Say how with --delimiter)";
  }
  std::vector<std::string_view> known;
  known.reserve(columns.size());
  for (const Column& column : columns) known.emplace_back(column.name);
  throw Error(ErrorKind::usage, source + ": there is no column '" + std::string(name) + '\'' +
                                    did_you_mean(name, known) + "; the columns are: " + names);
}

std::string Table::where(std::size_t row, const Column& column) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const Column& own) { return &own == &column; });
  check_that(found != columns.end(), "the column is not one of this table; look it up there");
  check_that(row < rows, "the table has no such row; count rows from 0");
  const auto position = static_cast<std::size_t>(found - columns.begin());
  if (text.record_begin.empty()) {
    return source + ": row " + std::to_string(row + 1) + ", column " + std::to_string(position + 1);
  }
  check_that(text.record_begin.size() == rows && text.record_begin[row] <= text.bytes.size(),
             "the records of the table are not in its text");
  return locate(text.bytes.view(), offset_of_cell(*this, row, position), source);
}

}  // namespace noiseplus
