// noiseplus, the program: parses, calls the library, turns errors into one line and an exit code.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <new>

#include "commands.h"

namespace {

enum ExitCode {
  done = 0,
  bug = 1,
  wrong_usage = 2,
  bad_data = 3,
  not_possible = 4,
  no_access = 5,
  interrupted = 130
};

int exit_code(noiseplus::ErrorKind kind) {
  switch (kind) {
    case noiseplus::ErrorKind::usage:
      return wrong_usage;
    case noiseplus::ErrorKind::data:
      return bad_data;
    case noiseplus::ErrorKind::impossible:
      return not_possible;
    case noiseplus::ErrorKind::io:
      return no_access;
    case noiseplus::ErrorKind::cancelled:
      return interrupted;
  }
  return bug;
}

int fail(std::string message, int code) {
  noiseplus::cli::clear_progress();
  std::replace_if(
      message.begin(), message.end(),
      [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  std::fprintf(stderr, "noiseplus: %s\n", message.c_str());
  return code;
}

int run(int argc, char** argv) {
  CLI::App app("Which labels are noisier, by how much, and what to do about it.", "noiseplus");
  app.set_version_flag("--version", "noiseplus " + noiseplus::version());
  app.require_subcommand(1);
  app.footer(
      "Each command: noiseplus COMMAND --help\n"
      "Exit codes: 0 done, 1 internal error, 2 wrong usage, 3 bad input data, 4 not possible, "
      "5 cannot read or write");
  noiseplus::cli::CommonFlags common;
  const auto& audit = noiseplus::cli::add_audit(app, common);
  const auto& balance = noiseplus::cli::add_balance(app, common);
  const auto& corrupt = noiseplus::cli::add_corrupt(app, common);
  const auto& demo = noiseplus::cli::add_demo(app, common);
  for (CLI::App* command : app.get_subcommands({})) noiseplus::cli::add_common(*command, common);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    const std::string command = chosen.empty() ? "" : chosen.front()->get_name() + ' ';
    return fail(std::string(error.what()) + "; see noiseplus " + command + "--help", wrong_usage);
  }
  const std::string command = app.get_subcommands().front()->get_name();
  if (command == "audit") audit();
  if (command == "balance") balance();
  if (command == "corrupt") corrupt();
  if (command == "demo") demo();
  return done;
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that goes away is an error of writing, with a message, not a silent death.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const noiseplus::Error& error) {
    return fail(error.what(), exit_code(error.kind()));
  } catch (const std::bad_alloc&) {
    return fail("out of memory; use fewer rows or columns", bad_data);
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what() + "; please report it", bug);
  }
}
