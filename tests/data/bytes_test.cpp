#include <fcntl.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <limits>
#include <thread>

#include "data/memory_limit.h"
#include "support.h"

namespace noiseplus {
namespace {

using testing_support::content_of;
using testing_support::TemporaryFolder;

std::string packed(const std::string& text, const TemporaryFolder& folder) {
  const std::string path = folder.file("packed.gz");
  OutputFile output(path);
  output.write(text);
  output.commit();
  return content_of(path);
}

ErrorKind kind_of_error(const std::string& path) {
  try {
    Bytes::read(path);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::cancelled;
}

TEST(Bytes, ReadsPlainEmptyAndPackedFiles) {
  const TemporaryFolder folder;
  EXPECT_EQ(Bytes::read(folder.write("plain", "hello")).view(), "hello");
  EXPECT_EQ(Bytes::read(folder.write("empty", "")).view(), "");
  std::string large;
  for (std::uint32_t i = 0; i < 500000; ++i) large += std::to_string(i * 7919U);
  EXPECT_EQ(Bytes::read(folder.write("a.gz", packed(large, folder))).view(), large);
  const std::string two_members = packed("one ", folder) + packed("two", folder);
  EXPECT_EQ(Bytes::read(folder.write("b.gz", two_members)).view(), "one two");
}

TEST(Bytes, KeepTheirContentWhenMoved) {
  Bytes short_text(std::string("abc"));
  const Bytes moved = std::move(short_text);
  EXPECT_EQ(moved.view(), "abc");
  const TemporaryFolder folder;
  Bytes file = Bytes::read(folder.write("f", "mapped"));
  Bytes other(std::string("x"));
  other = std::move(file);
  EXPECT_EQ(other.view(), "mapped");
}

TEST(Bytes, DamagedGzip) {
  const TemporaryFolder folder;
  const std::string good = packed(std::string(10000, 'x') + "end", folder);
  EXPECT_EQ(kind_of_error(folder.write("cut.gz", good.substr(0, good.size() - 9))),
            ErrorKind::data);
  EXPECT_EQ(kind_of_error(folder.write("two.gz", good.substr(0, 2))), ErrorKind::data);
  std::string flipped = good;
  flipped[good.size() - 6] = static_cast<char>(flipped[good.size() - 6] ^ 1);  // in the checksum
  EXPECT_EQ(kind_of_error(folder.write("flip.gz", flipped)), ErrorKind::data);
  EXPECT_EQ(kind_of_error(folder.write("tail.gz", good + "garbage")), ErrorKind::data);
}

TEST(Bytes, WhatCannotBeRead) {
  const TemporaryFolder folder;
  EXPECT_EQ(kind_of_error(folder.file("nothing")), ErrorKind::io);
  EXPECT_EQ(kind_of_error(folder.file(".")), ErrorKind::io);
}

// A pipe with a slow writer, and signals without SA_RESTART meanwhile.
class InterruptedRead {
 public:
  InterruptedRead() : path_(folder_.file("pipe")) {
    EXPECT_EQ(::mkfifo(path_.c_str(), 0600), 0);
    struct sigaction action {};
    action.sa_handler = [](int) {};
    ::sigaction(SIGUSR1, &action, &previous_);
    on_closed_pipe_ = std::signal(SIGPIPE, SIG_IGN);
  }
  ~InterruptedRead() {
    ::sigaction(SIGUSR1, &previous_, nullptr);
    std::signal(SIGPIPE, on_closed_pipe_);
  }
  InterruptedRead(const InterruptedRead&) = delete;
  InterruptedRead& operator=(const InterruptedRead&) = delete;

  std::string run(const Execution& execution) {
    const pthread_t reader = ::pthread_self();
    std::atomic<bool> ends = false;
    std::thread writer([&] {
      const auto interrupt = [&] {
        for (int i = 0; i < 10 && !ends; ++i) {
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          ::pthread_kill(reader, SIGUSR1);
        }
      };
      interrupt();  // while it waits for a writer
      std::ofstream pipe(path_);
      interrupt();  // while it waits for bytes
      pipe << "slow" << std::flush;
      interrupt();
      pipe << " writer";
    });
    std::string text;
    try {
      text = Bytes::read(path_, execution).view();
    } catch (const Error& error) {
      text = error.kind() == ErrorKind::cancelled ? "cancelled" : error.what();
    }
    ends = true;
    // Whoever still waits to open the pipe for writing may do so, and end.
    const int both_ends = ::open(path_.c_str(), O_RDWR | O_NONBLOCK);
    writer.join();
    ::close(both_ends);
    return text;
  }

 private:
  TemporaryFolder folder_;
  std::string path_;
  struct sigaction previous_ {};
  void (*on_closed_pipe_)(int) = SIG_DFL;
};

TEST(Bytes, ASignalThatNobodyWantsToStopByDoesNotStop) {
  EXPECT_EQ(InterruptedRead().run({}), "slow writer");
  int asked = 0;
  Execution patient;
  patient.progress = [&](const Progress&) { return ++asked > 0; };
  EXPECT_EQ(InterruptedRead().run(patient), "slow writer");
  EXPECT_GT(asked, 5) << "whoever waits is asked a few times a second";
}

TEST(Bytes, TheProgressCallbackStopsAReadThatWaits) {
  int asked = 0;
  Execution impatient;
  impatient.progress = [&](const Progress&) { return ++asked < 4; };
  EXPECT_EQ(InterruptedRead().run(impatient), "cancelled");
}

// Nobody ever writes to the pipe, and no signal interrupts the wait.
TEST(Bytes, TheProgressCallbackStopsTheWaitForAWriter) {
  const TemporaryFolder folder;
  const std::string path = folder.file("pipe");
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::atomic<bool> has_ended = false;
  std::thread rescue([&] {  // a test that fails shall not hang
    for (int i = 0; i < 100 && !has_ended; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    ::close(::open(path.c_str(), O_RDWR | O_NONBLOCK));
  });
  int asked = 0;
  Execution impatient;
  impatient.progress = [&](const Progress&) { return ++asked < 4; };
  try {
    Bytes::read(path, impatient);
    ADD_FAILURE() << "read a pipe without a writer";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  has_ended = true;
  rescue.join();
}

TEST(Bytes, AreTheSameAtAnyNumberOfThreads) {
  const TemporaryFolder folder;
  const std::string path = folder.write("sparse", "begin");
  constexpr std::size_t size = (std::size_t{40} << 20) + 7;  // files from 32 MiB on use threads
  ASSERT_EQ(::truncate(path.c_str(), static_cast<off_t>(size)), 0);
  std::string expected(size, '\0');
  expected.replace(0, 5, "begin");
  std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
  for (std::size_t at = 3'000'017; at + 8 < size; at += 3'000'017) {
    const std::string mark = std::to_string(at);
    file.seekp(static_cast<std::streamoff>(at)) << mark;
    expected.replace(at, mark.size(), mark);
  }
  file.close();
  for (const unsigned threads : {1U, 4U}) {
    EXPECT_TRUE(Bytes::read(path, {threads, {}}).view() == expected) << threads << " threads";
  }
}

// In kB, of /proc/self/status.
std::int64_t memory_in_status(const std::string& field) {
  std::ifstream lines("/proc/self/status");
  for (std::string word; lines >> word;) {
    std::int64_t value = 0;
    if (word == field + ':' && lines >> value) return value;
  }
  return -1;
}

TEST(Bytes, UnpackInNoMoreMemoryThanTheLimit) {
  const TemporaryFolder folder;
  const std::string path =
      folder.write("a.gz", packed(std::string(std::size_t{64} << 20, 'x'), folder));
  constexpr std::int64_t limit = std::int64_t{34} << 20;
  if (!(std::ofstream("/proc/self/clear_refs") << 5 << std::flush)) {
    GTEST_SKIP() << "this system cannot measure the peak anew";
  }
  const std::int64_t before = memory_in_status("VmRSS");
  EXPECT_THROW(Bytes::read(path, {}, limit), Error);
  const std::int64_t taken = memory_in_status("VmHWM") - before;
  EXPECT_GT(taken, 0);
  EXPECT_LT(taken * 1024, limit + limit / 4);
}

TEST(Bytes, UnpackToNothing) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.gz", packed("", folder));
  EXPECT_EQ(Bytes::read(path, {}, 0).view(), "");
}

TEST(Bytes, UnpackNoFurtherThanTheyMay) {
  const TemporaryFolder folder;
  const std::string text(100000, 'x');
  const std::string path = folder.write("a.gz", packed(text, folder));
  EXPECT_EQ(Bytes::read(path, {}, text.size()).size(), text.size());
  EXPECT_EQ(Bytes::read(path).stored_size(), content_of(path).size());
  try {
    Bytes::read(path, {}, text.size() - 1);
    FAIL() << "unpacked further";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    EXPECT_NE(std::string(error.what()).find("100 kB, the limit --max-unpacked"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(Bytes::read(folder.write("plain", text), {}, 10).size(), text.size());
}

TEST(Bytes, TheUsualLimitGrowsWithTheFileAndEndsWithTheMemory) {
  constexpr std::uint64_t floor = std::uint64_t{256} << 20;
  EXPECT_LE(default_max_unpacked(0), floor);
  EXPECT_EQ(default_max_unpacked(1000), default_max_unpacked(0));
  EXPECT_LE(default_max_unpacked(10 * floor), 1000 * floor);
  const std::uint64_t max = default_max_unpacked(std::numeric_limits<std::uint64_t>::max());
  EXPECT_LT(max, std::uint64_t{1} << 50) << "half of the memory";
  EXPECT_GE(max, default_max_unpacked(10000000));
}

TEST(MemoryLimit, IsTheLeastOfTheControlGroupsAboveTheProcess) {
  const TemporaryFolder folder;
  const std::string root = folder.file("cgroup");
  const auto set = [&](const std::string& group, const std::string& file, const char* limit) {
    std::filesystem::create_directories(root + group);
    std::ofstream(root + group + '/' + file) << limit << '\n';
  };
  const auto limit_of = [&](const std::string& lines) {
    return control_group_limit(folder.write("membership", lines), root);
  };
  constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();
  set("", "memory.max", "max");
  set("/a", "memory.max", "3000");
  set("/a/b", "memory.max", "max");
  set("/a/c", "memory.max", "2000");
  set("/memory/x", "memory.limit_in_bytes", "1000");
  EXPECT_EQ(limit_of("0::/a/b\n"), 3000U);
  EXPECT_EQ(limit_of("0::/a/c\n"), 2000U);
  EXPECT_EQ(limit_of("0::/a/not/seen/from/here\n"), 3000U);
  EXPECT_EQ(limit_of("0::/\n"), none);
  EXPECT_EQ(limit_of("5:cpu,cpuacct:/x\n4:memory:/x/y\n0::/\n"), 1000U);
  EXPECT_EQ(limit_of("no groups\n::\n"), none);
  EXPECT_EQ(control_group_limit(folder.file("nothing"), root), none);
  set("", "memory.max", "500");
  EXPECT_EQ(limit_of("0::/a/c\n"), 500U);
}

TEST(Format, ByTheNamesEnding) {
  EXPECT_EQ(format_of("a.csv"), Format::csv);
  EXPECT_EQ(format_of("a.CSV.GZ"), Format::csv);
  EXPECT_EQ(format_of("a.tsv.gz"), Format::tsv);
  EXPECT_EQ(format_of("x/a.npy"), Format::npy);
  EXPECT_EQ(format_of("a.npz"), Format::npz);
  EXPECT_EQ(format_of("train-images-idx3-ubyte.gz"), Format::idx);
  EXPECT_EQ(format_of("a.svmlight"), Format::libsvm);
  EXPECT_EQ(format_of("-"), Format::csv);
}

TEST(ClassMemory, IsAskedForAndNamed) {
  EXPECT_GT(process_memory(), 0U);
  EXPECT_GT(class_memory(1000, 20), class_memory(1000, 10));
  EXPECT_GT(class_memory(2000, 10), class_memory(1000, 10));
  const auto needed = static_cast<std::uint64_t>(class_memory(1000, 5000));
  EXPECT_NO_THROW(check_class_memory("the label", 1000, 5000, needed + 1));
  try {
    check_class_memory("t.csv: the label 'y'", 1000, 5000, needed - 1);
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data);
    const std::string message = error.what();
    EXPECT_TRUE(
        message.starts_with("t.csv: the label 'y' has 5000 classes, which need about 2.5 GB"))
        << message;
  }
}

}  // namespace
}  // namespace noiseplus
