#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

// Bytes::read takes a path, so the input is given one: a file in memory.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace noiseplus;
  const int file = ::memfd_create("fuzz", 0);
  if (file < 0) return 0;
  if (::write(file, data, size) == static_cast<ssize_t>(size)) {
    fuzz(nullptr, 0, [&](const Bytes&) { Bytes::read("/proc/self/fd/" + std::to_string(file)); });
  }
  ::close(file);
  return 0;
}
