// From what went wrong to one line on standard error and the documented exit code.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace noiseplus::cli {

enum ExitCode {
  done = 0,
  internal_error = 1,
  wrong_usage = 2,
  bad_data = 3,
  not_possible = 4,
  no_access = 5,
  interrupted = 130  // as a shell reports SIGINT
};

// What each says, in their order.
std::vector<std::pair<ExitCode, std::string>> exit_meanings();

// Prints "noiseplus: message", control characters taken out and cut to a bearable length, and
// returns the code.
int fail(std::string message, ExitCode code);

// The code that `body` returns, or that of the exception it ends with.
int guarded(const std::function<int()>& body);

}  // namespace noiseplus::cli
