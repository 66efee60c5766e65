#include "completion.h"

#include <memory>

#include "commands.h"

namespace noiseplus::cli {
namespace {

struct CompletionFlags {
  std::string shell, columns;
};

using Script = std::string (*)(const std::vector<CommandInfo>&);

constexpr std::array<std::pair<std::string_view, Script>, 3> scripts = {{
    {"bash", bash_completion},
    {"zsh", zsh_completion},
    {"fish", fish_completion},
}};

std::vector<std::string> shells() {
  std::vector<std::string> names;
  names.reserve(scripts.size());
  for (const auto& [name, script] : scripts) names.emplace_back(name);
  return names;
}

}  // namespace

Run add_completion(CLI::App& app, const CommonFlags& /*common*/) {
  auto flags = std::make_shared<CompletionFlags>();
  CLI::App& command =
      *app.add_subcommand("completion", "Print a script that makes a shell complete command lines");
  CLI::Option* shell = takes_one_of(
      command.add_option("SHELL", flags->shell, "One of " + listed(shells())), shells());
  // What the scripts themselves ask for.
  command.add_option("--columns", flags->columns)->type_name("FILE")->group("");
  command.footer("Example: noiseplus completion bash");
  return [flags, shell, &app, &command] {
    if (command.count("--columns") != 0) {
      std::string text;
      for (const std::string& name : column_names(flags->columns)) text += name + '\n';
      return print(text);
    }
    if (shell->count() == 0) {
      throw Error(ErrorKind::usage, "for which shell? There are " + listed(shells()));
    }
    for (const auto& [name, script] : scripts) {
      if (name == flags->shell) print(script(commands_of(app)));
    }
  };
}

}  // namespace noiseplus::cli
