// What the program takes, read from its CLI11 definitions: what help, man page and completion say.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace noiseplus::cli {

struct FlagInfo {
  std::vector<std::string> names;  // "--help", "-h"; of a positional its one name
  std::string value;               // as values.h spells it; empty: a switch
  std::string description;
  std::string range;          // "2 to 255", or empty
  std::string default_value;  // or empty
  std::string group;
  bool is_required = false, is_repeated = false;

  // "--k N"; names by commas
  std::string heading() const;
  // The description, and in brackets what else is known.
  std::string whole_description() const;
};

struct CommandInfo {
  std::string name;  // of the program itself: "noiseplus"
  std::string summary;
  std::vector<FlagInfo> positionals, flags;
  std::vector<std::string> examples;  // command lines
  std::string notes;                  // whatever else the footer says

  // "noiseplus balance DATA --output FILE [OPTIONS]"
  std::string synopsis() const;
};

// What is hidden (of no group) is left out.
CommandInfo info_of(const CLI::App& command);
// Of each command that is not hidden, in their order.
std::vector<CommandInfo> commands_of(const CLI::App& program);

}  // namespace noiseplus::cli
