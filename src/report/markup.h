// Text inside XML and HTML. Internal.
#pragma once

#include <string>

namespace noiseplus {

// May stand in a text or in an attribute.
std::string escaped_markup(const std::string& text);

// Bytes that are no UTF-8 become U+FFFD.
std::string valid_utf8(const std::string& text);

}  // namespace noiseplus
