#include "data/arrow_values.h"

#include <utility>

namespace noiseplus {
namespace {

constexpr std::size_t view_size = 16;

// More values than any memory holds: with fewer, no sum or product of sizes overflows.
constexpr std::int64_t too_many = std::int64_t{1} << 48;

struct NamedFormat {
  std::string_view begin;
  const char* words;
};

// Formats that are taken by nobody, by how they begin.
constexpr NamedFormat refused_formats[] = {
    {"z", "binary data"},
    {"Z", "binary data"},
    {"vz", "binary data"},
    {"w:", "binary data"},
    {"d:", "a decimal"},
    {"td", "a date"},
    {"tt", "a time of day"},
    {"ts", "a timestamp"},
    {"tD", "a duration"},
    {"ti", "an interval"},
    {"+l", "nested (a list)"},
    {"+L", "nested (a list)"},
    {"+vl", "nested (a list)"},
    {"+vL", "nested (a list)"},
    {"+w:", "nested (a list)"},
    {"+s", "nested (a struct)"},
    {"+m", "nested (a map)"},
    {"+u", "nested (a union)"},
    {"+r", "nested (run-end encoded)"},
};

ArrowType refused_type(std::string_view format) {
  for (const NamedFormat& refused : refused_formats) {
    if (format.starts_with(refused.begin)) return {ArrowKind::refused, {}, refused.words};
  }
  return {ArrowKind::refused, {}, "of an Arrow type that is not known, " + quoted(format)};
}

ArrowType one_letter_type(char format) {
  const auto numbers = [](ElementKind kind, std::size_t size) {
    return ArrowType{ArrowKind::numbers, {kind, size, false}, {}};
  };
  switch (format) {
    case 'n':
      return {ArrowKind::nulls, {}, {}};
    case 'b':
      return {ArrowKind::bits, {}, {}};
    case 'c':
      return numbers(ElementKind::signed_integer, 1);
    case 'C':
      return numbers(ElementKind::unsigned_integer, 1);
    case 's':
      return numbers(ElementKind::signed_integer, 2);
    case 'S':
      return numbers(ElementKind::unsigned_integer, 2);
    case 'i':
      return numbers(ElementKind::signed_integer, 4);
    case 'I':
      return numbers(ElementKind::unsigned_integer, 4);
    case 'l':
      return numbers(ElementKind::signed_integer, 8);
    case 'L':
      return numbers(ElementKind::unsigned_integer, 8);
    case 'e':
      return numbers(ElementKind::floating, 2);
    case 'f':
      return numbers(ElementKind::floating, 4);
    case 'g':
      return numbers(ElementKind::floating, 8);
    case 'u':
      return {ArrowKind::texts, {ElementKind::signed_integer, 4, false}, {}};
    case 'U':
      return {ArrowKind::texts, {ElementKind::signed_integer, 8, false}, {}};
    default:
      return refused_type({&format, 1});
  }
}

struct MomentFormat {
  std::string_view begin;  // of a timestamp, whose time zone follows; else the whole format
  std::size_t size;        // of a value
  std::int64_t per_second;
  bool is_date;
};

constexpr MomentFormat moment_formats[] = {
    {"tdD", 4, 0, true},          {"tdm", 8, 1000, true},
    {"tss:", 8, 1, true},         {"tsm:", 8, 1000, true},
    {"tsu:", 8, 1'000'000, true}, {"tsn:", 8, 1'000'000'000, true},
    {"tDs", 8, 1, false},         {"tDm", 8, 1000, false},
    {"tDu", 8, 1'000'000, false}, {"tDn", 8, 1'000'000'000, false},
};

ArrowType type_of(const ArrowSchema& schema) {
  if (schema.format == nullptr) throw ArrowFault{"has no type"};
  const std::string_view format = schema.format;
  if (format.size() == 1) return one_letter_type(format.front());
  for (const MomentFormat& moment : moment_formats) {
    // Timestamps are in UTC, whatever time zone they are to be shown in.
    if (moment.begin.back() == ':' ? !format.starts_with(moment.begin) : format != moment.begin)
      continue;
    const ElementType element = {ElementKind::signed_integer, moment.size, false};
    return {ArrowKind::moments, element, {}, moment.per_second, moment.is_date};
  }
  if (format == "vu") return {ArrowKind::views, {}, {}};
  return refused_type(format);
}

void check_buffers(ArrowKind kind, const ArrowArray& array) {
  const bool is_text = kind == ArrowKind::texts || kind == ArrowKind::views;
  const std::int64_t least = kind == ArrowKind::rows ? 1 : is_text ? 3 : 2;
  const bool may_have_more = kind == ArrowKind::views;
  if (array.n_buffers < least || (array.n_buffers > least && !may_have_more)) {
    throw ArrowFault{"has " + std::to_string(array.n_buffers) + " buffers, where its type has " +
                     std::to_string(least) + (may_have_more ? " or more" : "")};
  }
  if (array.buffers == nullptr) throw ArrowFault{"has no buffers"};
  if (array.null_count > 0 && array.buffers[0] == nullptr) {
    throw ArrowFault{"has nulls, and does not say where"};
  }
}

}  // namespace

ArrowColumnType column_type(const ArrowSchema& schema) {
  ArrowType type = type_of(schema);
  if (schema.dictionary == nullptr) return {std::move(type), std::nullopt};
  if (!type.is_integer()) throw ArrowFault{"has a dictionary, and indices that are no integers"};
  if (schema.dictionary->dictionary != nullptr) {
    return {{ArrowKind::refused, {}, "nested (a dictionary in a dictionary)"}, std::nullopt};
  }
  return {type_of(*schema.dictionary), std::move(type)};
}

ArrowValues::ArrowValues(const ArrowType& type, const ArrowArray& array)
    : kind_(type.kind), element_(type.element), per_second_(type.per_second) {
  if (array.length < 0 || array.length >= too_many || array.offset < 0 ||
      array.offset >= too_many) {
    throw ArrowFault{"says that it has " + std::to_string(array.length) + " values from " +
                     std::to_string(array.offset) + " on"};
  }
  first_ = static_cast<std::size_t>(array.offset);
  size_ = static_cast<std::size_t>(array.length);
  if (kind_ == ArrowKind::nulls) return;
  check_buffers(kind_, array);
  validity_ = static_cast<const char*>(array.buffers[0]);
  if (kind_ == ArrowKind::rows || size_ == 0) return;  // what is empty may have null pointers
  data_ = static_cast<const char*>(array.buffers[1]);
  if (data_ == nullptr) throw ArrowFault{"lacks its values"};
  buffers_ = array.buffers + 2;
  if (kind_ != ArrowKind::views) return;
  text_buffers_ = array.n_buffers - 3;
  sizes_ = static_cast<const char*>(array.buffers[array.n_buffers - 1]);
}

std::string_view ArrowValues::text(std::size_t i) const {
  return kind_ == ArrowKind::views ? text_of_view(i) : text_between_offsets(i);
}

std::int64_t ArrowValues::offset(std::size_t i) const {
  return element_.size == 4 ? load_element<std::int32_t>(element(i), false)
                            : load_element<std::int64_t>(element(i), false);
}

// As parse_date has it: whole days, and the seconds of the last one as a fraction.
double ArrowValues::days(std::int64_t moment) const {
  if (per_second_ == 0) return static_cast<double>(moment);
  constexpr std::int64_t seconds_per_day = 86400;
  const std::int64_t per_day = seconds_per_day * per_second_;
  std::int64_t whole = moment / per_day, rest = moment % per_day;
  if (rest < 0) {
    rest += per_day;
    --whole;
  }
  const double seconds = static_cast<double>(rest) / static_cast<double>(per_second_);
  return static_cast<double>(whole) + seconds / static_cast<double>(seconds_per_day);
}

std::string_view ArrowValues::text_between_offsets(std::size_t i) const {
  const std::int64_t begin = offset(i);
  const std::int64_t end = offset(i + 1);
  // The last offset is the size of the texts' buffer.
  if (begin < 0 || end < begin || end > offset(size_)) {
    throw ArrowFault{"has offsets of texts that decrease"};
  }
  if (begin == end) return {};
  if (buffers_[0] == nullptr) throw ArrowFault{"lacks its texts"};
  return {static_cast<const char*>(buffers_[0]) + begin, static_cast<std::size_t>(end - begin)};
}

std::string_view ArrowValues::text_of_view(std::size_t i) const {
  constexpr std::int32_t longest_inside = 12;
  const char* view = data_ + (first_ + i) * view_size;
  const auto length = load_element<std::int32_t>(view, false);
  if (length < 0) throw ArrowFault{"has a text of negative length"};
  if (length <= longest_inside) return {view + 4, static_cast<std::size_t>(length)};
  const auto buffer = load_element<std::int32_t>(view + 8, false);
  const auto begin = load_element<std::int32_t>(view + 12, false);
  if (buffer < 0 || buffer >= text_buffers_ || sizes_ == nullptr || buffers_[buffer] == nullptr) {
    throw ArrowFault{"has a text in a buffer that is not there"};
  }
  const auto size = load_element<std::int64_t>(sizes_ + std::size_t{8} * buffer, false);
  if (begin < 0 || std::int64_t{begin} + length > size) {
    throw ArrowFault{"has a text outside its buffer"};
  }
  return {static_cast<const char*>(buffers_[buffer]) + begin, static_cast<std::size_t>(length)};
}

}  // namespace noiseplus
