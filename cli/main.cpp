// noiseplus, the program: parses, calls the library, turns errors into one line and an exit code.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <iostream>
#include <memory>

#include "commands.h"
#include "exit_code.h"
#include "help.h"
#include "out_of_memory.h"
#include "page_origin.h"
#include "standard_streams.h"

namespace noiseplus::cli {
namespace {

using Commands = std::vector<std::pair<std::string, Run>>;

// In the order that --help has them.
Commands add_commands(CLI::App& app, CommonFlags& common) {
  Commands commands = {
      {"audit", add_audit(app, common)},       {"balance", add_balance(app, common)},
      {"train", add_train(app, common)},       {"predict", add_predict(app, common)},
      {"evaluate", add_evaluate(app, common)}, {"corrupt", add_corrupt(app, common)},
      {"report", add_report(app, common)},     {"reproduce", add_reproduce(app, common)},
      {"demo", add_demo(app, common)}};
  for (CLI::App* command : app.get_subcommands({})) add_common(*command, common);
  commands.emplace_back("completion", add_completion(app, common));
  commands.emplace_back("man", add_man(app, common));
  for (const char* name : {"completion", "man"}) add_help(*app.get_subcommand(name));
  return commands;
}

std::string exit_codes_text() {
  std::string text = "Exit codes:";
  for (const auto& [code, meaning] : exit_meanings()) {
    text += (code == done ? " " : ", ") + std::to_string(code) + ' ' + meaning;
  }
  return text;
}

int run(int argc, char** argv) {
  remember_command(argc, argv);
  CLI::App app("Which labels are noisier, by how much, and what to do about it.", "noiseplus");
  app.formatter(std::make_shared<HelpFormatter>());
  app.require_subcommand(1);
  app.footer("Each command: noiseplus COMMAND --help\n" + exit_codes_text());
  CommonFlags common;
  const Commands commands = add_commands(app, common);
  add_help(app);
  const auto find_command = [&](const std::string& name) {
    return std::find_if(commands.begin(), commands.end(),
                        [&](const auto& command) { return command.first == name; });
  };
  if (argc > 1 && argv[1][0] != '-' && find_command(argv[1]) == commands.end()) {
    std::vector<std::string> names;
    for (const auto& [name, command] : commands) names.push_back(name);
    return fail(std::string("unknown command '") + argv[1] + '\'' + spelling_hint(argv[1], names) +
                    "; there are " + listed(names),
                wrong_usage);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    const int code = app.exit(help_or_version);
    if (std::cout.flush()) return code;
    throw Error(ErrorKind::io, "standard output: cannot write");
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + ' ';
    const std::string hint = chosen.empty() ? "" : flag_hint(*chosen.front());
    return fail(error.what() + hint + "; see noiseplus " + command + "--help", wrong_usage);
  }
  find_command(app.get_subcommands().front()->get_name())->second();
  return done;
}

}  // namespace
}  // namespace noiseplus::cli

int main(int argc, char** argv) {
  noiseplus::cli::occupy_closed_streams();
  noiseplus::guard_mapped_files();
  noiseplus::cli::end_without_memory_in_one_line();
  // A reader that goes away is an error of writing, with a message, not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
  return noiseplus::cli::guarded([&] { return noiseplus::cli::run(argc, argv); });
}
