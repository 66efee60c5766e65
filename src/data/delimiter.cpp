#include "data/csv.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

constexpr std::size_t max_rows = 20;
// Rows beyond this many bytes are not looked at: a table may have a million columns.
constexpr std::size_t max_bytes = std::size_t{1} << 20;

bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

std::size_t count_cells(std::string_view text, std::size_t begin, char delimiter,
                        std::size_t& end) {
  std::string scratch;
  for (std::size_t cells = 1;; ++cells) {
    end = read_cell(text, begin, delimiter, scratch).next;
    if (end >= text.size() || text[end] != delimiter) return cells;
    begin = end + 1;
  }
}

// Cells of the header, where there are two or more, and rows, and as many in each of the first of
// these; else 0.
std::size_t count_common_cells(std::string_view text, std::size_t begin, char delimiter) {
  try {
    std::size_t at = begin;
    const std::size_t cells = count_cells(text, begin, delimiter, at);
    if (cells < 2) return 0;
    for (std::size_t row = 0; row < max_rows && (row == 0 || at - begin < max_bytes); ++row) {
      while (at < text.size() && is_line_end(text[at])) ++at;
      if (at == text.size()) return row == 0 ? 0 : cells;
      if (count_cells(text, at, delimiter, at) != cells) return 0;
    }
    return cells;
  } catch (const CsvFault&) {
    return 0;
  }
}

std::size_t count_header_cells(std::string_view text, std::size_t begin, char delimiter) {
  try {
    return count_cells(text, begin, delimiter, begin);
  } catch (const CsvFault&) {
    return 0;
  }
}

}  // namespace

std::size_t begin_of_records(std::string_view text) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  while (begin < text.size() && is_line_end(text[begin])) ++begin;
  return begin;
}

char find_delimiter(std::string_view text) {
  const std::size_t begin = begin_of_records(text);
  if (begin == text.size() || count_common_cells(text, begin, ',') > 0) return ',';
  char best = ',';
  std::size_t max_cells = count_header_cells(text, begin, ',');
  for (const char delimiter : {';', '\t', '|'}) {
    const std::size_t cells = count_common_cells(text, begin, delimiter);
    if (cells <= max_cells) continue;
    best = delimiter;
    max_cells = cells;
  }
  return best;
}

}  // namespace noiseplus
