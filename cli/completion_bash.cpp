#include <fmt/format.h>

#include <map>

#include "completion.h"
#include "values.h"

namespace noiseplus::cli {
namespace {

// The fixed part. It is told by `_noiseplus_flags` and `_noiseplus_value` what there is.
constexpr std::string_view bash_functions = R"SH(
# Names of the columns of the first table on the command line.
_noiseplus_columns() {
  local word
  for word in "${COMP_WORDS[@]:2}"; do
    word=${word//[\\\"\']/}
    word=${word/#\~\//$HOME/}
    if [[ $word != -* && -f $word ]]; then
      command noiseplus completion --columns "$word" 2>/dev/null
      return
    fi
  done
}

# Takes candidates from standard input, one a line; those that begin with $current count.
_noiseplus_offer() {
  local candidate start=$1
  while IFS= read -r candidate; do
    candidate=$start$candidate
    [[ $candidate == "$current"* ]] && COMPREPLY+=("$candidate")
  done
}

_noiseplus_quoted() {
  local text
  while IFS= read -r text; do printf '%q\n' "$text"; done
}

_noiseplus() {
  local current=${COMP_WORDS[COMP_CWORD]} flag='' command=${COMP_WORDS[1]} kind='' choices=''
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    choices="$_noiseplus_commands --help --version"
    _noiseplus_offer < <(printf '%s\n' $choices)
    return
  fi
  # bash takes --flag=value for three words.
  if [[ $current == = ]]; then
    current=''
    flag=${COMP_WORDS[COMP_CWORD - 1]}
  elif [[ ${COMP_WORDS[COMP_CWORD - 1]} == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 2]}
  else
    flag=${COMP_WORDS[COMP_CWORD - 1]}
  fi
  [[ $flag == -* ]] && _noiseplus_value "$command" "$flag"
  if [[ -z $kind && $current == -* ]]; then
    _noiseplus_offer < <(printf '%s\n' $(_noiseplus_flags "$command"))
    return
  fi
  [[ -z $kind ]] && _noiseplus_value "$command" ''
  [[ -n $choices ]] && _noiseplus_offer < <(printf '%s\n' $choices)
  case $kind in
    file)
      compopt -o filenames 2>/dev/null
      _noiseplus_offer < <(compgen -f -- "$current")
      ;;
    folder)
      compopt -o filenames 2>/dev/null
      _noiseplus_offer < <(compgen -d -- "$current")
      ;;
    column) _noiseplus_offer < <(_noiseplus_columns | _noiseplus_quoted) ;;
    columns)
      compopt -o nospace 2>/dev/null
      _noiseplus_offer "${current%"${current##*,}"}" < <(_noiseplus_columns | _noiseplus_quoted)
      ;;
  esac
}

complete -F _noiseplus noiseplus
)SH";

// What `_noiseplus_value` sets.
std::string kind_assignment(const std::string& value) {
  const ValueKind kind = kind_of_value(value);
  const std::string choices = joined_by(" ", kind.choices);
  const std::string name = kind.is_file     ? "file"
                           : kind.is_folder ? "folder"
                           : kind.is_column ? (kind.is_list ? "columns" : "column")
                                            : "other";
  return "kind=" + name + (choices.empty() ? "" : " choices='" + choices + "'");
}

std::string flags_function(const std::vector<CommandInfo>& commands) {
  std::string text = "_noiseplus_flags() {\n  case $1 in\n";
  for (const CommandInfo& command : commands) {
    text += fmt::format("    {}) echo '", command.name);
    std::string names;
    for (const FlagInfo& flag : command.flags) {
      for (const std::string& name : flag.names) {
        if (name.starts_with("--")) names += (names.empty() ? "" : " ") + name;
      }
    }
    text += names + "' ;;\n";
  }
  return text + "  esac\n}\n";
}

std::string value_function(const std::vector<CommandInfo>& commands) {
  std::map<std::string, std::string> patterns;  // by what is to be set
  const auto add = [&](const std::string& value, const std::string& pattern) {
    std::string& all = patterns[kind_assignment(value)];
    all += (all.empty() ? "'" : " | '") + pattern + '\'';
  };
  for (const CommandInfo& command : commands) {
    if (!command.positionals.empty()) add(command.positionals[0].value, command.name + ' ');
    for (const FlagInfo& flag : command.flags) {
      for (const std::string& name : flag.names) {
        if (!flag.value.empty()) add(flag.value, command.name + ' ' + name);
      }
    }
  }
  std::string text = "_noiseplus_value() {\n  case \"$1 $2\" in\n";
  for (const auto& [assignment, pattern] : patterns) {
    text += "    " + pattern + ")\n      " + assignment + " ;;\n";
  }
  return text + "  esac\n}\n";
}

}  // namespace

std::string bash_completion(const std::vector<CommandInfo>& commands) {
  std::string names;
  for (const CommandInfo& command : commands) names += (names.empty() ? "" : " ") + command.name;
  return "# bash completion of noiseplus; made by `noiseplus completion bash`.\n\n" +
         fmt::format("_noiseplus_commands='{}'\n\n", names) + "# The flags of a command.\n" +
         flags_function(commands) +
         "\n# What a flag of a command takes; without a flag, what the command does.\n" +
         value_function(commands) + std::string(bash_functions);
}

}  // namespace noiseplus::cli
