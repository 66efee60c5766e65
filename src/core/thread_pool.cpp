#include "core/thread_pool.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <system_error>

namespace noiseplus {
namespace {

std::int64_t now_in_milliseconds() {
  using std::chrono::steady_clock;
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             steady_clock::now().time_since_epoch())
      .count();
}

constexpr std::int64_t milliseconds_between_reports = 30;

std::atomic<std::uint64_t> pools_made = 0;

// Looks for a while before it goes to sleep: to be woken takes longer than a small task. At most
// some fifty microseconds, so that nobody is kept from a core he needs.
template <typename IsOver>
void look_for(const IsOver& is_over) {
  constexpr int max_looks = 1000;
  for (int look = 0; look < max_looks && !is_over(); ++look) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

}  // namespace

std::uint64_t ThreadPool::made() {
  return pools_made;
}

ThreadPool::ThreadPool(unsigned threads) {
  ++pools_made;
  // More would only wait for each other.
  constexpr unsigned max_threads = 256;
  if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
  threads = std::min(threads, max_threads);
  // The system may have no more threads or memory to give; fewer threads come to the same answer.
  // An exception from here would end the program: the workers that run already wait to be joined.
  try {
    workers_.reserve(threads - 1);
    for (unsigned i = 1; i < threads; ++i) workers_.emplace_back([this] { worker_loop(); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::for_each(std::size_t count, const std::function<void(std::size_t)>& task) {
  std::size_t lowest_failed = count;
  // Tasks start in order: when one fails, all lower ones have started, so none of their exceptions
  // is missed.
  const std::function<void(std::size_t)> watched = [&](std::size_t i) {
    try {
      task(i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (i < lowest_failed) failure_ = std::current_exception();
      lowest_failed = std::min(lowest_failed, i);
      next_ = count;
    }
  };
  {
    const std::lock_guard lock(mutex_);
    task_ = &watched;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    busy_ = workers_.size();
    ++generation_;
  }
  wake_.notify_all();
  work(watched, count);
  look_for([this] { return busy_ == 0; });
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return busy_ == 0; });
  task_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::work(const std::function<void(std::size_t)>& task, std::size_t count) {
  for (std::size_t i = next_++; i < count; i = next_++) task(i);
}

void ThreadPool::worker_loop() {
  std::uint64_t seen = 0;
  for (;;) {
    look_for([&] { return generation_ != seen; });
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [&] { return stopping_ || generation_ != seen; });
    if (stopping_) return;
    seen = generation_;
    const auto* task = task_;
    const std::size_t count = count_;
    lock.unlock();
    work(*task, count);
    lock.lock();
    if (--busy_ == 0) idle_.notify_all();
  }
}

ProgressMeter::ProgressMeter(const Execution& execution, std::string_view stage, std::size_t steps)
    : execution_(execution), stage_(stage), steps_(std::max<std::size_t>(steps, 1)) {
  if (execution_.progress) report(0);
}

void ProgressMeter::step(std::size_t count) {
  if (!execution_.progress) return;
  if (cancelled_) throw Error(ErrorKind::cancelled, "interrupted");
  const std::size_t finished = finished_ += count;
  if (finished != steps_ && now_in_milliseconds() < next_report_) return;
  const std::unique_lock lock(reporting_, std::try_to_lock);
  if (lock.owns_lock()) report(static_cast<double>(finished) / static_cast<double>(steps_));
}

void ProgressMeter::finish() {
  if (!execution_.progress) return;
  const std::lock_guard lock(reporting_);
  report(1);
}

void ProgressMeter::report(double done) {
  next_report_ = now_in_milliseconds() + milliseconds_between_reports;
  if (execution_.progress({stage_, std::min(done, 1.0)})) return;
  cancelled_ = true;
  throw Error(ErrorKind::cancelled, "interrupted");
}

Execution part_of(const Execution& whole, std::string_view stage, double begin, double end) {
  Execution part{whole.threads, {}};
  if (!whole.progress) return part;
  part.progress = [report = whole.progress, stage, begin, end](const Progress& progress) {
    return report({stage, begin + (end - begin) * progress.done});
  };
  return part;
}

}  // namespace noiseplus
