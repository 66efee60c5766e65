#include <algorithm>
#include <cstring>

#include "data/csv.h"

namespace noiseplus {
namespace {

constexpr std::size_t smallest_chunk = std::size_t{1} << 20;
constexpr std::size_t max_chunks = 1024;

bool is_blank_line(std::string_view text, std::size_t begin) {
  return begin >= text.size() || text[begin] == '\n' ||
         (text[begin] == '\r' && (begin + 1 == text.size() || text[begin + 1] == '\n'));
}

std::size_t find_byte(std::string_view text, char wanted, std::size_t begin, std::size_t end) {
  const void* found = std::memchr(text.data() + begin, wanted, end - begin);
  return found == nullptr ? end
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// Calls `found` with the offset after each line feed of [begin, end) that lies outside quotes.
template <typename Found>
void for_each_record_start(std::string_view text, std::size_t begin, std::size_t end, bool quoted,
                           const Found& found) {
  std::size_t at = begin;
  while (at < end) {
    if (quoted) {
      at = find_byte(text, '"', at, end);
      if (at == end) return;
      quoted = false;
      ++at;
      continue;
    }
    const std::size_t quote = find_byte(text, '"', at, end);
    while (at < quote) {
      at = find_byte(text, '\n', at, quote);
      if (at < quote) found(++at);
    }
    if (quote == end) return;
    quoted = true;
    at = quote + 1;
  }
}

}  // namespace

std::size_t end_of_record(std::string_view text, std::size_t begin) {
  bool quoted = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    if (text[at] == '"') quoted = !quoted;
    if (text[at] == '\n' && !quoted) return at;
  }
  return text.size();
}

std::vector<CsvChunk> split_records(std::string_view text, std::size_t begin, bool keep_blank_lines,
                                    ThreadPool& pool) {
  const std::size_t size = text.size() - begin;
  const std::size_t chunk_size = std::max(smallest_chunk, size / max_chunks + 1);
  const std::size_t count = (size + chunk_size - 1) / chunk_size;
  const auto chunk_begin = [&](std::size_t i) {
    return std::min(begin + i * chunk_size, text.size());
  };

  std::vector<char> odd_quotes(count);
  pool.for_each(count, [&](std::size_t i) {
    const auto quotes =
        std::count(text.begin() + static_cast<std::ptrdiff_t>(chunk_begin(i)),
                   text.begin() + static_cast<std::ptrdiff_t>(chunk_begin(i + 1)), '"');
    odd_quotes[i] = static_cast<char>(quotes % 2);
  });
  std::vector<char> starts_quoted(count);
  for (std::size_t i = 1; i < count; ++i) {
    starts_quoted[i] = static_cast<char>(starts_quoted[i - 1] ^ odd_quotes[i - 1]);
  }

  std::vector<CsvChunk> chunks(count);
  pool.for_each(count, [&](std::size_t i) {
    std::vector<std::size_t>& records = chunks[i].record_begin;
    const auto add = [&](std::size_t start) {
      if (start < text.size() && (keep_blank_lines || !is_blank_line(text, start))) {
        records.push_back(start);
      }
    };
    if (i == 0) add(begin);
    for_each_record_start(text, chunk_begin(i), chunk_begin(i + 1), starts_quoted[i] != 0, add);
  });
  for (std::size_t i = 1; i < count; ++i) {
    chunks[i].first_row = chunks[i - 1].first_row + chunks[i - 1].record_begin.size();
  }
  return chunks;
}

CsvCell read_cell(std::string_view text, std::size_t begin, char delimiter, std::string& scratch) {
  const auto ends_cell = [&](std::size_t at) {
    return at == text.size() || text[at] == delimiter || text[at] == '\n' ||
           (text[at] == '\r' && (at + 1 == text.size() || text[at + 1] == '\n'));
  };
  std::size_t at = begin;
  while (!ends_cell(at) && text[at] == ' ') ++at;
  if (ends_cell(at) || text[at] != '"') {
    while (!ends_cell(at)) {
      if (text[at] == '"') {
        throw CsvFault{at,
                       "a quote inside a cell that does not begin with one; put the whole cell "
                       "in quotes and double the inner one"};
      }
      ++at;
    }
    return {trim_blanks(text.substr(begin, at - begin)), false, at};
  }

  const std::size_t open = at++;
  const std::size_t content = at;
  bool has_doubled = false;
  for (;; at += 2) {
    at = find_byte(text, '"', at, text.size());
    if (at == text.size()) throw CsvFault{open, "this quote is never closed; close it"};
    if (at + 1 == text.size() || text[at + 1] != '"') break;
    has_doubled = true;
  }
  std::string_view value = text.substr(content, at - content);
  ++at;
  while (!ends_cell(at)) {
    if (text[at] != ' ') {
      throw CsvFault{at, "text after a closing quote; double a quote that belongs to the cell"};
    }
    ++at;
  }
  if (has_doubled) {
    scratch.clear();
    for (std::size_t i = 0; i < value.size(); ++i) {
      scratch.push_back(value[i]);
      if (value[i] == '"') ++i;
    }
    value = scratch;
  }
  return {value, true, at};
}

std::string locate(std::string_view text, std::size_t offset, const std::string& source) {
  offset = std::min(offset, text.size());
  const std::string_view before = text.substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t line_begin = before.rfind('\n') == before.npos ? 0 : before.rfind('\n') + 1;
  return source + ':' + std::to_string(line) + ':' + std::to_string(offset - line_begin + 1);
}

}  // namespace noiseplus
