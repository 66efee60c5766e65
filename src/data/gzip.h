// gzip, and how far it may unpack. Internal to the data stage.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "data/page_buffer.h"
#include "noiseplus/core.h"

namespace noiseplus {

// The limit where none was given is that of the file's size on the disk.
std::uint64_t unpack_limit(std::optional<std::uint64_t> max_unpacked, std::uint64_t stored_size);

// What to throw beyond the limit; `name` is the file, or an array in it.
Error unpacks_too_far(const std::string& name, std::uint64_t stored_size, std::uint64_t limit);

bool is_gzip(std::string_view bytes);

// Throws data when the stream is damaged, cut short, or unpacks to more than `limit` bytes. Never
// takes more than `limit` bytes and a page for the result.
PageBuffer unpack_gzip(std::string_view packed, const std::string& path, std::uint64_t limit,
                       const Execution& execution);

}  // namespace noiseplus
