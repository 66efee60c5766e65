#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "core/thread_pool.h"
#include "data/bytes_room.h"
#include "data/descriptors.h"
#include "data/gzip.h"
#include "data/mapped_files.h"
#include "data/page_buffer.h"
#include "noiseplus/data.h"

namespace noiseplus {
namespace {

Error unreadable(const std::string& path) {
  return {ErrorKind::io, path + ": cannot read: " + std::strerror(errno)};
}

// Returns when there is something to read, or nothing will come any more. The progress callback is
// asked a few times a second meanwhile, because a signal may arrive on any other thread.
void wait_for_input(int fd, ProgressMeter& meter) {
  constexpr int milliseconds = 100;
  pollfd waiting{fd, POLLIN, 0};
  for (;;) {
    const int ready = ::poll(&waiting, 1, milliseconds);
    if (ready > 0 || (ready < 0 && errno != EINTR)) return;
    meter.step(0);
  }
}

bool is_named_pipe(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
}

class Descriptor {
 public:
  // By way of another constructor, so that the file is closed when this one throws.
  Descriptor(const std::string& path, const Execution& execution) : Descriptor(path != "-") {
    if (!owned_) return;
    ProgressMeter meter(execution, "reading", 1);
    // To open a named pipe takes until somebody writes to it, and cannot be canceled; to wait can.
    const bool is_pipe = is_named_pipe(path);
    const int how = O_RDONLY | O_CLOEXEC | (is_pipe ? O_NONBLOCK : 0);
    while ((fd_ = keep_off_standard(::open(path.c_str(), how))) < 0 && errno == EINTR) {
      meter.step(0);
    }
    if (fd_ < 0) throw unreadable(path);
    if (!is_pipe) return;
    wait_for_input(fd_, meter);
    if (::fcntl(fd_, F_SETFL, 0) != 0) throw unreadable(path);  // blocks from now on
  }
  ~Descriptor() {
    if (owned_ && fd_ >= 0) ::close(fd_);
  }
  Descriptor(Descriptor&& other) noexcept
      : owned_(other.owned_), fd_(std::exchange(other.fd_, -1)) {}
  int get() const { return fd_; }

 private:
  explicit Descriptor(bool owned) : owned_(owned), fd_(owned ? -1 : STDIN_FILENO) {}

  bool owned_;
  int fd_;
};

struct stat status_of(int fd, const std::string& path) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) throw unreadable(path);
  return status;
}

bool is_same(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// How much there is, nobody knows: the meter stays at 0.
std::string read_stream(int fd, const std::string& path, const Execution& execution) {
  std::string text;
  constexpr std::size_t block = std::size_t{1} << 20;
  ProgressMeter meter(execution, "reading", std::numeric_limits<std::size_t>::max());
  for (std::size_t used = 0;;) {
    make_room(text, used, block);
    if (execution.progress) wait_for_input(fd, meter);
    const ssize_t got = ::read(fd, text.data() + used, text.size() - used);
    if (got < 0 && errno != EINTR) throw unreadable(path);
    meter.step(got > 0 ? static_cast<std::size_t>(got) : 0);
    if (got < 0) continue;
    used += static_cast<std::size_t>(got);
    if (got == 0) {
      text.resize(used);
      return text;
    }
  }
}

void read_range(int fd, const std::string& path, char* to, std::size_t begin, std::size_t end,
                ProgressMeter& meter) {
  while (begin < end) {
    const ssize_t got = ::pread(fd, to + begin, end - begin, static_cast<off_t>(begin));
    if (got < 0 && errno != EINTR) throw unreadable(path);
    if (got == 0) throw changed_while_read(path);
    const std::size_t count = got > 0 ? static_cast<std::size_t>(got) : 0;
    begin += count;
    meter.step(count);
  }
}

void read_all(int fd, const std::string& path, char* to, std::size_t size,
              const Execution& execution) {
  constexpr std::size_t piece = std::size_t{1} << 23;
  constexpr std::size_t worth_threads = 4 * piece;
  ProgressMeter meter(execution, "reading", size);
  ThreadPool pool(size < worth_threads ? 1 : execution.threads);
  pool.for_each(ceiling_of_quotient(size, piece), [&](std::size_t i) {
    read_range(fd, path, to, i * piece, std::min(size, (i + 1) * piece), meter);
  });
}

}  // namespace

struct Bytes::Mapping {
  std::optional<Descriptor> file;
  std::string path;
  struct stat status;
  std::size_t guarded;
};

// Only these know how bytes come about; the rest of the program sees them whole.
class FileReader {
 public:
  FileReader(const std::string& path, const Execution& execution)
      : path_(path),
        execution_(execution),
        file_(path, execution),
        status_(status_of(file_.get(), path)) {
    if (S_ISDIR(status_.st_mode)) {
      throw Error(ErrorKind::io, path + ": is a folder; name a file in it");
    }
  }

  Bytes read(std::optional<std::uint64_t> max_unpacked) const {
    Bytes bytes = has_size() ? read_pages() : Bytes(read_stream(file_.get(), path_, execution_));
    if (!is_gzip(bytes.view())) return bytes;
    const std::size_t stored_size = bytes.size();
    PageBuffer pages =
        unpack_gzip(bytes.view(), path_, unpack_limit(max_unpacked, stored_size), execution_);
    const std::size_t size = pages.size();
    Bytes unpacked = size > 0 ? owner_of(pages.release(), size) : Bytes(std::string());
    unpacked.stored_size_ = stored_size;
    return unpacked;
  }

  // Nothing where the file cannot be mapped, or would have to be unpacked.
  std::optional<Bytes> map() {
    if (!are_mapped_files_guarded() || !has_size() || begins_like_gzip()) return std::nullopt;
    const std::size_t size = this->size();
    void* const pages = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.get(), 0);
    if (pages == MAP_FAILED) return std::nullopt;
    Bytes bytes = owner_of(pages, size);
    // Before the mapping is registered: what threw after it would leave it so.
    std::unique_ptr<Bytes::Mapping> mapping(new Bytes::Mapping{std::nullopt, path_, status_, 0});
    const std::optional<std::size_t> guarded = guard_mapping(pages, size, path_);
    if (!guarded) return std::nullopt;
    mapping->file.emplace(std::move(file_));
    mapping->guarded = *guarded;
    bytes.mapping_ = std::move(mapping);
    return bytes;
  }

 private:
  // Standard input may be in the middle of a file.
  bool has_size() const { return S_ISREG(status_.st_mode) && status_.st_size > 0 && path_ != "-"; }
  std::size_t size() const { return static_cast<std::size_t>(status_.st_size); }

  bool begins_like_gzip() const {
    std::array<char, 2> begin{};
    const ssize_t got = ::pread(file_.get(), begin.data(), begin.size(), 0);
    return got == 2 && is_gzip({begin.data(), begin.size()});
  }

  static Bytes owner_of(void* pages, std::size_t size) {
    Bytes bytes;
    bytes.block_ = pages;
    bytes.data_ = static_cast<const char*>(pages);
    bytes.size_ = bytes.stored_size_ = size;
    return bytes;
  }

  Bytes read_pages() const {
    Bytes bytes = owner_of(PageBuffer(size()).release(), size());
    read_all(file_.get(), path_, static_cast<char*>(bytes.block_), size(), execution_);
    if (!is_same(status_, status_of(file_.get(), path_))) throw changed_while_read(path_);
    return bytes;
  }

  std::string path_;
  const Execution& execution_;
  Descriptor file_;
  struct stat status_;
};

Bytes::Bytes() = default;

Bytes::Bytes(std::string text)
    : owned_(std::move(text)),
      data_(owned_.data()),
      size_(owned_.size()),
      stored_size_(owned_.size()) {}

Bytes::Bytes(Bytes&& other) noexcept {
  *this = std::move(other);
}

Bytes& Bytes::operator=(Bytes&& other) noexcept {
  if (this == &other) return *this;
  free_pages();
  owned_ = std::move(other.owned_);
  block_ = std::exchange(other.block_, nullptr);
  size_ = std::exchange(other.size_, 0);
  stored_size_ = std::exchange(other.stored_size_, 0);
  mapping_ = std::move(other.mapping_);
  // A short string lives inside the object and moves with it.
  data_ = block_ != nullptr ? static_cast<const char*>(block_) : owned_.data();
  other.data_ = nullptr;
  return *this;
}

Bytes::~Bytes() {
  free_pages();
}

void Bytes::free_pages() {
  if (mapping_ != nullptr) release_mapping(mapping_->guarded);
  mapping_.reset();
  if (block_ != nullptr) ::munmap(block_, size_);
  block_ = nullptr;
}

Bytes Bytes::read(const std::string& path, const Execution& execution,
                  std::optional<std::uint64_t> max_unpacked) {
  return FileReader(path, execution).read(max_unpacked);
}

Bytes Bytes::map(const std::string& path, const Execution& execution,
                 std::optional<std::uint64_t> max_unpacked) {
  FileReader reader(path, execution);
  if (std::optional<Bytes> mapped = reader.map()) return std::move(*mapped);
  return reader.read(max_unpacked);
}

void Bytes::throw_if_changed() const {
  if (mapping_ == nullptr) return;
  if (!was_mapping_cut(mapping_->guarded) &&
      is_same(mapping_->status, status_of(mapping_->file->get(), mapping_->path))) {
    return;
  }
  const Error error = changed_while_read(mapping_->path);
  tell_mapping_cut(mapping_->guarded);
  throw error;
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
