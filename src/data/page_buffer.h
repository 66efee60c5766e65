// Memory that grows without a copy. Internal to the data stage.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <utility>

namespace noiseplus {

// Pages of this process's own. A string would write zeros to all of them first, and would need the
// old and the new block at once to grow; these are moved by the system.
class PageBuffer {
 public:
  PageBuffer() = default;
  // Throws bad_alloc, as grow does.
  explicit PageBuffer(std::size_t size) { grow(size); }
  ~PageBuffer() {
    if (pages_ != nullptr) ::munmap(pages_, size_);
  }
  PageBuffer(PageBuffer&& other) noexcept
      : pages_(std::exchange(other.pages_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  PageBuffer& operator=(PageBuffer&&) = delete;

  char* data() { return static_cast<char*>(pages_); }
  std::size_t size() const { return size_; }

  // Keeps the contents. REQUIRES: more than size().
  void grow(std::size_t size) {
    void* const grown = pages_ != nullptr ? ::mremap(pages_, size_, size, MREMAP_MAYMOVE)
                                          : ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                                                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (grown == MAP_FAILED) throw std::bad_alloc();
    pages_ = grown;
    size_ = size;
    ::madvise(pages_, size_, MADV_HUGEPAGE);
  }

  // Keeps the first `size` bytes. REQUIRES: 0 < size <= size().
  void shrink(std::size_t size) {
    // The same place: a mapping that gets smaller does not move.
    if (::mremap(pages_, size_, size, 0) != MAP_FAILED) size_ = size;
  }

  // Of size() bytes; for munmap. Null when nothing was asked for.
  void* release() {
    size_ = 0;
    return std::exchange(pages_, nullptr);
  }

 private:
  void* pages_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace noiseplus
