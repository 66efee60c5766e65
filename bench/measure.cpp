#include "measure.h"

#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>

namespace noiseplus::bench {
namespace {

double status_megabytes(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kilobytes = 0;
    if (word == field && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

// Makes VmHWM start anew from what is in use now.
bool reset_peak() {
  std::ofstream file("/proc/self/clear_refs");
  return static_cast<bool>(file << "5" << std::flush);
}

}  // namespace

void Stopwatch::run(const std::function<void()>& work) {
  malloc_trim(0);  // else memory that an earlier run gave back would be used again, unseen
  const bool peak_is_own = reset_peak();
  const double before = status_megabytes("VmRSS:");

  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;

  spent_ += elapsed.count();
  best_.seconds = best_.runs == 0 ? elapsed.count() : std::min(best_.seconds, elapsed.count());
  best_.megabytes = std::max(best_.megabytes, status_megabytes("VmHWM:") - before);
  best_.knows_megabytes = peak_is_own;
  ++best_.runs;
}

}  // namespace noiseplus::bench
