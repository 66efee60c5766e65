#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "noiseplus/data.h"
#include "util/thread_pool.h"

namespace noiseplus {
namespace {

Error unreadable(const std::string& path) {
  return {ErrorKind::io, path + ": cannot read: " + std::strerror(errno)};
}

class Descriptor {
 public:
  explicit Descriptor(const std::string& path)
      : owned_(path != "-"),
        fd_(owned_ ? ::open(path.c_str(), O_RDONLY | O_CLOEXEC) : STDIN_FILENO) {
    if (fd_ < 0) throw unreadable(path);
  }
  ~Descriptor() {
    if (owned_) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  bool owned_;
  int fd_;
};

// At least `wanted` bytes after the first `used`, doubling so that growth costs linear time.
void make_room(std::string& text, std::size_t used, std::size_t wanted) {
  if (text.size() - used < wanted) text.resize(used + std::max(used, wanted));
}

std::string read_stream(int fd, const std::string& path) {
  std::string text;
  constexpr std::size_t block = std::size_t{1} << 20;
  for (std::size_t used = 0;;) {
    make_room(text, used, block);
    const ssize_t got = ::read(fd, text.data() + used, text.size() - used);
    // A signal ends the wait for a slow writer: whoever catches it wants to stop.
    if (got < 0 && errno == EINTR) throw Error(ErrorKind::cancelled, "interrupted");
    if (got < 0) throw unreadable(path);
    used += static_cast<std::size_t>(got);
    if (got == 0) {
      text.resize(used);
      return text;
    }
  }
}

bool is_gzip(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

// zlib counts in 32 bits, so input and output are handed over in pieces. A gzip file may be several
// streams end to end; each must be whole.
std::string unpack_gzip(std::string_view packed, const std::string& path,
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
  std::string text;
  std::size_t consumed = 0;
  for (std::size_t used = 0;;) {
    make_room(text, used, std::min(piece, packed.size() * 4 + 1024));
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
    if (status == Z_STREAM_END) {
      if (consumed == packed.size()) {
        text.resize(used);
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

}  // namespace

Bytes::Bytes(std::string text)
    : owned_(std::move(text)), data_(owned_.data()), size_(owned_.size()) {}

Bytes::Bytes(Bytes&& other) noexcept {
  *this = std::move(other);
}

Bytes& Bytes::operator=(Bytes&& other) noexcept {
  if (this == &other) return *this;
  if (mapping_ != nullptr) ::munmap(mapping_, size_);
  owned_ = std::move(other.owned_);
  mapping_ = std::exchange(other.mapping_, nullptr);
  size_ = std::exchange(other.size_, 0);
  // A short string lives inside the object and moves with it.
  data_ = mapping_ != nullptr ? static_cast<const char*>(mapping_) : owned_.data();
  other.data_ = nullptr;
  return *this;
}

Bytes::~Bytes() {
  if (mapping_ != nullptr) ::munmap(mapping_, size_);
}

Bytes Bytes::read(const std::string& path, const Execution& execution) {
  const Descriptor file(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) throw unreadable(path);
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorKind::io, path + ": is a folder; name a file in it");
  }
  Bytes bytes;
  if (S_ISREG(status.st_mode) && status.st_size > 0 && path != "-") {
    const auto size = static_cast<std::size_t>(status.st_size);
    void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (mapping == MAP_FAILED) throw unreadable(path);
    bytes.mapping_ = mapping;
    bytes.data_ = static_cast<const char*>(mapping);
    bytes.size_ = size;
  } else {
    bytes = Bytes(read_stream(file.get(), path));
  }
  if (is_gzip(bytes.view())) return Bytes(unpack_gzip(bytes.view(), path, execution));
  return bytes;
}

Format format_of(const std::string& path) {
  std::string name = path;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  if (name.ends_with(".tsv") || name.ends_with(".tab")) return Format::tsv;
  if (name.ends_with(".npy")) return Format::npy;
  if (name.ends_with(".npz")) return Format::npz;
  if (name.ends_with(".libsvm") || name.ends_with(".svmlight") || name.ends_with(".svm")) {
    return Format::libsvm;
  }
  if (name.ends_with(".txt")) return Format::txt;
  // MNIST's files are called train-images-idx3-ubyte.
  if (name.ends_with(".idx") || name.ends_with("-ubyte") || name.ends_with(".ubyte")) {
    return Format::idx;
  }
  return Format::csv;
}

}  // namespace noiseplus
