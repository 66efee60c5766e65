#include "core/thread_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <numeric>

namespace noiseplus {
namespace {

TEST(ThreadPool, RunsEachTaskOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (int round = 0; round < 50; ++round) {
      std::vector<int> runs(round);
      pool.for_each(runs.size(), [&](std::size_t i) { ++runs[i]; });
      for (const int count : runs) ASSERT_EQ(count, 1);
    }
  }
}

TEST(ThreadPool, ManyThreadsComeAndGo) {
  for (int round = 0; round < 5; ++round) {
    ThreadPool pool(64);
    std::atomic<int> runs = 0;
    pool.for_each(100, [&](std::size_t) { ++runs; });
    EXPECT_EQ(runs, 100);
  }
}

TEST(ThreadPool, RethrowsOneErrorAndStaysUsable) {
  ThreadPool pool(3);
  const auto fails = [](std::size_t i) {
    if (i == 5) throw Error(ErrorKind::data, "five");
  };
  EXPECT_THROW(pool.for_each(100, fails), Error);
  std::atomic<int> runs = 0;
  pool.for_each(10, [&](std::size_t) { ++runs; });
  EXPECT_EQ(runs, 10);
}

// Task 0 fails after task 1 has: whoever takes the first failure in time names the wrong one.
TEST(ThreadPool, RethrowsTheErrorOfTheLowestTask) {
  ThreadPool pool(4);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> failed = 0;
    const auto fails = [&](std::size_t i) {
      const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(5);
      while (i == 0 && failed == 0 && std::chrono::steady_clock::now() < patience) {
        std::this_thread::yield();
      }
      ++failed;
      throw Error(ErrorKind::data, "task " + std::to_string(i));
    };
    try {
      pool.for_each(100, fails);
      FAIL() << "no error";
    } catch (const Error& error) {
      ASSERT_STREQ(error.what(), "task 0");
    }
  }
}

TEST(ProgressMeter, ReportsAndStops) {
  std::vector<double> reported;
  Execution execution;
  execution.progress = [&](const Progress& progress) {
    EXPECT_EQ(progress.stage, "work");
    reported.push_back(progress.done);
    return true;
  };
  ProgressMeter meter(execution, "work", 4);
  for (int i = 0; i < 4; ++i) meter.step();
  ASSERT_GE(reported.size(), 2U);
  EXPECT_EQ(reported.front(), 0);
  EXPECT_EQ(reported.back(), 1);
}

TEST(ProgressMeter, ThrowsCancelledInEveryThread) {
  std::atomic<bool> stop = false;
  Execution execution;
  execution.progress = [&](const Progress&) { return !stop; };
  ProgressMeter meter(execution, "work", 1000000);
  ThreadPool pool(2);
  stop = true;
  try {
    pool.for_each(2, [&](std::size_t) {
      for (;;) meter.step();
    });
    FAIL() << "was not cancelled";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace noiseplus
