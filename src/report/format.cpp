#include "report/format.h"

#include <fmt/format.h>

#include <algorithm>

#include "noiseplus/report.h"

namespace noiseplus {
namespace {

constexpr std::size_t widest_name = 24;
constexpr std::size_t widest_line = 80;

bool continues_utf8(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

std::size_t columns_of(std::string_view word) {
  return static_cast<std::size_t>(
      std::count_if(word.begin(), word.end(), [](char c) { return !continues_utf8(c); }));
}

}  // namespace

std::string short_name(const std::string& name) {
  std::string shown = printable(name);
  if (shown.size() <= widest_name) return shown;
  std::size_t end = widest_name - 3;
  while (end > 0 && continues_utf8(shown[end])) --end;
  return shown.substr(0, end) + "...";
}

std::size_t widest_short_name(const std::vector<std::string>& names, std::size_t least) {
  for (const std::string& name : names) least = std::max(least, short_name(name).size());
  return least;
}

std::string wrapped(const std::string& text) {
  std::string lines;
  std::size_t length = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word(text.data() + begin, end - begin);
    const std::size_t columns = columns_of(word);
    const bool fits = length + 1 + columns <= widest_line;
    if (length > 0) lines += fits ? ' ' : '\n';
    lines += word;
    length = length > 0 && fits ? length + 1 + columns : columns;
    begin = end + 1;
  }
  return lines + '\n';
}

std::string with_thousands(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

std::string span(double low, double high) {
  return fmt::format("{:.1f} to {:.1f} %", 100 * low, 100 * high);
}

std::string printable(const std::string& text) {
  std::string shown = text;
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  return shown;
}

}  // namespace noiseplus
