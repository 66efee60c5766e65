#include <fmt/format.h>

#include "completion.h"
#include "values.h"

namespace noiseplus::cli {
namespace {

constexpr std::string_view fish_functions = R"SH(
function __noiseplus_has_command
    set -l words (commandline -opc)
    test (count $words) -ge 2
end

function __noiseplus_command_is
    set -l words (commandline -opc)
    test (count $words) -ge 2; and test $words[2] = $argv[1]
end

# Names of the columns of the first table on the command line.
function __noiseplus_columns
    for word in (commandline -opc)[3..]
        set word (string replace -r '^~/' "$HOME/" -- $word)
        if not string match -q -- '-*' $word; and test -f $word
            command noiseplus completion --columns $word 2>/dev/null
            return
        end
    end
end

complete -c noiseplus -f
complete -c noiseplus -n 'not __noiseplus_has_command' -s h -l help -d 'What there is'
complete -c noiseplus -n 'not __noiseplus_has_command' -l version -d 'The version'
)SH";

std::string fish_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '\'';
}

// The flags of `complete` that say what a value may be.
std::string fish_value(const std::string& value) {
  const ValueKind kind = kind_of_value(value);
  const std::string choices = joined_by(" ", kind.choices);
  const std::string offered = choices.empty() ? "" : " -a " + fish_quoted(choices);
  if (kind.is_file) return " -r -F" + offered;
  if (kind.is_folder) return " -x -a '(__fish_complete_directories)'";
  if (kind.is_column && kind.is_list)
    return " -x -a '(__fish_complete_list , __noiseplus_columns)'";
  if (kind.is_column) return " -x -a '(__noiseplus_columns)'";
  return " -x" + offered;
}

std::string fish_flag(const std::string& start, const FlagInfo& flag) {
  std::string line = start;
  for (const std::string& name : flag.names) {
    line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return line + (flag.value.empty() ? "" : fish_value(flag.value)) + " -d " +
         fish_quoted(flag.description) + '\n';
}

std::string fish_positional(const std::string& start, const FlagInfo& positional) {
  const ValueKind kind = kind_of_value(positional.value);
  std::string line = start + (kind.is_file ? " -F" : "");
  const std::string choices = joined_by(" ", kind.choices);
  return line + (choices.empty() ? "" : " -a " + fish_quoted(choices)) + '\n';
}

}  // namespace

std::string fish_completion(const std::vector<CommandInfo>& commands) {
  std::string text = "# fish completion of noiseplus; made by `noiseplus completion fish`.\n" +
                     std::string(fish_functions);
  for (const CommandInfo& command : commands) {
    text += fmt::format("complete -c noiseplus -n 'not __noiseplus_has_command' -a {} -d {}\n",
                        command.name, fish_quoted(command.summary));
  }
  for (const CommandInfo& command : commands) {
    const std::string start =
        fmt::format("complete -c noiseplus -n '__noiseplus_command_is {}'", command.name);
    text += '\n';
    if (!command.positionals.empty()) text += fish_positional(start, command.positionals[0]);
    for (const FlagInfo& flag : command.flags) text += fish_flag(start, flag);
  }
  return text;
}

}  // namespace noiseplus::cli
