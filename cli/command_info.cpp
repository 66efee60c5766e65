#include "command_info.h"

#include <fmt/format.h>

#include <sstream>

namespace noiseplus::cli {
namespace {

// CLI11's own names of types, for flags that do not say better.
std::string value_name(const std::string& type) {
  if (type == "UINT" || type == "INT") return "N";
  if (type == "FLOAT") return "NUMBER";
  return type;
}

// "INT in [2 - 255]" says 2 to 255.
std::string range_of(const std::string& check) {
  const std::size_t open = check.find(" in ["),
                    dash = check.find(" - ", open == check.npos ? 0 : open);
  if (open == check.npos || dash == check.npos || !check.ends_with(']')) return "";
  const std::size_t begin = open + 5;
  return check.substr(begin, dash - begin) + " to " +
         check.substr(dash + 3, check.size() - dash - 4);
}

FlagInfo info_of(const CLI::Option& option) {
  FlagInfo info;
  if (option.get_positional()) {
    info.names = {option.get_name(true, false)};
  } else {
    for (const std::string& name : option.get_lnames()) info.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) info.names.push_back("-" + name);
  }
  if (option.get_type_size() != 0) {
    const std::string type = option.get_type_name();
    const std::size_t colon = type.find(":INT in [") != type.npos     ? type.find(":INT in [")
                              : type.find(":FLOAT in [") != type.npos ? type.find(":FLOAT in [")
                                                                      : type.size();
    info.value = value_name(type.substr(0, colon));
    info.range = colon < type.size() ? range_of(type.substr(colon + 1)) : "";
    info.default_value = option.get_default_str();
    info.is_repeated = option.get_expected_max() == CLI::detail::expected_max_vector_size;
  }
  info.description = option.get_description();
  info.group = option.get_group();
  info.is_required = option.get_required();
  return info;
}

// "Example: noiseplus ..." lines, also several one below the other, are examples; others are notes.
void read_footer(const std::string& footer, CommandInfo& info) {
  std::istringstream lines(footer);
  for (std::string line; std::getline(lines, line);) {
    const std::string mark = "Example: ";
    if (line.starts_with(mark)) {
      info.examples.push_back(line.substr(mark.size()));
    } else {
      info.notes += line + '\n';
    }
  }
}

}  // namespace

std::string FlagInfo::heading() const {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return value.empty() ? text : text + ' ' + value;
}

std::string FlagInfo::whole_description() const {
  std::string more = is_required && !names[0].starts_with('-') ? "" : is_required ? "required" : "";
  const auto add = [&](const std::string& fact) {
    if (!fact.empty()) more += (more.empty() ? "" : "; ") + fact;
  };
  add(range);
  add(default_value.empty() ? "" : "default: " + default_value);
  return more.empty() ? description : description + " (" + more + ")";
}

std::string CommandInfo::synopsis() const {
  std::string text = name == "noiseplus" ? "noiseplus COMMAND" : "noiseplus " + name;
  for (const FlagInfo& positional : positionals) {
    const std::string name = positional.names[0] + (positional.is_repeated ? "..." : "");
    text += positional.is_required ? ' ' + name : " [" + name + ']';
  }
  bool has_others = false;
  for (const FlagInfo& flag : flags) {
    if (flag.is_required) text += ' ' + flag.heading();
    has_others |= !flag.is_required;
  }
  return has_others ? text + " [OPTIONS]" : text;
}

CommandInfo info_of(const CLI::App& command) {
  CommandInfo info;
  info.name = command.get_name();
  info.summary = command.get_description();
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty()) continue;
    (option->get_positional() ? info.positionals : info.flags).push_back(info_of(*option));
  }
  read_footer(command.get_footer(), info);
  return info;
}

std::vector<CommandInfo> commands_of(const CLI::App& program) {
  std::vector<CommandInfo> commands;
  for (const CLI::App* command : program.get_subcommands({})) {
    if (!command->get_group().empty()) commands.push_back(info_of(*command));
  }
  return commands;
}

}  // namespace noiseplus::cli
