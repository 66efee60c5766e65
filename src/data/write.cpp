#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include "core/checks.h"
#include "core/thread_pool.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

constexpr std::size_t flush_at = std::size_t{1} << 20;

// Gathers small pieces so that the file sees large writes.
class Buffered {
 public:
  explicit Buffered(OutputFile& output) : output_(output) {}
  void add(std::string_view text) {
    text_ += text;
    if (text_.size() >= flush_at) flush();
  }
  void flush() {
    output_.write(text_);
    text_.clear();
  }

 private:
  OutputFile& output_;
  std::string text_;
};

std::optional<std::vector<long long>> all_integers(const std::vector<std::string>& classes) {
  std::vector<long long> values;
  for (const std::string& name : classes) {
    long long value = 0;
    const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), value);
    if (status != std::errc() || end != name.data() + name.size()) return std::nullopt;
    values.push_back(value);
  }
  return values;
}

std::string npy_header(const std::string& type, std::size_t rows) {
  std::string dictionary = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" +
                           std::to_string(rows) + ",), }";
  constexpr std::size_t preamble = 10;
  constexpr std::size_t alignment = 64;
  while ((preamble + dictionary.size() + 1) % alignment != 0) dictionary += ' ';
  dictionary += '\n';
  const auto size = static_cast<std::uint16_t>(dictionary.size());
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(size & 0xff);
  header += static_cast<char>(size >> 8);
  return header + dictionary;
}

// numpy's text is UTF-32, every cell as wide as the widest.
std::u32string decode_utf8(std::string_view text) {
  std::u32string decoded;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i++]);
    const int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
    constexpr std::array<unsigned char, 4> lead_bits = {0x7f, 0x1f, 0x0f, 0x07};
    char32_t point = lead & lead_bits[static_cast<std::size_t>(more)];
    bool is_valid = lead < 0x80 || more > 0;
    for (int j = 0; j < more; ++j) {
      const unsigned char next = i < text.size() ? static_cast<unsigned char>(text[i++]) : 0;
      is_valid = is_valid && (next & 0xc0) == 0x80;
      point = (point << 6) | (next & 0x3fU);
    }
    if (!is_valid || point > 0x10ffff) {
      throw Error(ErrorKind::data, "the class '" + std::string(text) +
                                       "' is not UTF-8, which .npy needs; write .csv or .txt");
    }
    decoded.push_back(point);
  }
  return decoded;
}

void write_npy(std::span<const std::int32_t> codes, const std::vector<std::string>& classes,
               Buffered& out) {
  std::vector<std::string> cells;
  std::string type = "<i8";
  if (const auto integers = all_integers(classes)) {
    for (const long long value : *integers) {
      std::string cell(sizeof value, '\0');
      std::memcpy(cell.data(), &value, sizeof value);
      cells.push_back(std::move(cell));
    }
  } else {
    std::size_t widest = 1;
    for (const std::string& name : classes) widest = std::max(widest, decode_utf8(name).size());
    for (const std::string& name : classes) {
      std::u32string wide = decode_utf8(name);
      wide.resize(widest);
      cells.emplace_back(reinterpret_cast<const char*>(wide.data()), widest * sizeof(char32_t));
    }
    type = "<U" + std::to_string(widest);
  }
  out.add(npy_header(type, codes.size()));
  for (const std::int32_t code : codes) out.add(cells[static_cast<std::size_t>(code)]);
}

void write_idx(std::span<const std::int32_t> codes, const std::vector<std::string>& classes,
               Buffered& out) {
  const std::vector<long long> integers = all_integers(classes).value();
  std::string header{'\0', '\0', '\x08', '\x01'};
  for (int shift = 24; shift >= 0; shift -= 8) {
    header += static_cast<char>((codes.size() >> shift) & 0xff);
  }
  out.add(header);
  for (const std::int32_t code : codes) {
    const auto value = static_cast<char>(integers[static_cast<std::size_t>(code)]);
    out.add({&value, 1});
  }
}

}  // namespace

std::string csv_cell(std::string_view text, char delimiter) {
  const bool is_plain =
      text.find_first_of("\"\r\n") == text.npos && text.find(delimiter) == text.npos &&
      (text.empty() ||
       (std::strchr(" \t", text.front()) == nullptr && std::strchr(" \t", text.back()) == nullptr));
  if (is_plain) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string escape_formula(std::string_view text) {
  constexpr std::string_view begins_formula = "=+-@\t\r\n";
  const bool is_formula = !text.empty() && begins_formula.find(text.front()) != text.npos &&
                          !parse_number(text).has_value();
  return (is_formula ? "'" : "") + std::string(text);
}

void write_with_column(const Table& table, std::string_view name,
                       std::span<const std::string_view> cells, OutputFile& output,
                       const Execution& execution) {
  const TableText& text = table.text;
  const std::string_view bytes = text.bytes.view();
  check_one_per_row(cells.size(), table.rows, "cells");
  check_that(text.record_end.size() == table.rows, "the table has no text to write again");
  std::size_t last = text.header_end;
  for (const std::size_t end : text.record_end) {
    check_that(last <= end && end <= bytes.size(), "a record of the table is not in its text");
    last = end;
  }
  check_that(text.header_begin <= text.header_end && last <= bytes.size(),
             "the header of the table is not in its text");
  Buffered out(output);
  std::size_t at = 0;
  if (text.header_end > text.header_begin) {
    out.add(bytes.substr(0, text.header_end));
    out.add(text.delimiter + csv_cell(name, text.delimiter));
    at = text.header_end;
  }
  constexpr std::size_t block = 4096;
  ProgressMeter meter(execution, "writing", table.rows);
  for (std::size_t row = 0; row < table.rows; ++row) {
    if (row % block == block - 1) meter.step(block);
    out.add(bytes.substr(at, text.record_end[row] - at));
    out.add({&text.delimiter, 1});
    out.add(csv_cell(cells[row], text.delimiter));
    at = text.record_end[row];
  }
  out.add(bytes.substr(at));
  out.flush();
}

void check_labels_format(const std::vector<std::string>& classes, const std::string& path) {
  const Format format = format_of(path);
  if (format == Format::npz || format == Format::libsvm) {
    throw Error(ErrorKind::usage,
                path + ": labels are written as .npy, .csv, .txt or idx; choose one");
  }
  const auto integers = all_integers(classes);
  const bool are_bytes = integers && std::all_of(integers->begin(), integers->end(),
                                                 [](long long v) { return v >= 0 && v <= 255; });
  if (format == Format::idx && !are_bytes) {
    throw Error(ErrorKind::usage,
                path + ": an idx file holds labels 0 to 255 only; write .npy or .csv");
  }
  if (format == Format::npy && !integers) {
    for (const std::string& name : classes) decode_utf8(name);
  }
}

void write_labels(std::string_view name, std::span<const std::int32_t> codes,
                  const std::vector<std::string>& classes, const std::string& path,
                  OutputFile& output) {
  check_labels_format(classes, path);
  check_codes(codes, classes.size());
  Buffered out(output);
  const Format format = format_of(path);
  if (format == Format::npy) {
    write_npy(codes, classes, out);
  } else if (format == Format::idx) {
    write_idx(codes, classes, out);
  } else {
    const char delimiter = format == Format::tsv ? '\t' : ',';
    const bool is_plain = format == Format::txt;
    if (!is_plain) out.add(csv_cell(name, delimiter) + '\n');
    for (const std::int32_t code : codes) {
      const std::string& text = classes[static_cast<std::size_t>(code)];
      out.add((is_plain ? text : csv_cell(text, delimiter)) + '\n');
    }
  }
  out.flush();
}

}  // namespace noiseplus
