// Preloaded into the program by memory_test.py: makes an allocation fail, or the making of threads.
// Counting begins when main is entered and ends when it returns, because what the loader and static
// initializers allocate is out of the program's hands.
//
//   FAIL_AT=n        the n-th allocation fails
//   FAIL_ALL=1       and so do all that follow
//   FAIL_THREADS=1   pthread_create fails as it does where there are too many threads
//   COUNT_FILE=path  where the number of allocations is written in the end
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
}

namespace {

std::atomic<bool> is_counting = false;
std::atomic<long> allocations = 0;
long fail_at = 0;
bool fail_all = false, fail_threads = false;

bool fails() {
  if (!is_counting) return false;
  const long number = ++allocations;
  const bool does = fail_at > 0 && (number == fail_at || (fail_all && number > fail_at));
  if (does) errno = ENOMEM;
  return does;
}

using Main = int (*)(int, char**, char**);
Main true_main = nullptr;

int counted_main(int count, char** arguments, char** environment) {
  const char* const at = std::getenv("FAIL_AT");
  const char* const file = std::getenv("COUNT_FILE");
  fail_at = at == nullptr ? 0 : std::atol(at);
  fail_all = std::getenv("FAIL_ALL") != nullptr;
  fail_threads = std::getenv("FAIL_THREADS") != nullptr;
  is_counting = true;
  const int code = true_main(count, arguments, environment);
  is_counting = false;
  if (file != nullptr) {
    char text[32];
    const int size = std::snprintf(text, sizeof text, "%ld\n", allocations.load());
    const int output = ::open(file, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (::write(output, text, static_cast<std::size_t>(size)) != size) return 99;
    ::close(output);
  }
  return code;
}

}  // namespace

extern "C" {

void* malloc(std::size_t size) {
  return fails() ? nullptr : __libc_malloc(size);
}

void* calloc(std::size_t count, std::size_t size) {
  return fails() ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, std::size_t size) {
  return fails() ? nullptr : __libc_realloc(old, size);
}

void* memalign(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  return fails() ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  void* const place = fails() ? nullptr : __libc_memalign(alignment, size);
  if (place == nullptr) return ENOMEM;
  *result = place;
  return 0;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(::dlsym(RTLD_NEXT, "pthread_create"));
  return fail_threads ? EAGAIN : create(thread, attributes, body, argument);
}

int __libc_start_main(Main program, int count, char** arguments, void (*begin)(), void (*end)(),
                      void (*loader_end)(), void* stack_end) {
  using Start = int (*)(Main, int, char**, void (*)(), void (*)(), void (*)(), void*);
  const auto start = reinterpret_cast<Start>(::dlsym(RTLD_NEXT, "__libc_start_main"));
  true_main = program;
  return start(counted_main, count, arguments, begin, end, loader_end, stack_end);
}

}  // extern "C"
