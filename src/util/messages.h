// Shortens user-supplied text in error messages. Internal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace noiseplus {

inline constexpr std::size_t max_message_bytes = 1000;
inline constexpr std::size_t max_quote_bytes = 200;

// At most `max_bytes` (20 or more), with "..." in the middle where something is left out; never
// inside a character of UTF-8.
std::string shorten(std::string_view text, std::size_t max_bytes);

// A message of at most max_message_bytes. In a longer one, quoted text is shortened first, then the
// middle, so that what is wrong and what to do remain.
std::string shorten_message(std::string_view message);

}  // namespace noiseplus
