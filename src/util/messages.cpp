#include "util/messages.h"

#include "noiseplus/util.h"

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

}  // namespace

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

}  // namespace noiseplus
