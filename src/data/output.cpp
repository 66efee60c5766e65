#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "data/descriptors.h"
#include "data/output_place.h"
#include "noiseplus/data.h"

namespace noiseplus {

// Where the system can, the file has no name until commit (O_TMPFILE), so that even a kill leaves
// nothing behind; elsewhere it has a temporary name beside the final one.
struct OutputFile::State {
  std::string path;       // as given
  std::string place;      // where it is moved to
  std::string temporary;  // empty while the file has no name
  int fd = -1;
  bool is_direct = false;  // standard output, a pipe, a device
  bool packs = false;
  bool is_finished = false;
  z_stream packer{};
  std::vector<char> buffer = std::vector<char>(std::size_t{1} << 16);

  Error unwritable() const {
    return {ErrorKind::io, path + ": cannot write: " + std::strerror(errno)};
  }

  static int open_descriptor(const std::string& name, int how) {
    constexpr mode_t readable = 0666;
    int opened = -1;
    do {
      opened = ::open(name.c_str(), how | O_CLOEXEC, readable);
    } while (opened < 0 && errno == EINTR);  // waiting for a pipe's reader
    return keep_off_standard(opened);
  }

  std::string folder() const {
    const std::size_t slash = place.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : place.substr(0, slash);
  }

  std::string temporary_name() const {
    static std::atomic<unsigned> used = 0;
    return folder() + "/.noiseplus.partial-" + std::to_string(::getpid()) + "-" +
           std::to_string(used++);
  }

  void open() {
    if (path == "-") {
      fd = STDOUT_FILENO;
      is_direct = true;
      return;
    }
    const OutputPlace found = place_of_output(path);
    place = found.path;
    is_direct = found.is_direct;
    if (found.open_descriptor >= 0) {
      fd = ::fcntl(found.open_descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    } else if (is_direct) {
      fd = open_descriptor(path, O_WRONLY);
    } else {
      // Said now, not after an hour's work.
      struct stat old {};
      const bool exists = ::stat(place.c_str(), &old) == 0;
      if (exists && ::access(place.c_str(), W_OK) != 0) throw unwritable();
      fd = open_descriptor(folder(), O_WRONLY | O_TMPFILE);
      if (fd < 0) {
        temporary = temporary_name();
        fd = open_descriptor(temporary, O_WRONLY | O_CREAT | O_EXCL);
        if (fd < 0) temporary.clear();
      }
      if (fd >= 0 && exists) ::fchmod(fd, old.st_mode & 07777);
    }
    if (fd < 0) throw unwritable();
  }

  void write_bytes(const char* data, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(fd, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw unwritable();
      data += written;
      size -= static_cast<std::size_t>(written);
    }
  }

  void pack(std::string_view text, int flush) {
    do {
      constexpr std::size_t piece = std::size_t{1} << 30;
      const std::string_view part = text.substr(0, piece);
      text.remove_prefix(part.size());
      packer.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
      packer.avail_in = static_cast<uInt>(part.size());
      int status = Z_OK;
      do {
        packer.next_out = reinterpret_cast<Bytef*>(buffer.data());
        packer.avail_out = static_cast<uInt>(buffer.size());
        status = deflate(&packer, text.empty() ? flush : Z_NO_FLUSH);
        write_bytes(buffer.data(), buffer.size() - packer.avail_out);
      } while (packer.avail_out == 0 && status != Z_STREAM_END);
    } while (!text.empty());
  }

  // An unnamed file can only be linked to a name that is free, so it gets one for a moment.
  void link_to_temporary_name() {
    if (!temporary.empty()) return;
    std::string name = temporary_name();
    const std::string self = "/proc/self/fd/" + std::to_string(fd);
    ::unlink(name.c_str());
    if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) != 0) {
      throw unwritable();
    }
    temporary = std::move(name);
  }

  void move_into_place() {
    if (std::rename(temporary.c_str(), place.c_str()) != 0) throw unwritable();
    temporary.clear();
  }
};

OutputFile::OutputFile(const std::string& path) : state_(std::make_unique<State>()) {
  state_->path = path;
  state_->open();
  state_->packs = path.ends_with(".gz");
  constexpr int gzip_format = 15 + 16;
  constexpr int usual_memory = 8;
  if (state_->packs && deflateInit2(&state_->packer, Z_DEFAULT_COMPRESSION, Z_DEFLATED, gzip_format,
                                    usual_memory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::bad_alloc();
  }
}

OutputFile::~OutputFile() {
  if (state_->packs) deflateEnd(&state_->packer);
  if (state_->fd >= 0 && state_->path != "-") ::close(state_->fd);
  if (!state_->temporary.empty()) ::unlink(state_->temporary.c_str());
}

void OutputFile::write(std::string_view text) {
  if (state_->packs) {
    state_->pack(text, Z_NO_FLUSH);
  } else {
    state_->write_bytes(text.data(), text.size());
  }
}

void OutputFile::finish() {
  if (std::exchange(state_->is_finished, true)) return;
  if (state_->packs) state_->pack({}, Z_FINISH);
  if (state_->is_direct) return;
  int failed = 0;
  do {
    failed = ::fsync(state_->fd);
  } while (failed != 0 && errno == EINTR);
  if (failed != 0) throw state_->unwritable();
}

void OutputFile::stage() {
  finish();
  if (!state_->is_direct) state_->link_to_temporary_name();
}

void OutputFile::commit() {
  stage();
  if (!state_->is_direct) state_->move_into_place();
}

}  // namespace noiseplus
