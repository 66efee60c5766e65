#include "out_of_memory.h"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "exit_code.h"

namespace noiseplus::cli {
namespace {

[[noreturn]] void on_terminate() noexcept {
  if (std::current_exception() != nullptr) {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      // Not std::exit: other threads may still run, and destructors may need memory.
      ::_exit(fail_out_of_memory());
    } catch (...) {
    }
  }
  std::abort();
}

}  // namespace

int fail_out_of_memory() noexcept {
  constexpr std::string_view line =
      "noiseplus: out of memory; use fewer rows or columns, or a machine with more memory\n";
  // Standard error is all there is left to say it to.
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) return bad_data;
  return bad_data;
}

void end_without_memory_in_one_line() noexcept {
  std::set_terminate(on_terminate);
}

}  // namespace noiseplus::cli
