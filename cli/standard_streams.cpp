#include "standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace noiseplus::cli {
namespace {

bool was_output_closed = false;

}  // namespace

void occupy_closed_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) >= 0) continue;
    if (stream == STDOUT_FILENO) was_output_closed = true;
    // Gets the lowest free number, which is this one: those below are open by now.
    ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

bool is_standard_output_closed() {
  return was_output_closed;
}

}  // namespace noiseplus::cli
