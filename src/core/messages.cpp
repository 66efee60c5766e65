#include "core/messages.h"

#include <algorithm>

#include "noiseplus/core.h"

namespace noiseplus {
namespace {

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xc0U) == 0x80U;
}

// Every text between two quotes that is longer than a quotation may be.
std::string shorten_quotes(std::string_view message) {
  std::string result;
  for (;;) {
    const std::size_t begin = message.find('\'');
    const std::size_t end = begin == message.npos ? begin : message.find('\'', begin + 1);
    if (end == message.npos) return result += message;
    const std::string_view quoted = message.substr(begin + 1, end - begin - 1);
    result += message.substr(0, begin + 1);
    if (quoted.size() > max_quote_bytes) {
      result += shorten(quoted, max_quote_bytes);
      result += '\'';
      message.remove_prefix(end + 1);
    } else {
      // An apostrophe may have been taken for a quote; the next one is looked at again.
      message.remove_prefix(begin + 1);
    }
  }
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// Letters to change, insert, delete or swap with the next (the restricted Damerau-Levenshtein
// distance).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before_last, last, row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::move(last);
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({changed, last[j] + 1, row[j - 1] + 1});
      const bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swap) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string did_you_mean(std::string_view wanted, const std::vector<std::string_view>& names) {
  constexpr std::size_t max_size = 100;  // longer ones are no typing mistakes
  if (wanted.empty() || wanted.size() > max_size) return "";
  const std::string lower = lower_case(wanted);
  std::size_t fewest = std::max<std::size_t>(1, std::min<std::size_t>(3, wanted.size() / 3)) + 1;
  std::string_view nearest;
  for (const std::string_view name : names) {
    const std::size_t longer = std::max(name.size(), wanted.size());
    const std::size_t shorter = std::min(name.size(), wanted.size());
    if (shorter == 0 || longer - shorter >= fewest) continue;
    const std::size_t distance = edit_distance(lower, lower_case(name));
    // One letter that is another is no mistake of spelling.
    if (distance >= fewest || distance >= longer) continue;
    fewest = distance;
    nearest = name;
  }
  return nearest.empty() ? "" : "; did you mean '" + std::string(nearest) + "'?";
}

std::string shorten(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return std::string(text);
  constexpr std::string_view left_out = "...";
  const std::size_t kept = max_bytes - left_out.size();
  std::size_t begin = kept - kept / 3;
  std::size_t end = text.size() - kept / 3;
  // Bytes that are no UTF-8 may go on like that for ever.
  constexpr int longest = 3;
  for (int i = 0; i < longest && begin > 0 && continues_character(text[begin]); ++i) --begin;
  for (int i = 0; i < longest && end < text.size() && continues_character(text[end]); ++i) ++end;
  return std::string(text.substr(0, begin)) + std::string(left_out) + std::string(text.substr(end));
}

Error::Error(ErrorKind kind, const std::string& message)
    : std::runtime_error(shorten_message(message)), kind_(kind) {}

std::string shorten_message(std::string_view message) {
  if (message.size() <= max_message_bytes) return std::string(message);
  return shorten(shorten_quotes(message), max_message_bytes);
}

std::string version() {
  return NOISEPLUS_VERSION;
}

}  // namespace noiseplus
