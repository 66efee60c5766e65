// noiseplus, the program: parses, calls the library, turns errors into one line and an exit code.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <csignal>
#include <map>

#include "commands.h"
#include "exit_code.h"

namespace noiseplus::cli {
namespace {

// "audit, balance and corrupt"
std::string listing(const std::map<std::string, Run>& commands) {
  std::string names;
  for (const auto& [name, run] : commands) {
    const bool is_last = name == commands.rbegin()->first;
    names += (names.empty() ? "" : is_last ? " and " : ", ") + name;
  }
  return names;
}

int run(int argc, char** argv) {
  CLI::App app("Which labels are noisier, by how much, and what to do about it.", "noiseplus");
  app.set_version_flag("--version", "noiseplus " + version());
  app.require_subcommand(1);
  app.footer(
      "Each command: noiseplus COMMAND --help\n"
      "Exit codes: 0 done, 1 internal error, 2 wrong usage, 3 bad input data, 4 not possible, "
      "5 cannot read or write");
  CommonFlags common;
  std::map<std::string, Run> commands;
  commands["audit"] = add_audit(app, common);
  commands["balance"] = add_balance(app, common);
  commands["corrupt"] = add_corrupt(app, common);
  commands["demo"] = add_demo(app, common);
  commands["train"] = add_train(app, common);
  commands["predict"] = add_predict(app, common);
  commands["evaluate"] = add_evaluate(app, common);
  commands["report"] = add_report(app, common);
  commands["reproduce"] = add_reproduce(app, common);
  for (CLI::App* command : app.get_subcommands({})) add_common(*command, common);
  if (argc > 1 && argv[1][0] != '-' && !commands.contains(argv[1])) {
    return fail(std::string("unknown command '") + argv[1] + "'; there are " + listing(commands),
                wrong_usage);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + ' ';
    return fail(std::string(error.what()) + "; see noiseplus " + command + "--help", wrong_usage);
  }
  commands.at(app.get_subcommands().front()->get_name())();
  return done;
}

}  // namespace
}  // namespace noiseplus::cli

int main(int argc, char** argv) {
  // A reader that goes away is an error of writing, with a message, not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
  return noiseplus::cli::guarded([&] { return noiseplus::cli::run(argc, argv); });
}
