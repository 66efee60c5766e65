// How the library is called: with progress on a terminal, and stopped by Ctrl-C.
#include <atomic>
#include <csignal>
#include <filesystem>

#include "flags.h"
#include "progress.h"
#include "terminal.h"

namespace noiseplus::cli {
namespace {

std::atomic<int> interrupt_came = 0;
static_assert(std::atomic<int>::is_always_lock_free);  // set in a signal handler

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

FileBeingRead file_at(const std::string& path) {
  const std::string_view stage = path.ends_with(".gz") ? "unpacking" : "reading";
  std::error_code failed;
  if (!std::filesystem::is_regular_file(path, failed)) return {stage, 0};
  const std::uintmax_t bytes = std::filesystem::file_size(path, failed);
  return {stage, failed ? 0 : static_cast<double>(bytes)};
}

}  // namespace

Execution execution(const CommonFlags& flags, const std::string& data) {
  stop_on(SIGINT);
  stop_on(SIGTERM);
  const bool shows = !flags.quiet && can_draw();
  return {flags.threads, [shows, file = file_at(data)](const Progress& progress) {
            if (shows && interrupt_came == 0) draw_progress(progress, file);
            return interrupt_came == 0 && cut_mapped_file().empty();
          }};
}

}  // namespace noiseplus::cli
