// Time and memory of one call.
#pragma once

#include <cstddef>
#include <functional>

namespace noiseplus::bench {

struct Measurement {
  std::size_t runs = 0;
  double seconds = 0;            // of the fastest run
  double megabytes = 0;          // the most that a run added to the memory in use
  bool knows_megabytes = false;  // false: the kernel does not let the peak be reset
};

// Times a piece of work again and again and keeps the best. Asked between runs, so that two
// contestants can take turns: the machine's mood then changes for both alike.
class Stopwatch {
 public:
  // No further run once `enough_seconds` are spent: the slow need no three runs to be told apart.
  Stopwatch(std::size_t max_runs, double enough_seconds)
      : max_runs_(max_runs), enough_seconds_(enough_seconds) {}

  bool wants_another() const {
    return best_.runs < max_runs_ && (best_.runs == 0 || spent_ < enough_seconds_);
  }
  void run(const std::function<void()>& work);
  const Measurement& best() const { return best_; }

 private:
  std::size_t max_runs_;
  double enough_seconds_;
  double spent_ = 0;
  Measurement best_;
};

}  // namespace noiseplus::bench
