#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

// The machine's, or less where a container or `ulimit -v` allows less.
std::uint64_t memory_of_process() {
  std::uint64_t memory = std::numeric_limits<std::uint64_t>::max();
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  }
  rlimit addresses{};
  if (::getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
    memory = std::min<std::uint64_t>(memory, addresses.rlim_cur);
  }
  // "max" where there is no limit, which is no number.
  std::uint64_t of_container = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_container) {
    memory = std::min(memory, of_container);
  }
  return memory;
}

}  // namespace

std::uint64_t default_max_unpacked(std::uint64_t stored_size) {
  constexpr std::uint64_t harmless = std::uint64_t{256} << 20;
  constexpr std::uint64_t usual_growth = 100;
  const std::uint64_t grown = stored_size > std::numeric_limits<std::uint64_t>::max() / usual_growth
                                  ? std::numeric_limits<std::uint64_t>::max()
                                  : stored_size * usual_growth;
  return std::min(std::max(harmless, grown), memory_of_process() / 2);
}

}  // namespace noiseplus
