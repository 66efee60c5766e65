// How many columns of a terminal a text takes. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace noiseplus {

// One code point of UTF-8 and the bytes it took; a byte that begins none is a point of its own,
// with `valid` false.
struct CodePoint {
  std::uint32_t point = 0;
  std::size_t bytes = 1;
  bool valid = true;
};

// REQUIRES: the text is not empty.
CodePoint first_point(std::string_view text);

// 0 for marks that combine with the letter before, 2 for the wide letters of East Asia and for
// emoji, else 1. Terminals take what is ambiguous for narrow, and so does this.
std::size_t columns_of(std::uint32_t point);
std::size_t columns_of(std::string_view text);

// The longest start of the text that takes at most so many columns.
std::string_view first_columns(std::string_view text, std::size_t columns);

// Spaces up to so many columns, after the text or before it.
std::string padded_right(std::string_view text, std::size_t columns);
std::string padded_left(std::string_view text, std::size_t columns);

}  // namespace noiseplus
