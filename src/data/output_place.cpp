#include "data/output_place.h"

#include <sys/stat.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

// The number in /dev/stdout, /dev/fd/N and /proc/self/fd/N; -1: none of these. Opening such a name
// again would write over what was appended to the file.
int named_descriptor(const std::string& path) {
  if (path == "/dev/stdin") return 0;
  if (path == "/dev/stdout") return 1;
  if (path == "/dev/stderr") return 2;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    int number = -1;
    const char* const end = path.data() + path.size();
    const auto [stop, failure] = std::from_chars(path.data() + folder.size(), end, number);
    if (failure == std::errc() && stop == end) return number;
  }
  return -1;
}

}  // namespace

OutputPlace place_of_output(const std::string& path) {
  constexpr int max_links = 40;  // as the system has it
  OutputPlace place{path, -1, false};
  for (int links = 0;; ++links) {
    std::error_code failed;
    const std::string whole = std::filesystem::absolute(place.path, failed).string();
    place.open_descriptor = named_descriptor(whole);
    // Has no place that a file could be moved into; /dev/shm is a file system like any other.
    place.is_direct = place.open_descriptor >= 0 || whole.starts_with("/proc/") ||
                      (whole.starts_with("/dev/") && !whole.starts_with("/dev/shm/"));
    if (place.is_direct || !std::filesystem::is_symlink(place.path, failed)) break;
    if (links == max_links) {
      throw Error(ErrorKind::io, path + ": cannot write: " + std::strerror(ELOOP));
    }
    const std::filesystem::path target = std::filesystem::read_symlink(place.path, failed);
    if (failed) throw Error(ErrorKind::io, path + ": cannot write: " + failed.message());
    place.path = (std::filesystem::path(place.path).parent_path() / target).string();
  }
  struct stat old {};
  if (::stat(place.path.c_str(), &old) == 0 && !S_ISREG(old.st_mode)) place.is_direct = true;
  return place;
}

}  // namespace noiseplus
