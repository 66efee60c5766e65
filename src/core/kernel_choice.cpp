#include "core/kernel_choice.h"

#include <atomic>
#include <bit>
#include <string>
#include <vector>

#include "core/dispatch.h"
#include "noiseplus/core.h"
#include "noiseplus/kernels.h"

namespace noiseplus {
namespace {

struct KernelName {
  std::string name;
  const char* target;  // Highway's name, a literal
};

std::string name_of_target(std::int64_t target) {
  if (target == HWY_AVX3) return "avx512";
  std::string name = hwy::TargetName(target);
  for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

const std::vector<KernelName>& names() {
  static const std::vector<KernelName> found = [] {
    std::vector<KernelName> list;
    constexpr std::int64_t without_vectors = HWY_SCALAR | HWY_EMU128;
    auto targets = static_cast<std::uint64_t>(HWY_TARGETS & ~without_vectors) &
                   static_cast<std::uint64_t>(hwy::SupportedTargets());
    for (; targets != 0; targets &= targets - 1) {  // the best target has the lowest bit
      const auto target = std::int64_t{1} << std::countr_zero(targets);
      list.push_back({name_of_target(target), hwy::TargetName(target)});
    }
    list.push_back({"scalar", "SCALAR"});
    return list;
  }();
  return found;
}

// Null: the fastest.
std::atomic<const KernelName*> chosen = nullptr;

}  // namespace

std::string_view chosen_target() {
  const KernelName* const name = chosen;
  return name == nullptr ? std::string_view() : name->target;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> list;
  for (const KernelName& kernel : names()) list.push_back(kernel.name);
  return list;
}

std::string kernel_in_use() {
  const KernelName* const name = chosen;
  return name == nullptr ? names().front().name : name->name;
}

void set_kernel(std::string_view name) {
  if (name == "auto") {
    chosen = nullptr;
    return;
  }
  std::string known;
  for (const KernelName& kernel : names()) {
    if (kernel.name == name) {
      chosen = &kernel;
      return;
    }
    known += ", " + kernel.name;
  }
  throw Error(ErrorKind::usage, "this processor has no kernel '" + std::string(name) +
                                    "'; choose one of auto" + known);
}

}  // namespace noiseplus
