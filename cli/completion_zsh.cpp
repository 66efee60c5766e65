#include <fmt/format.h>

#include "completion.h"
#include "values.h"

namespace noiseplus::cli {
namespace {

constexpr std::string_view zsh_columns = R"SH(
# Names of the columns of the first table on the command line.
_noiseplus_columns() {
  local word
  local -a names
  for word in ${(Q)words[2,-1]}; do
    word=${word/#\~\//$HOME/}
    if [[ $word != -* && -f $word ]]; then
      names=(${(f)"$(command noiseplus completion --columns $word 2>/dev/null)"})
      compadd "$@" -a names
      return
    fi
  done
  _message column
}

_noiseplus_files_and() {
  compadd -- "$@"
  _files
}
)SH";

constexpr std::string_view zsh_end = R"SH(
if [[ $funcstack[1] == _noiseplus ]]; then
  _noiseplus "$@"
else
  compdef _noiseplus noiseplus
fi
)SH";

// Within single quotes.
std::string zsh_quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

// Inside a specification of _arguments brackets and colons count.
std::string zsh_escaped(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// What completes a value.
std::string zsh_action(const std::string& value) {
  const ValueKind kind = kind_of_value(value);
  const std::string choices = joined_by(" ", kind.choices);
  if (kind.is_file && !choices.empty()) {
    return " _noiseplus_files_and " + choices;
  }
  if (kind.is_file) return "_files";
  if (kind.is_folder) return "_files -/";
  if (kind.is_column) return kind.is_list ? "_sequence _noiseplus_columns" : "_noiseplus_columns";
  return choices.empty() ? " " : '(' + choices + ')';
}

std::string flag_lines(const FlagInfo& flag) {
  std::string lines;
  for (const std::string& name : flag.names) {
    const bool takes_value = !flag.value.empty();
    std::string others;  // that need not be said too
    for (const std::string& other : flag.names) others += (others.empty() ? "" : " ") + other;
    const std::string exclusion = flag.is_repeated ? "*" : '(' + others + ')';
    const bool is_long = name.starts_with("--");
    lines += "        " +
             zsh_quoted(exclusion + name + (takes_value && is_long ? "=" : "") + '[' +
                        zsh_escaped(flag.description) + ']' +
                        (takes_value ? ":value:" + zsh_action(flag.value) : "")) +
             " \\\n";
  }
  return lines;
}

std::string arguments_of(const CommandInfo& command) {
  std::string text = fmt::format("    {})\n      _arguments \\\n", command.name);
  for (const FlagInfo& flag : command.flags) text += flag_lines(flag);
  for (std::size_t i = 0; i < command.positionals.size(); ++i) {
    const FlagInfo& positional = command.positionals[i];
    const std::string place = positional.is_repeated ? "*" : std::to_string(i + 1);
    text += "        " +
            zsh_quoted(fmt::format("{}:{}:{}", place, zsh_escaped(positional.names[0]),
                                   zsh_action(positional.value))) +
            " \\\n";
  }
  text.resize(text.size() - 3);  // the last needs no continuation
  return text + "\n      ;;\n";
}

}  // namespace

std::string zsh_completion(const std::vector<CommandInfo>& commands) {
  std::string text =
      "#compdef noiseplus\n# zsh completion of noiseplus; made by `noiseplus completion zsh`.\n" +
      std::string(zsh_columns) +
      "\n_noiseplus() {\n"
      "  local curcontext=$curcontext state line\n"
      "  local -A opt_args\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const CommandInfo& command : commands) {
    text += "    " + zsh_quoted(command.name + ':' + zsh_escaped(command.summary)) + '\n';
  }
  text +=
      "  )\n"
      "  _arguments -C \\\n"
      "    '(- *)'{-h,--help}'[What there is]' \\\n"
      "    '(- *)--version[The version]' \\\n"
      "    '1: :->command' \\\n"
      "    '*:: :->arguments' && return\n"
      "  if [[ $state == command ]]; then\n"
      "    _describe -t commands command commands\n"
      "    return\n"
      "  fi\n"
      "  case $words[1] in\n";
  for (const CommandInfo& command : commands) text += arguments_of(command);
  return text + "  esac\n}\n" + std::string(zsh_end);
}

}  // namespace noiseplus::cli
