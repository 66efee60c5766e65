// noiseplus(1), in the macros that every man knows, from the definitions that --help shows.
#include <fmt/format.h>

#include "command_info.h"
#include "commands.h"
#include "core/format.h"
#include "exit_code.h"
#include "noiseplus/version.h"

namespace noiseplus::cli {
namespace {

// Text as roff takes it: no escape, no request, minus signs that can be copied.
std::string roff(const std::string& text) {
  std::string safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool begins_line = i == 0 || text[i - 1] == '\n';
    if (begins_line && (c == '.' || c == '\'')) safe += "\\&";
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else if (c == '\'') {
      safe += "\\(aq";
    } else {
      safe += c;
    }
  }
  return safe;
}

// A sentence on lines of its own.
std::string roff_sentence(const std::string& text) {
  return roff(wrapped(text + (text.ends_with('.') ? "" : ".")));
}

// A line may end after a bar.
std::string roff_value(const std::string& value) {
  std::string text;
  for (const char c : roff(value)) text += c == '|' ? std::string("|\\:") : std::string(1, c);
  return value.empty() ? "" : " \\fI" + text + "\\fR";
}

std::string flag_entry(const FlagInfo& flag) {
  std::string names;
  for (const std::string& name : flag.names) {
    names += (names.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
  }
  return ".TP\n" + names + roff_value(flag.names[0].starts_with('-') ? flag.value : "") + '\n' +
         roff_sentence(flag.whole_description());
}

std::string flag_entries(const CommandInfo& command, bool of_every_command) {
  std::string text;
  for (const FlagInfo& flag : command.flags) {
    if ((flag.group == common_group) == of_every_command) text += flag_entry(flag);
  }
  return text;
}

std::string command_section(const CommandInfo& command) {
  std::string text = fmt::format(".SS {}\n{}.PP\n.nf\n\\fB{}\\fR\n.fi\n", roff(command.name),
                                 roff_sentence(command.summary), roff(command.synopsis()));
  for (const FlagInfo& positional : command.positionals) text += flag_entry(positional);
  text += flag_entries(command, false);
  for (const std::string& example : command.examples) {
    text += fmt::format(".PP\nExample:\n.PP\n.nf\n.RS\n{}\n.RE\n.fi\n", roff(example));
  }
  return text;
}

std::string exit_section() {
  std::string text = ".SH EXIT STATUS\n";
  for (const auto& [code, meaning] : exit_meanings()) {
    text += fmt::format(".TP\n.B {}\n{}", static_cast<int>(code), roff_sentence(meaning));
  }
  return text + ".PP\nA message is one line on standard error: what, where, what to do.\n";
}

constexpr std::string_view last_sections = R"(.SH ENVIRONMENT
.TP
.B NO_COLOR
Set and not empty: no color, unless
.B \-\-color always
asks for it.
.TP
.B TERM
Not set, or
.BR dumb :
neither color nor progress.
.SH FILES
Outputs are written to a file beside them, with
.I .partial\-
in its name, and renamed when they are whole:
an error or a kill leaves the old file or none.
.PP
Progress is shown on standard error, only on a terminal,
and not before a second of work.
.SH SEE ALSO
.B noiseplus COMMAND \-\-help
)";

std::string man_page(const CLI::App& app) {
  const std::vector<CommandInfo> commands = commands_of(app);
  std::string text = fmt::format(
      ".\\\" Made by `noiseplus man`.\n.TH NOISEPLUS 1 \"\" \"noiseplus {}\" \"User "
      "Commands\"\n.nh\n"
      ".SH NAME\nnoiseplus \\- which labels are noisier, by how much, and what to do\n"
      ".SH SYNOPSIS\n.B noiseplus\n.I COMMAND\n.RI [ OPTIONS ]\n.SH DESCRIPTION\n",
      version());
  text +=
      roff_sentence(
          "Looks at a labeled data set and says, without one true label, which class or group "
          "has the noisier labels, by how much and with what certainty; flips a few labels of "
          "the cleaner side, so that the noise is balanced; trains models that account for it") +
      ".PP\n" +
      roff_sentence(
          "A dash as the name of a file is standard input or output. The same seed gives the "
          "same bytes at any number of threads");
  text += ".SH COMMANDS\n";
  for (const CommandInfo& command : commands) text += command_section(command);
  text += ".SH OPTIONS OF EVERY COMMAND\n" + flag_entries(commands.front(), true);
  return text + exit_section() + std::string(last_sections);
}

}  // namespace

Run add_man(CLI::App& app, const CommonFlags& /*common*/) {
  CLI::App& command = *app.add_subcommand("man", "Print the manual page, for man -l");
  command.footer("Example: noiseplus man | man -l -");
  return [&app] { print(man_page(app)); };
}

}  // namespace noiseplus::cli
