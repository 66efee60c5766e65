// A limit on the nesting of JSON from outside.
#pragma once

#include <cstddef>
#include <string_view>

namespace noiseplus {

// No document of ours is nested deeper than 10.
inline constexpr std::size_t max_json_depth = 64;

// Whether arrays and objects are nested deeper than max_json_depth, up to where the text stops
// being JSON. To be asked before a text is parsed: the parser itself takes any depth, but values
// nested 100,000 deep overflow the stack as soon as they are copied or written.
inline bool is_nested_too_deeply(std::string_view json) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > max_json_depth) return true;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return false;
      --depth;
    }
  }
  return false;
}

}  // namespace noiseplus
