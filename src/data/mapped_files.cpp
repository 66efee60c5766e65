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

enum class Cut : int { none, untold, told };  // told: an error about it was thrown

// The handler looks at atomics only, because it may interrupt anything: no lock, no allocation.
struct GuardedMapping {
  // Odd while begin and end change. They count only when it is even and the same before and after
  // they were read: a range made of an old and a new end would be memory of somebody else.
  std::atomic<std::uint64_t> version = 0;
  std::atomic<std::uintptr_t> begin = 0, end = 0;  // whole pages; end 0: not in use
  std::atomic<Cut> cut = Cut::none;
  std::string path;  // under the mutex
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);
static_assert(std::atomic<Cut>::is_always_lock_free);
static_assert(std::atomic<bool>::is_always_lock_free);

std::array<GuardedMapping, 64> mappings;
std::atomic<bool> is_installed = false;
std::atomic<bool> is_any_cut_untold = false;
std::uintptr_t page_size = 4096;
struct sigaction previous {};

std::mutex mutex;
std::string released_cut;  // under the mutex: a file that was cut, released and not told

// REQUIRES: the mutex is held.
void set_range(GuardedMapping& mapping, std::uintptr_t begin, std::uintptr_t end) {
  ++mapping.version;
  mapping.begin = begin;
  mapping.end = end;
  ++mapping.version;
}

// The end of the mapping if the address is in it, else 0. A mapping that changes meanwhile is not
// the one that is read at the address: it is registered before it is read and released after.
std::uintptr_t end_of_range_with(std::uintptr_t address, const GuardedMapping& mapping) {
  const std::uint64_t version = mapping.version;
  const std::uintptr_t begin = mapping.begin, end = mapping.end;
  const bool is_whole = version % 2 == 0 && mapping.version == version;
  return is_whole && begin <= address && address < end ? end : 0;
}

// Zeros from the missing page to the end of the mapping, so that the work goes on to the place
// where it is told. True when the address is ours.
bool patch(std::uintptr_t address) {
  for (GuardedMapping& mapping : mappings) {
    const std::uintptr_t end = end_of_range_with(address, mapping);
    if (end == 0) continue;
    const std::uintptr_t page = address / page_size * page_size;
    void* const place = reinterpret_cast<void*>(page);  // NOLINT(performance-no-int-to-ptr)
    if (::mmap(place, end - page, PROT_READ, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
        MAP_FAILED) {
      return false;
    }
    mapping.cut = Cut::untold;
    is_any_cut_untold = true;
    return true;
  }
  return false;
}

// As the system would have done with the signal before guard_mapped_files().
void pass_on(int number, siginfo_t* info, void* context, bool is_fault) {
  const bool has_handler = (previous.sa_flags & SA_SIGINFO) != 0 ||
                           (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN);
  if (!has_handler) {
    // A fault cannot be ignored: the instruction would fault again, forever.
    if (previous.sa_handler == SIG_IGN && !is_fault) return;
    std::signal(number, SIG_DFL);
    ::raise(number);
    return;
  }
  if ((static_cast<unsigned>(previous.sa_flags) & static_cast<unsigned>(SA_RESETHAND)) != 0) {
    std::signal(number, SIG_DFL);
  }
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(number, info, context);
  } else {
    previous.sa_handler(number);
  }
}

void on_missing_page(int number, siginfo_t* info, void* context) {
  const int failure = errno;
  const bool is_fault = info->si_code > 0;  // else somebody has sent the signal
  const bool is_patched = is_fault && patch(reinterpret_cast<std::uintptr_t>(info->si_addr));
  errno = failure;
  if (!is_patched) pass_on(number, info, context, is_fault);
}

// REQUIRES: the mutex is held.
const std::string* find_untold_cut() {
  if (!released_cut.empty()) return &released_cut;
  for (const GuardedMapping& mapping : mappings) {
    if (mapping.cut == Cut::untold) return &mapping.path;
  }
  return nullptr;
}

// REQUIRES: the mutex is held.
void tell(GuardedMapping& mapping) {
  Cut untold = Cut::untold;
  mapping.cut.compare_exchange_strong(untold, Cut::told);
}

// In this order, because the handler may mark another mapping meanwhile. REQUIRES: the mutex is
// held.
void update_is_any_cut_untold() {
  is_any_cut_untold = false;
  if (find_untold_cut() != nullptr) is_any_cut_untold = true;
}

}  // namespace

void guard_mapped_files() {
  const std::lock_guard lock(mutex);
  if (is_installed) return;
  page_size = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  // Asked first: the new handler may run at once, and needs it.
  if (::sigaction(SIGBUS, nullptr, &previous) != 0) return;
  struct sigaction action {};
  action.sa_sigaction = on_missing_page;
  // The previous handler runs with the mask that it has asked for.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | (previous.sa_flags & (SA_RESTART | SA_NODEFER));
  action.sa_mask = previous.sa_mask;
  if (::sigaction(SIGBUS, &action, nullptr) == 0) is_installed = true;
}

bool are_mapped_files_guarded() {
  return is_installed;
}

Error changed_while_read(const std::string& path) {
  return {ErrorKind::io, path + ": changed while it was read; run it again when the file is whole"};
}

std::string cut_mapped_file() {
  if (!is_any_cut_untold) return "";
  const std::lock_guard lock(mutex);
  const std::string* const path = find_untold_cut();
  return path != nullptr ? *path : "";
}

void throw_if_mapped_file_was_cut() {
  const std::string path = cut_mapped_file();
  if (path.empty()) return;
  const Error error = changed_while_read(path);
  {
    const std::lock_guard lock(mutex);
    released_cut.clear();
    for (GuardedMapping& mapping : mappings) tell(mapping);
    update_is_any_cut_untold();
  }
  throw error;
}

std::optional<std::size_t> guard_mapping(const void* begin, std::size_t size,
                                         const std::string& path) {
  const std::lock_guard lock(mutex);
  for (std::size_t i = 0; i < mappings.size(); ++i) {
    GuardedMapping& mapping = mappings[i];
    if (mapping.end != 0) continue;
    const auto place = reinterpret_cast<std::uintptr_t>(begin);
    mapping.path = path;
    mapping.cut = Cut::none;
    set_range(mapping, place, (place + size + page_size - 1) / page_size * page_size);
    return i;
  }
  return std::nullopt;
}

bool was_mapping_cut(std::size_t guarded) {
  return mappings[guarded].cut != Cut::none;
}

void tell_mapping_cut(std::size_t guarded) {
  const std::lock_guard lock(mutex);
  tell(mappings[guarded]);
  update_is_any_cut_untold();
}

void release_mapping(std::size_t guarded) noexcept {
  const std::lock_guard lock(mutex);
  GuardedMapping& mapping = mappings[guarded];
  if (mapping.cut == Cut::untold && released_cut.empty()) released_cut.swap(mapping.path);
  set_range(mapping, 0, 0);
  mapping.cut = Cut::none;
}

}  // namespace noiseplus
