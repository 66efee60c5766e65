// Where the program's words go, and how they look there. Only here is the environment read.
#pragma once

#include <string>
#include <vector>

#include "noiseplus/report.h"

namespace noiseplus::cli {

enum class Color { automatic, always, never };

// As --colour says. Automatic: where a terminal shows the words, TERM names one that can do more
// than a typewriter, and NO_COLOR is not set or empty (no-color.org).
void choose_color(Color choice);
TextStyle style_of_output();
TextStyle style_of_errors();

// Whether standard error is a terminal that can erase a line.
bool can_draw();

void print(const std::string& text);

// On standard error, a line each; for commands whose output is no report.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace noiseplus::cli
