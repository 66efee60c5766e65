#include "core/format.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/display_width.h"

namespace noiseplus {
namespace {

// What a terminal obeys, or what turns the order of all that follows: controls, also those of the
// upper half, line and paragraph separators, and the embeddings and overrides of direction.
bool is_obeyed(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0x2028 && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

// Of the blocks for scripts that are written from right to left.
bool has_right_to_left(std::string_view text) {
  while (!text.empty()) {
    const CodePoint next = first_point(text);
    const std::uint32_t p = next.point;
    if (next.valid &&
        ((p >= 0x590 && p < 0x900) || (p >= 0xfb1d && p < 0xfe00) || (p >= 0xfe70 && p < 0xff00) ||
         (p >= 0x10800 && p < 0x11000) || (p >= 0x1e800 && p < 0x1f000))) {
      return true;
    }
    text.remove_prefix(next.bytes);
  }
  return false;
}

// "95 %" and "p < 0.05" stay together.
bool belong_together(std::string_view word, std::string_view next) {
  const auto compares = [](std::string_view w) { return w == "<" || w == "="; };
  return next.starts_with('%') || compares(word) || compares(next);
}

// Up to the next space where a line may end.
std::string_view first_piece(std::string_view text) {
  std::size_t begin = 0, end = std::min(text.find(' '), text.size());
  while (end < text.size()) {
    const std::size_t next_end = std::min(text.find(' ', end + 1), text.size());
    const std::string_view next = text.substr(end + 1, next_end - end - 1);
    if (!belong_together(text.substr(begin, end - begin), next)) break;
    begin = end + 1;
    end = next_end;
  }
  return text.substr(0, end);
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

}  // namespace

std::string cut(const std::string& text, std::size_t columns) {
  if (columns_of(text) <= columns) return text;
  const std::string dots(std::min<std::size_t>(columns, 3), '.');
  return std::string(first_columns(text, columns - dots.size())) + dots;
}

std::string short_name(const std::string& name) {
  const std::string shown = cut(printable(name), widest_name);
  // Terminals that know of directions would else take the numbers after such a name along.
  constexpr std::string_view left_to_right_mark = "\u200e";
  return has_right_to_left(shown) ? shown + std::string(left_to_right_mark) : shown;
}

std::string shorten_text(const std::string& text, std::size_t max_size) {
  constexpr std::size_t smallest_tail = 8;
  if (text.size() <= std::max(max_size, 4 * smallest_tail)) return text;
  const std::size_t tail = std::max(max_size / 4, smallest_tail);
  std::size_t end = std::max(max_size, 4 * smallest_tail) - tail - 3;
  while (end > 0 && continues_character(text[end])) --end;
  std::size_t begin = text.size() - tail;
  while (begin < text.size() && continues_character(text[begin])) ++begin;
  return text.substr(0, end) + "..." + text.substr(begin);
}

std::string quoted_name(const std::string& name) {
  return '\'' + cut(printable(name), 2 * widest_name) + '\'';
}

std::string wrapped(const std::string& text, std::size_t indent) {
  std::string lines;
  std::size_t length = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::string_view word = first_piece(std::string_view(text).substr(begin));
    const std::size_t columns = columns_of(word);
    const bool fits = length + 1 + columns <= widest_line;
    if (length > 0 && fits) {
      lines += ' ';
      ++length;
    } else if (length > 0) {
      lines += '\n' + std::string(indent, ' ');
      length = indent;
    }
    lines += word;
    length += columns;
    begin += word.size() + 1;
  }
  return lines + '\n';
}

std::string with_thousands(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string counted(std::size_t number, const std::string& noun, const std::string& plural) {
  const std::string several = plural.empty() ? noun + 's' : plural;
  return with_thousands(number) + ' ' + (number == 1 ? noun : several);
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string points(double share) {
  return fmt::format("{:.1f}", 100 * share);
}

std::string interval_points(double low, double high) {
  constexpr int max_digits = 6;
  std::string from, to;
  for (int digits = 1; digits <= max_digits && from == to; ++digits) {
    from = fmt::format("{:.{}f}", 100 * low, digits);
    to = fmt::format("{:.{}f}", 100 * high, digits);
    if (!(low < high)) break;
  }
  return from + " to " + to;
}

std::string span(double low, double high) {
  return interval_points(low, high) + " %";
}

std::string printable(const std::string& text) {
  std::string shown;
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint next = first_point(rest);
    if (next.valid && !is_obeyed(next.point)) {
      shown += rest.substr(0, next.bytes);
    } else {
      shown += '?';
    }
    rest.remove_prefix(next.bytes);
  }
  return shown;
}

}  // namespace noiseplus
