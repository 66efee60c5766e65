// Every reader accepts any bytes: it returns, or throws Error. Anything else that happens is a bug.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "noiseplus/data.h"

namespace noiseplus {

template <typename Read>
void fuzz(const std::uint8_t* data, std::size_t size, Read read) {
  try {
    read(Bytes(std::string(reinterpret_cast<const char*>(data), size)));
  } catch (const Error& error) {
    // A message is one line.
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) __builtin_trap();
  }
}

}  // namespace noiseplus
