// How much memory control groups allow. Internal to the data stage.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace noiseplus {

// The least of the limits of this process's control group and those above it, in bytes; the largest
// number where there is none. Both versions of control groups. A test gives other files.
std::uint64_t control_group_limit(const std::string& membership = "/proc/self/cgroup",
                                  const std::string& root = "/sys/fs/cgroup");

// Bytes that this process may have: the machine's, or less where a control group or `ulimit -v`
// allows less.
std::uint64_t process_memory();

// Bytes that an audit or a training of so many rows and classes needs, about: probabilities of each
// row and class, and matrices of classes x classes.
double class_memory(std::size_t rows, std::size_t classes);

// Throws data unless `memory` is enough for them, saying how much they need. `subject` is what has
// the classes: "data.csv: the label 'y'".
void check_class_memory(const std::string& subject, std::size_t rows, std::size_t classes,
                        std::uint64_t memory = process_memory());

}  // namespace noiseplus
