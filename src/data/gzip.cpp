#include "data/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <new>

#include "core/thread_pool.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

// "290 MB"
std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 5> units = {"bytes", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  auto size = static_cast<double>(bytes);
  for (; size >= 1000 && unit + 1 < units.size(); ++unit) size /= 1000;
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %s", size, units[unit]);
  return text.data();
}

}  // namespace

std::uint64_t unpack_limit(std::optional<std::uint64_t> max_unpacked, std::uint64_t stored_size) {
  return max_unpacked ? *max_unpacked : default_max_unpacked(stored_size);
}

Error unpacks_too_far(const std::string& name, std::uint64_t stored_size, std::uint64_t limit) {
  return {ErrorKind::data,
          name + ": " + size_text(stored_size) + " unpack to more than " + size_text(limit) +
              ", the limit --max-unpacked; raise it if the file is what you expect"};
}

bool is_gzip(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

// zlib counts in 32 bits, so input and output are handed over in pieces. A gzip file may be several
// streams end to end; each must be whole.
PageBuffer unpack_gzip(std::string_view packed, const std::string& path, std::uint64_t limit,
                       const Execution& execution) {
  const auto damaged = [&](const char* how) {
    return Error(ErrorKind::data, path + ": the gzip stream is " + how + "; copy the file again");
  };
  z_stream stream{};
  constexpr int gzip_with_largest_window = 15 + 16;
  if (inflateInit2(&stream, gzip_with_largest_window) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, int (*)(z_stream*)> guard(&stream, inflateEnd);

  // Some hundredths of a second each, so that whoever waits may stop it.
  constexpr std::size_t piece = std::size_t{1} << 23;
  ProgressMeter meter(execution, "unpacking", packed.size());
  // One byte more shows that the limit is exceeded.
  const std::uint64_t max_size = std::max(limit, limit + 1);
  PageBuffer text;
  std::size_t consumed = 0;
  for (std::size_t used = 0;;) {
    if (used == text.size()) {
      const std::size_t first = std::min(piece, packed.size() * 4 + 1024);
      text.grow(std::min<std::uint64_t>(used == 0 ? first : 2 * used, max_size));
    }
    const std::size_t room = std::min(text.size() - used, piece);
    const std::size_t offered = std::min(packed.size() - consumed, piece);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + consumed));
    stream.avail_in = static_cast<uInt>(offered);
    stream.next_out = reinterpret_cast<Bytef*>(text.data() + used);
    stream.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream, Z_NO_FLUSH);
    consumed += offered - stream.avail_in;
    meter.step(offered - stream.avail_in);
    used += room - stream.avail_out;
    if (used > limit) throw unpacks_too_far(path, packed.size(), limit);
    if (status == Z_STREAM_END) {
      if (consumed == packed.size()) {
        if (used == 0) return {};
        text.shrink(used);
        return text;
      }
      if (!is_gzip(packed.substr(consumed))) throw damaged("followed by bytes that are not gzip");
      inflateReset(&stream);
    } else if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (status == Z_BUF_ERROR && consumed == packed.size()) {
      throw damaged("cut short");
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw damaged("damaged");
    }
  }
}

}  // namespace noiseplus
