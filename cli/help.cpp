#include "help.h"

#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <sstream>

#include "command_info.h"
#include "core/format.h"
#include "flags.h"

namespace noiseplus::cli {
namespace {

constexpr std::size_t description_column = 22;

// A heading on the left, what it means on the right, or below where the heading is long.
std::string entry(const std::string& heading, const std::string& description) {
  const std::string start = "  " + heading, margin(description_column, ' ');
  // The margin is no place where a line may end.
  const std::string stand_in(description_column, 'x');
  const std::string text =
      wrapped(stand_in + description, description_column).substr(description_column);
  const bool fits = start.size() + 2 <= description_column;
  return (fits ? start + margin.substr(start.size()) : "  " + wrapped(heading, 4) + margin) + text;
}

std::string flags_text(const CommandInfo& info) {
  std::string text;
  for (const FlagInfo& flag : info.positionals) {
    text += (text.empty() ? "\n" : "") + entry(flag.names[0], flag.whole_description());
  }
  std::vector<std::string> groups;
  for (const FlagInfo& flag : info.flags) {
    if (std::find(groups.begin(), groups.end(), flag.group) == groups.end())
      groups.push_back(flag.group);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& one) { return one != common_group; });
  for (const std::string& one : groups) {
    text += '\n' + one + ":\n";
    for (const FlagInfo& flag : info.flags) {
      if (flag.group == one) text += entry(flag.heading(), flag.whole_description());
    }
  }
  return text;
}

std::string commands_text(const CLI::App& app) {
  std::string text;
  for (const CommandInfo& command : commands_of(app)) {
    text += (text.empty() ? "\nCommands:\n" : "") + entry(command.name, command.summary);
  }
  return text;
}

}  // namespace

std::string HelpFormatter::make_help(const CLI::App* app, std::string /*name*/,
                                     CLI::AppFormatMode /*mode*/) const {
  const CommandInfo info = info_of(*app);
  std::string text = wrapped(info.summary) + "\nUsage: " + wrapped(info.synopsis(), 2);
  text += commands_text(*app) + flags_text(info);
  if (!info.examples.empty() || !info.notes.empty()) text += '\n';
  for (const std::string& example : info.examples) text += "Example: " + example + '\n';
  std::istringstream notes(info.notes);
  for (std::string line; std::getline(notes, line);) text += wrapped(line, 2);
  return text;
}

}  // namespace noiseplus::cli
