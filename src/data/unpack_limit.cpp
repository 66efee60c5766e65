#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>

#include "data/memory_limit.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// Of the group and of each above it: the least counts.
std::uint64_t min_limit(const std::string& root, std::string group, const std::string& file) {
  std::uint64_t least = no_limit;
  for (;;) {
    // "max" where there is no limit, which is no number.
    std::uint64_t limit = 0;
    if (std::ifstream(root + group + '/' + file) >> limit) least = std::min(least, limit);
    if (group.empty()) return least;
    group.resize(group.rfind('/') == group.npos ? 0 : group.rfind('/'));
  }
}

// "12.3 GB"
std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes / 1e9);
  return text;
}

}  // namespace

std::uint64_t process_memory() {
  std::uint64_t memory = no_limit;
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    memory = static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page);
  }
  rlimit addresses{};
  if (::getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
    memory = std::min<std::uint64_t>(memory, addresses.rlim_cur);
  }
  return std::min(memory, control_group_limit());
}

double class_memory(std::size_t rows, std::size_t classes) {
  // As measured: 250 MB for 6000 rows of 1200 classes, by all estimators, with the JSON.
  constexpr double floats_per_row_and_class = 4, doubles_per_pair = 12;
  const auto n = static_cast<double>(rows), k = static_cast<double>(classes);
  return 4 * floats_per_row_and_class * n * k + 8 * doubles_per_pair * k * k;
}

void check_class_memory(const std::string& subject, std::size_t rows, std::size_t classes,
                        std::uint64_t memory) {
  const double needed = class_memory(rows, classes);
  if (needed <= static_cast<double>(memory)) return;
  throw Error(ErrorKind::data,
              subject + " has " + std::to_string(classes) + " classes, which need about " +
                  gigabytes(needed) + " of memory; there is " +
                  gigabytes(static_cast<double>(memory)) +
                  ". Is it the right column? If so, use a machine with more, or fewer classes");
}

// A line is "number:controllers:group"; version 2 has the number 0 and no controllers.
std::uint64_t control_group_limit(const std::string& membership, const std::string& root) {
  std::uint64_t least = no_limit;
  std::ifstream lines(membership);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) continue;
    const std::string controllers = ',' + line.substr(first + 1, second - first - 1) + ',';
    const std::string group = line.substr(second + 1);
    if (line.starts_with("0::")) {
      least = std::min(least, min_limit(root, group, "memory.max"));
    } else if (controllers.find(",memory,") != controllers.npos) {
      least = std::min(least, min_limit(root + "/memory", group, "memory.limit_in_bytes"));
    }
  }
  return least;
}

std::uint64_t default_max_unpacked(std::uint64_t stored_size) {
  constexpr std::uint64_t harmless = std::uint64_t{256} << 20;
  constexpr std::uint64_t usual_growth = 100;
  const std::uint64_t grown =
      stored_size > no_limit / usual_growth ? no_limit : stored_size * usual_growth;
  return std::min(std::max(harmless, grown), process_memory() / 2);
}

}  // namespace noiseplus
