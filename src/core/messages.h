// Shortens user-supplied text in error messages. Internal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace noiseplus {

inline constexpr std::size_t max_message_bytes = 1000;
inline constexpr std::size_t max_quote_bytes = 200;

// At most `max_bytes` (20 or more), with "..." in the middle where something is left out; never
// inside a character of UTF-8.
std::string shorten(std::string_view text, std::size_t max_bytes);

// A message of at most max_message_bytes. In a longer one, quoted text is shortened first, then the
// middle, so that what is wrong and what to do remain.
std::string shorten_message(std::string_view message);

// "; did you mean 'label'?" where one of the names is spelled nearly like `wanted`: the first of
// those with the fewest letters wrong, missing, added or swapped, of which case does not count.
// Empty where none is near.
std::string did_you_mean(std::string_view wanted, const std::vector<std::string_view>& names);

}  // namespace noiseplus
