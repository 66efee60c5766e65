// A handful of threads that share out numbered tasks.
//
// Invariants:
//   1. for_each returns only when every started task has ended; no task outlives the call.
//   2. An exception thrown by a task is rethrown once, by for_each; tasks not yet begun are then
//      skipped. Of several exceptions, the one of the lowest task is rethrown, whatever the number
//      of threads and the timing.
//   3. Which thread runs a task is never visible in a result: tasks write to places of their own,
//      or add integers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "noiseplus/core.h"

namespace noiseplus {

inline std::size_t ceiling_of_quotient(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

class ThreadPool {
 public:
  // 0 threads means one for each core. The caller's own thread is one of them.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // How many pools this process has made: what works in many small steps must share one.
  static std::uint64_t made();

  unsigned size() const { return static_cast<unsigned>(workers_.size()) + 1; }

  // Runs task(0) ... task(count - 1), each once. Must not be called from inside a task.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& task);

 private:
  void work(const std::function<void(std::size_t)>& task, std::size_t count);
  void worker_loop();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable idle_;
  const std::function<void(std::size_t)>* task_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_ = 0;
  // Written under the mutex, looked at without.
  std::atomic<std::size_t> busy_ = 0;
  std::atomic<std::uint64_t> generation_ = 0;
  bool stopping_ = false;
  std::exception_ptr failure_;
};

// For a piece of a longer work: what it reports as 0 to 1 the caller sees as `begin` to `end` of
// `stage`. Keeps a copy of the callback. Text of `stage` is not copied.
Execution part_of(const Execution& whole, std::string_view stage, double begin, double end);

// Turns finished steps, counted by any thread, into calls of Execution::progress, one at a time and
// at most some thirty a second. step() throws Error(cancelled) once the callback has said stop.
class ProgressMeter {
 public:
  ProgressMeter(const Execution& execution, std::string_view stage, std::size_t steps);
  void step(std::size_t count = 1);

  // Reports that all is done, however many steps it took.
  void finish();

 private:
  void report(double done);

  const Execution& execution_;
  std::string_view stage_;
  std::size_t steps_;
  std::atomic<std::size_t> finished_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::atomic<std::int64_t> next_report_ = 0;
  std::mutex reporting_;
};

}  // namespace noiseplus
