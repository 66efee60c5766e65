// How names and numbers look in the text for a terminal. Internal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "noiseplus/util.h"

namespace noiseplus {

// Printable, and cut to what fits a column, never inside a UTF-8 sequence.
std::string short_name(const std::string& name);

// Columns that the widest of the short names takes, but no fewer than `least`.
std::size_t widest_short_name(const std::vector<std::string>& names, std::size_t least);

// Lines of at most 80 columns, broken at spaces; a word that is longer has a line of its own. Ends
// in a line break.
std::string wrapped(const std::string& text);

// 1,234,567
std::string with_thousands(std::size_t number);

// 12.3 %
std::string percent(double share);

// 12.3 to 45.6 %
std::string span(double low, double high);

}  // namespace noiseplus
