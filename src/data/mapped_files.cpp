#include "data/mapped_files.h"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>

#include "noiseplus/data.h"

namespace noiseplus {
namespace {

// The handler looks at atomics only, because it may interrupt anything: no lock, no allocation.
struct GuardedMapping {
  std::atomic<std::uintptr_t> begin = 0, end = 0;  // whole pages; end 0: not in use
  std::atomic<bool> was_cut = false;
  std::string path;  // under the mutex
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);
static_assert(std::atomic<bool>::is_always_lock_free);

std::array<GuardedMapping, 64> mappings;
std::atomic<bool> is_installed = false;
std::atomic<bool> any_was_cut = false;
std::uintptr_t page_size = 4096;
struct sigaction previous {};

std::mutex mutex;
std::string first_cut;  // under the mutex

// Zeros from the missing page to the end of the mapping, so that the work goes on to the place
// where it is told. True when the address is ours.
bool patch(std::uintptr_t address) {
  for (GuardedMapping& mapping : mappings) {
    const std::uintptr_t end = mapping.end.load(std::memory_order_acquire);
    if (address >= end || address < mapping.begin.load(std::memory_order_acquire)) continue;
    const std::uintptr_t page = address / page_size * page_size;
    void* const place = reinterpret_cast<void*>(page);  // NOLINT(performance-no-int-to-ptr)
    if (::mmap(place, end - page, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
        MAP_FAILED) {
      return false;
    }
    mapping.was_cut = true;
    any_was_cut = true;
    return true;
  }
  return false;
}

void on_missing_page(int number, siginfo_t* info, void* context) {
  const int failure = errno;
  const bool is_fault = info->si_code > 0;  // else somebody has sent the signal
  const bool is_patched = is_fault && patch(reinterpret_cast<std::uintptr_t>(info->si_addr));
  errno = failure;
  if (is_patched) return;
  if ((previous.sa_flags & SA_SIGINFO) != 0) return previous.sa_sigaction(number, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    return previous.sa_handler(number);
  }
  std::signal(number, SIG_DFL);
  ::raise(number);
}

}  // namespace

void guard_mapped_files() {
  const std::lock_guard lock(mutex);
  if (is_installed) return;
  page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  struct sigaction action {};
  action.sa_sigaction = on_missing_page;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  if (::sigaction(SIGBUS, &action, &previous) == 0) is_installed = true;
}

bool are_mapped_files_guarded() {
  return is_installed;
}

std::string cut_mapped_file() {
  if (!any_was_cut) return "";
  const std::lock_guard lock(mutex);
  for (const GuardedMapping& mapping : mappings) {
    if (first_cut.empty() && mapping.was_cut) first_cut = mapping.path;
  }
  return first_cut;
}

std::optional<std::size_t> guard_mapping(const void* begin, std::size_t size,
                                         const std::string& path) {
  const std::lock_guard lock(mutex);
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    GuardedMapping& mapping = mappings[i];
    if (mapping.end != 0) continue;
    const auto place = reinterpret_cast<std::uintptr_t>(begin);
    mapping.path = path;
    mapping.was_cut = false;
    mapping.begin = place;
    mapping.end = (place + size + page_size - 1) / page_size * page_size;
    return i;
  }
  return std::nullopt;
}

bool was_mapping_cut(std::size_t guarded) {
  return mappings[guarded].was_cut;
}

void release_mapping(std::size_t guarded) {
  cut_mapped_file();  // remembers its path
  const std::lock_guard lock(mutex);
  mappings[guarded].end = 0;
  mappings[guarded].begin = 0;
  mappings[guarded].was_cut = false;
}

}  // namespace noiseplus
