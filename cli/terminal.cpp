#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>

#include "flags.h"

namespace noiseplus::cli {
namespace {

std::atomic<int> interrupt_came = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // set in a signal handler
bool progress_shown = false;

void on_interrupt(int) {
  interrupt_came = 1;
}

// The first signal asks the work to stop and wakes a waiting read; a second one kills.
void stop_on(int number) {
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  ::sigaction(number, &action, nullptr);
}

// One line of up to 80 columns: what, a bar, per cent; whatever the line before has left is erased.
void draw(const Progress& progress) {
  constexpr int columns = 80, percent = 10;
  constexpr std::string_view hashes = "##############################";
  constexpr std::string_view dots = "..............................";
  const int room = columns - percent - static_cast<int>(progress.stage.size());
  const int width = std::clamp(room, 5, static_cast<int>(hashes.size()));
  const int filled = static_cast<int>(progress.done * width);
  std::fprintf(stderr, "\r%-12.*s [%.*s%.*s] %3d %%\x1b[K", static_cast<int>(progress.stage.size()),
               progress.stage.data(), filled, hashes.data(), width - filled, dots.data(),
               static_cast<int>(progress.done * 100));
  std::fflush(stderr);
  progress_shown = true;
}

}  // namespace

Execution execution(const CommonFlags& flags) {
  stop_on(SIGINT);
  stop_on(SIGTERM);
  const bool shows = !flags.quiet && ::isatty(STDERR_FILENO) != 0;
  return {flags.threads, [shows](const Progress& progress) {
            if (shows && interrupt_came == 0) draw(progress);
            return interrupt_came == 0;
          }};
}

void clear_progress() {
  if (!progress_shown) return;
  std::fputs("\r\x1b[K", stderr);
  progress_shown = false;
}

void print_warnings(const std::vector<std::string>& warnings) {
  clear_progress();
  for (const std::string& warning : warnings) {
    std::fprintf(stderr, "noiseplus: warning: %s\n", printable(warning).c_str());
  }
}

void print(const std::string& text) {
  clear_progress();
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0) {
    throw Error(ErrorKind::io, "standard output: cannot write");
  }
}

}  // namespace noiseplus::cli
