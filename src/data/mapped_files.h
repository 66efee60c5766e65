// Which files are mapped where, for the handler of SIGBUS. Internal to the data stage.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "noiseplus/core.h"

namespace noiseplus {

bool are_mapped_files_guarded();

// Registers `size` mapped bytes at `begin`, a page's. Nothing when there are as many mappings as
// the handler can look through.
std::optional<std::size_t> guard_mapping(const void* begin, std::size_t size,
                                         const std::string& path);
// Whether pages of it were missing and read as zeros.
bool was_mapping_cut(std::size_t guarded);
// An error about it is thrown: cut_mapped_file() no longer names it.
void tell_mapping_cut(std::size_t guarded);
// REQUIRES: still mapped, and nobody reads it any more.
void release_mapping(std::size_t guarded) noexcept;

// What to throw when a file is not what it was when it was opened.
Error changed_while_read(const std::string& path);

}  // namespace noiseplus
