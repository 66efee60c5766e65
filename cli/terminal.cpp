#include "terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "core/messages.h"
#include "progress.h"

namespace noiseplus::cli {
namespace {

Color color_choice = Color::automatic;

bool is_terminal(int descriptor) {
  const char* const kind = std::getenv("TERM");
  return ::isatty(descriptor) != 0 && kind != nullptr && *kind != '\0' &&
         std::string_view(kind) != "dumb";
}

TextStyle style_of(int descriptor) {
  if (color_choice == Color::always) return TextStyle::ansi;
  if (color_choice == Color::never) return TextStyle::plain;
  const char* const refused = std::getenv("NO_COLOR");
  const bool is_refused = refused != nullptr && *refused != '\0';
  return is_terminal(descriptor) && !is_refused ? TextStyle::ansi : TextStyle::plain;
}

}  // namespace

void choose_color(Color choice) {
  color_choice = choice;
}

TextStyle style_of_output() {
  return style_of(STDOUT_FILENO);
}

TextStyle style_of_errors() {
  return style_of(STDERR_FILENO);
}

bool can_draw() {
  return is_terminal(STDERR_FILENO);
}

void print_warnings(const std::vector<std::string>& warnings) {
  clear_progress();
  const bool is_plain = style_of_errors() == TextStyle::plain;
  for (const std::string& warning : warnings) {
    std::fprintf(stderr, "noiseplus: %s %s\n", is_plain ? "warning:" : "\x1b[1;33mwarning:\x1b[0m",
                 shorten_message(printable(warning)).c_str());
  }
}

void print(const std::string& text) {
  clear_progress();
  const bool is_written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (std::fflush(stdout) != 0 || !is_written) {
    throw Error(ErrorKind::io,
                std::string("standard output: cannot write: ") + std::strerror(errno));
  }
}

}  // namespace noiseplus::cli
