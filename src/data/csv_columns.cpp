#include "data/csv_columns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <mutex>

namespace noiseplus {
namespace {

constexpr double missing_number = std::numeric_limits<double>::quiet_NaN();

// Powers of ten that a double holds exactly; with a mantissa below 2^53 one division by them is
// correctly rounded (Clinger 1990).
constexpr std::array<double, 23> exact_power = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// Eight digits at once, each byte '0'..'9' (the arithmetic is Lemire's, "Quickly parsing eight
// digits", 2018): neighboring digits are joined to pairs, pairs to fours, fours to the whole.
bool are_eight_digits(std::uint64_t bytes) {
  return ((bytes & 0xf0f0f0f0f0f0f0f0ULL) |
          (((bytes + 0x0606060606060606ULL) & 0xf0f0f0f0f0f0f0f0ULL) >> 4)) ==
         0x3333333333333333ULL;
}

std::uint64_t value_of_eight_digits(std::uint64_t bytes) {
  bytes -= 0x3030303030303030ULL;
  bytes = bytes * 10 + (bytes >> 8);
  return (((bytes & 0x000000ff000000ffULL) * 0x000f424000000064ULL) +
          (((bytes >> 16) & 0x000000ff000000ffULL) * 0x0000271000000001ULL)) >>
         32;
}

const char* read_digits(const char* at, const char* end, std::uint64_t& mantissa) {
  for (; at != end; ++at) {
    const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
    if (digit > 9) break;
    mantissa = mantissa * 10 + digit;
  }
  return at;
}

// Decimals come by the dozen where numbers were computed, so they are tried eight at a time.
const char* read_decimals(const char* at, const char* end, std::uint64_t& mantissa) {
  if constexpr (std::endian::native == std::endian::little) {
    for (std::uint64_t bytes = 0; end - at >= 8; at += 8) {
      std::memcpy(&bytes, at, sizeof bytes);
      if (!are_eight_digits(bytes)) break;
      mantissa = mantissa * 100000000 + value_of_eight_digits(bytes);
    }
  }
  return read_digits(at, end, mantissa);
}

// Where the number that starts at `at` ends, or null when it is not spelled [-]digits[.digits], the
// common way. Anything else is read the long way.
const char* read_plain_number(const char* at, const char* end, double& number) {
  const char* begin = at;
  const bool negative = at != end && *at == '-';
  if (negative) ++at;
  std::uint64_t mantissa = 0;
  const char* first = at;
  at = read_digits(at, end, mantissa);
  auto count = at - first;
  std::size_t decimals = 0;
  if (at != end && *at == '.') {
    first = ++at;
    at = read_decimals(at, end, mantissa);
    decimals = static_cast<std::size_t>(at - first);
    count += at - first;
  }
  constexpr int digits_that_fit = 19;
  if (count == 0 || (at != end && (*at == 'e' || *at == 'E'))) return nullptr;
  if (count <= digits_that_fit && mantissa <= (std::uint64_t{1} << 53)) {
    number = static_cast<double>(mantissa) / exact_power[decimals];
    if (negative) number = -number;
    return at;
  }
  const auto result = std::from_chars(begin, at, number);
  return result.ec == std::errc() && result.ptr == at ? at : nullptr;
}

}  // namespace

std::int32_t CsvColumns::Dictionary::find(std::string_view text) const {
  if (codes != nullptr) {
    const auto found = codes->find(text);
    return found == codes->end() ? -1 : found->second;
  }
  const auto found = std::find(texts.begin(), texts.end(), text);
  return found == texts.end() ? -1 : static_cast<std::int32_t>(found - texts.begin());
}

std::int32_t CsvColumns::Dictionary::add(std::string_view text) {
  const auto code = static_cast<std::int32_t>(texts.size());
  texts.push_back(text);
  constexpr std::size_t few = 16;
  if (codes != nullptr) {
    codes->emplace(text, code);
  } else if (texts.size() > few) {
    codes = std::make_unique<std::unordered_map<std::string_view, std::int32_t>>();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      codes->emplace(texts[i], static_cast<std::int32_t>(i));
    }
  }
  return code;
}

CsvColumns::CsvColumns(Table& table, const TableOptions& options)
    : table_(table),
      options_(options),
      text_(table.text.bytes.view()),
      delimiter_(table.text.delimiter),
      met_text_(new std::atomic<char>[table.columns.size()]()) {}

void CsvColumns::read(const std::vector<CsvChunk>& chunks, const std::vector<CellUse>& uses,
                      ThreadPool& pool, ProgressMeter& meter) {
  uses_ = uses;
  dictionary_of_.assign(uses.size(), 0);
  std::size_t dictionaries = 0;
  for (std::size_t c = 0; c < uses.size(); ++c) {
    if (uses[c] == CellUse::text) dictionary_of_[c] = dictionaries++;
  }
  pool.for_each(uses.size(), [&](std::size_t c) {
    if (uses[c] == CellUse::text) table_.columns[c].codes.resize(table_.rows);
    if (uses[c] == CellUse::number) table_.columns[c].numbers.resize(table_.rows);
  });

  std::vector<ChunkTexts> texts(chunks.size());
  std::mutex mutex;
  std::optional<CsvFault> earliest;
  pool.for_each(chunks.size(), [&](std::size_t i) {
    if (!chunks[i].record_begin.empty()) texts[i].dictionaries.resize(dictionaries);
    try {
      read_chunk(chunks[i], texts[i]);
    } catch (CsvFault& fault) {
      const std::lock_guard lock(mutex);
      if (!earliest || fault.offset < earliest->offset) earliest = std::move(fault);
    }
    meter.step();
  });
  if (earliest) {
    throw Error(ErrorKind::data,
                locate(text_, earliest->offset, table_.source) + ": " + earliest->message);
  }
  finish(chunks, texts, pool);
}

void CsvColumns::read_chunk(const CsvChunk& chunk, ChunkTexts& texts) {
  for (std::size_t i = 0; i < chunk.record_begin.size(); ++i) {
    const std::size_t row = chunk.first_row + i;
    table_.text.record_begin[row] = chunk.record_begin[i];
    table_.text.record_end[row] = read_record(row, chunk.record_begin[i], texts);
  }
}

std::size_t CsvColumns::read_record(std::size_t row, std::size_t begin, ChunkTexts& texts) {
  const std::size_t columns = uses_.size();
  std::string scratch;
  std::size_t at = begin;
  for (std::size_t c = 0;; ++c) {
    switch (uses_[c]) {
      case CellUse::number:
        at = read_number(c, row, at);
        break;
      case CellUse::text:
        at = read_text(c, row, at, texts);
        break;
      case CellUse::skip:
        at = read_cell(text_, at, delimiter_, scratch).next;
        break;
    }
    const bool more = at < text_.size() && text_[at] == delimiter_;
    if (more && c + 1 < columns) {
      ++at;
      continue;
    }
    if (!more && c + 1 == columns) return at;
    throw CsvFault{at, more ? "more cells than the " + std::to_string(columns) +
                                  " of the first line; remove the surplus or quote the delimiter"
                            : "the line has " + std::to_string(c + 1) + " cells, the first line " +
                                  std::to_string(columns) + "; add the missing ones"};
  }
}

std::size_t CsvColumns::read_number(std::size_t column, std::size_t row, std::size_t begin) {
  double& number = table_.columns[column].numbers[row];
  const char* end = text_.data() + text_.size();
  const char* next = read_plain_number(text_.data() + begin, end, number);
  if (next != nullptr && (next == end || *next == delimiter_ || *next == '\n')) {
    return static_cast<std::size_t>(next - text_.data());
  }
  std::string scratch;
  const CsvCell cell = read_cell(text_, begin, delimiter_, scratch);
  if (is_missing(cell)) {
    number = missing_number;
  } else if (const auto value = parse_number(cell.text)) {
    number = *value;
  } else {
    met_text_[column].store(1, std::memory_order_relaxed);
  }
  return cell.next;
}

std::size_t CsvColumns::read_text(std::size_t column, std::size_t row, std::size_t begin,
                                  ChunkTexts& texts) {
  std::string scratch;
  CsvCell cell = read_cell(text_, begin, delimiter_, scratch);
  std::int32_t& code = table_.columns[column].codes[row];
  if (is_missing(cell)) {
    code = -1;
    return cell.next;
  }
  Dictionary& dictionary = texts.dictionaries[dictionary_of_[column]];
  code = dictionary.find(cell.text);
  if (code >= 0) return cell.next;
  if (cell.text.data() == scratch.data()) {
    texts.unfolded.push_back(std::make_unique<std::string>(scratch));
    cell.text = *texts.unfolded.back();
  }
  code = dictionary.add(cell.text);
  return cell.next;
}

bool CsvColumns::is_missing(const CsvCell& cell) const {
  return (cell.text.empty() || std::find(options_.missing.begin(), options_.missing.end(),
                                         cell.text) != options_.missing.end());
}

void CsvColumns::finish(const std::vector<CsvChunk>& chunks, std::vector<ChunkTexts>& texts,
                        ThreadPool& pool) {
  std::vector<std::size_t> text_columns;
  for (std::size_t c = 0; c < uses_.size(); ++c) {
    if (uses_[c] == CellUse::text) text_columns.push_back(c);
  }
  pool.for_each(text_columns.size(), [&](std::size_t position) {
    Column& column = table_.columns[text_columns[position]];
    column.is_text = true;
    column.numbers = {};
    column.categories.clear();
    std::unordered_map<std::string_view, std::int32_t> codes;
    std::vector<std::int32_t> renumbered;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
      if (chunks[i].record_begin.empty()) continue;
      renumbered.clear();
      for (const std::string_view name : texts[i].dictionaries[position].texts) {
        const auto [entry, is_new] = codes.emplace(name, static_cast<std::int32_t>(codes.size()));
        if (is_new) column.categories.emplace_back(name);
        renumbered.push_back(entry->second);
      }
      for (std::size_t r = 0; r < chunks[i].record_begin.size(); ++r) {
        std::int32_t& code = column.codes[chunks[i].first_row + r];
        if (code >= 0) code = renumbered[static_cast<std::size_t>(code)];
      }
    }
  });
}

}  // namespace noiseplus
