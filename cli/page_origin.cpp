#include "page_origin.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <vector>

#include "noiseplus/data.h"

namespace noiseplus::cli {
namespace {

std::vector<std::string>& arguments() {
  static std::vector<std::string> remembered;
  return remembered;
}

// A page is passed on, and where files lay is nobody's business.
std::string without_folder(const std::string& argument) {
  const std::filesystem::path path(argument);
  std::error_code failed;
  const bool is_file = path.has_parent_path() && path.has_filename() &&
                       std::filesystem::is_directory(path.parent_path(), failed);
  return is_file ? path.filename().string() : argument;
}

// For a shell, as POSIX has it.
std::string quoted_for_shell(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:/=+@%-";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

std::string shown_command() {
  constexpr std::array<std::string_view, 4> with_value = {"--threads", "--kernel", "--color",
                                                          "--colour"};
  std::string command = "noiseplus";
  const std::vector<std::string>& words = arguments();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = words[i].substr(0, words[i].find('='));
    bool is_left_out = words[i] == "--quiet";
    for (const std::string_view flag : with_value) {
      if (name != flag) continue;
      is_left_out = true;
      if (words[i].size() == name.size()) ++i;
      break;
    }
    if (!is_left_out) command += ' ' + quoted_for_shell(without_folder(words[i]));
  }
  return command;
}

std::string today() {
  std::time_t now = std::time(nullptr);
  if (const char* const epoch = std::getenv("SOURCE_DATE_EPOCH")) {
    constexpr double max_seconds = 2e11;  // the year 8307
    const double seconds = parse_number(epoch).value_or(-1);
    if (seconds >= 0 && seconds <= max_seconds) now = static_cast<std::time_t>(seconds);
  }
  constexpr double seconds_a_day = 86400;
  return format_date(std::floor(static_cast<double>(now) / seconds_a_day));
}

}  // namespace

void remember_command(int argc, const char* const* argv) {
  arguments().assign(argv + (argc > 0 ? 1 : 0), argv + argc);
}

PageOrigin page_origin(const std::string& data) {
  return {data == "-" ? "" : data, today(), shown_command()};
}

}  // namespace noiseplus::cli
