// How much memory control groups allow. Internal to the data stage.
#pragma once

#include <cstdint>
#include <string>

namespace noiseplus {

// The least of the limits of this process's control group and those above it, in bytes; the largest
// number where there is none. Both versions of control groups. A test gives other files.
std::uint64_t control_group_limit(const std::string& membership = "/proc/self/cgroup",
                                  const std::string& root = "/sys/fs/cgroup");

}  // namespace noiseplus
