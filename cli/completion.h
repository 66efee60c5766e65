// Scripts that make a shell complete the program's command lines, from the definitions that --help
// shows.
#pragma once

#include <string>
#include <vector>

#include "command_info.h"

namespace noiseplus::cli {

std::string bash_completion(const std::vector<CommandInfo>& commands);
std::string zsh_completion(const std::vector<CommandInfo>& commands);
std::string fish_completion(const std::vector<CommandInfo>& commands);

// Names of the columns of a csv or tsv file, .gz too; none where it is no such file. Looks at the
// first megabyte only, and at regular files only: whoever presses a key must not wait.
std::vector<std::string> column_names(const std::string& path);

}  // namespace noiseplus::cli
