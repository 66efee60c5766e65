#include "terminal.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "progress.h"
#include "util/messages.h"

namespace noiseplus::cli {
namespace {

Colour colour_choice = Colour::automatic;

bool is_terminal(int descriptor) {
  const char* const kind = std::getenv("TERM");
  return ::isatty(descriptor) != 0 && kind != nullptr && *kind != '\0' &&
         std::string_view(kind) != "dumb";
}

TextStyle style_of(int descriptor) {
  if (colour_choice == Colour::always) return TextStyle::ansi;
  if (colour_choice == Colour::never) return TextStyle::plain;
  const char* const refused = std::getenv("NO_COLOR");
  const bool is_refused = refused != nullptr && *refused != '\0';
  return is_terminal(descriptor) && !is_refused ? TextStyle::ansi : TextStyle::plain;
}

}  // namespace

void choose_colour(Colour choice) {
  colour_choice = choice;
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
