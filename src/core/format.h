// How names and numbers look in the text for a terminal. Internal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "noiseplus/core.h"

namespace noiseplus {

inline constexpr std::size_t widest_line = 80;
inline constexpr std::size_t widest_name = 24;

// Cut to so many columns, "..." at its end where something is left out; never inside a letter.
std::string cut(const std::string& text, std::size_t columns);

// The text if it has at most `max_size` bytes, else its beginning and its end around "...". Names
// that begin alike often differ at the end. UTF-8 is cut between characters.
std::string shorten_text(const std::string& text, std::size_t max_size);

// Printable, and cut to what fits a column.
std::string short_name(const std::string& name);

// 'name', in a sentence.
std::string quoted_name(const std::string& name);

// Lines of at most 80 columns, broken at spaces; a word that is longer has a line of its own. Lines
// after the first begin with so many spaces. Ends in a line break.
std::string wrapped(const std::string& text, std::size_t indent = 0);

// 1,234,567
std::string with_thousands(std::size_t number);

// "1 row", "2,000 rows"
std::string counted(std::size_t number, const std::string& noun, const std::string& plural = "");

// 12.3 %
std::string percent(double share);

// 12.3
std::string points(double share);

// 12.3 to 45.6, with more digits where both ends would else look the same.
std::string interval_points(double low, double high);

// 12.3 to 45.6 %
std::string span(double low, double high);

}  // namespace noiseplus
