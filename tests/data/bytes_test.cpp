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
    EXPECT_NE(std::string(error.what()).find("100 kB, the limit max-unpacked"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(Bytes::read(folder.write("plain", text), {}, 10).size(), text.size());
}

TEST(Bytes, TheUsualLimitGrowsWithTheFileAndEndsWithTheMemory) {
  constexpr std::uint64_t floor = std::uint64_t{256} << 20;
  EXPECT_LE(default_max_unpacked(0), floor);
  EXPECT_EQ(default_max_unpacked(1000), default_max_unpacked(0));
  EXPECT_LE(default_max_unpacked(10 * floor), 1000 * floor);
  const std::uint64_t most = default_max_unpacked(std::numeric_limits<std::uint64_t>::max());
  EXPECT_LT(most, std::uint64_t{1} << 50) << "half of the memory";
  EXPECT_GE(most, default_max_unpacked(10000000));
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

}  // namespace
}  // namespace noiseplus
