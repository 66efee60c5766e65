// Bold, dim and color, where a text is for a terminal that shows them. Internal.
#pragma once

#include <string>

#include "noiseplus/report.h"

namespace noiseplus {

// What a piece of text is to a reader. Color is never alone: what is marked by it is in the words
// too.
enum class Ink { plain, strong, faint, picture, caution };

// The text as it is in the plain style. Escapes open and close on each line of it.
std::string inked(const std::string& text, Ink ink, TextStyle style);

// "warning: ...", wrapped, a paragraph each, with names made printable.
std::string warnings_text(const std::vector<std::string>& warnings, TextStyle style);

}  // namespace noiseplus
