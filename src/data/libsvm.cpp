#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "data/array_readers.h"

namespace noiseplus {
namespace {

// The rows of the file as they stand in it; row n's pairs end at row_end[n].
struct SparseRows {
  std::vector<std::string> labels;
  std::vector<std::size_t> row_end;
  std::vector<std::uint32_t> indices;
  std::vector<float> values;
  bool counts_from_zero = false;
  std::uint32_t largest_index = 0;
};

struct Token {
  std::string_view text;
  std::size_t begin = 0;  // in the line
};

class LibsvmParser {
 public:
  LibsvmParser(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  SparseRows parse() {
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
    while (!text_.empty()) {
      ++line_;
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      parse_line(text_.substr(0, end));
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    return std::move(rows_);
  }

 private:
  void parse_line(std::string_view line) {
    line = line.substr(0, line.find('#'));
    Token token = next_token(line, 0);
    if (token.text.empty()) return;
    if (token.text.find(':') != token.text.npos) {
      throw fault(token.begin, "the line begins with " + quoted(token.text) +
                                   " instead of a label; write the label first");
    }
    rows_.labels.emplace_back(token.text);
    row_has_pairs_ = false;
    for (;;) {
      token = next_token(line, token.begin + token.text.size());
      if (token.text.empty()) break;
      parse_pair(token);
    }
    rows_.row_end.push_back(rows_.indices.size());
  }

  static Token next_token(std::string_view line, std::size_t from) {
    constexpr std::string_view blanks = " \t\r\v\f";
    const std::size_t begin = std::min(line.find_first_not_of(blanks, from), line.size());
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    return {line.substr(begin, end - begin), begin};
  }

  void parse_pair(const Token& token) {
    const std::size_t colon = token.text.find(':');
    if (colon == token.text.npos) {
      throw fault(token.begin, quoted(token.text) +
                                   " is not a pair index:value; separate index and "
                                   "value by a colon, without blanks");
    }
    if (token.text.substr(0, colon) == "qid") {
      throw fault(token.begin,
                  "'qid:' marks the queries of ranking data, which is not supported; take it out");
    }
    const std::uint32_t index = parse_index(token, colon);
    if (row_has_pairs_ && index <= rows_.indices.back()) {
      throw fault(token.begin, "index " + std::to_string(index) + " follows index " +
                                   std::to_string(rows_.indices.back()) +
                                   "; the indices of a line must increase");
    }
    row_has_pairs_ = true;
    rows_.indices.push_back(index);
    rows_.values.push_back(parse_value(token, colon));
    rows_.counts_from_zero |= index == 0;
    rows_.largest_index = std::max(rows_.largest_index, index);
  }

  std::uint32_t parse_index(const Token& token, std::size_t colon) const {
    const std::string_view text = token.text.substr(0, colon);
    constexpr std::uint32_t largest = std::numeric_limits<std::int32_t>::max();
    std::uint32_t index = 0;
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (status == std::errc::invalid_argument || stop != text.data() + text.size()) {
      throw fault(token.begin, "the index " + quoted(text) + " is not a whole number from 0");
    }
    if (status == std::errc::result_out_of_range || index > largest) {
      throw fault(token.begin, "the index " + quoted(text) + " is too large; the largest is " +
                                   std::to_string(largest));
    }
    return index;
  }

  float parse_value(const Token& token, std::size_t colon) const {
    const std::string_view text = token.text.substr(colon + 1);
    const std::size_t begin = token.begin + colon + 1;
    const std::optional<double> value = parse_number(text);
    if (!value) throw fault(begin, "the value " + quoted(text) + " is not a number; correct it");
    if (std::abs(*value) > std::numeric_limits<float>::max()) {
      throw fault(begin, "the value " + quoted(text) +
                             " is infinite or too large for a 32-bit float; correct it");
    }
    return static_cast<float>(*value);
  }

  Error fault(std::size_t offset, const std::string& message) const {
    return {ErrorKind::data, source_ + ':' + std::to_string(line_) + ':' +
                                 std::to_string(offset + 1) + ": " + message};
  }

  std::string_view text_;
  const std::string& source_;
  std::size_t line_ = 0;
  SparseRows rows_;
  bool row_has_pairs_ = false;
};

// One wrong digit in an index, or bytes made for the purpose, can ask for any amount of memory. So
// the dense matrix must be of a size that can be worked with, and in proportion to the file: even
// data with one value in ten thousand has a byte of text for every few thousand cells.
void check_dense_size(std::size_t rows, std::size_t columns, std::size_t largest_index,
                      std::size_t file_size, const std::string& source) {
  constexpr std::size_t max_cells = (std::size_t{8} << 30) / sizeof(float);
  constexpr std::size_t always_allowed_cells = std::size_t{16} << 20;
  constexpr std::size_t max_cells_per_byte = 4096;
  const std::string size = std::to_string(rows) + " rows x " + std::to_string(columns) + " columns";
  if (columns > max_cells / rows) {
    const double gibibytes =
        static_cast<double>(rows) * static_cast<double>(columns) * sizeof(float) / 0x1p30;
    throw Error(ErrorKind::data, source + ": " + size + " would take " +
                                     format_number(std::round(gibibytes * 10) / 10) +
                                     " GiB as a dense matrix, and 8 GiB is the most; choose fewer "
                                     "rows or reduce the dimensions first");
  }
  const std::size_t cells = rows * columns;
  if (cells > always_allowed_cells && cells / max_cells_per_byte > file_size) {
    throw Error(ErrorKind::data, source + ": the largest index, " + std::to_string(largest_index) +
                                     ", makes " + size + " of a file of " +
                                     std::to_string(file_size) +
                                     " bytes; correct the index or reduce the dimensions first");
  }
}

}  // namespace

Arrays read_libsvm(const Bytes& bytes, const std::string& source) {
  SparseRows sparse = LibsvmParser(bytes.view(), source).parse();
  if (sparse.labels.empty()) {
    throw Error(ErrorKind::data,
                source + ": there are no rows; write 'label index:value ...' lines");
  }
  if (sparse.indices.empty()) {
    throw Error(
        ErrorKind::data,
        source + ": there are no columns, only labels; write 'label index:value ...' lines");
  }
  const std::size_t rows = sparse.labels.size();
  const std::uint32_t first_index = sparse.counts_from_zero ? 0 : 1;
  const std::size_t columns = std::size_t{sparse.largest_index} + 1 - first_index;
  check_dense_size(rows, columns, sparse.largest_index, bytes.size(), source);

  Matrix matrix(rows, columns);
  std::size_t pair = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    for (; pair < sparse.row_end[row]; ++pair) {
      matrix.row(row)[sparse.indices[pair] - first_index] = sparse.values[pair];
    }
  }
  return {Features(std::move(matrix)), std::move(sparse.labels), first_index};
}

}  // namespace noiseplus
