#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "support.h"

namespace noiseplus {
namespace {

using testing_support::TemporaryFolder;

constexpr std::size_t large = 1 << 20;

std::string message_of(const Bytes& bytes) {
  try {
    bytes.throw_if_changed();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    return error.what();
  }
  return "";
}

TEST(MappedFiles, ACutFileReadsAsZerosAndIsAnError) {
  guard_mapped_files();
  const TemporaryFolder folder;
  const std::string path = folder.write("f", std::string(large, 'x'));
  const Bytes bytes = Bytes::map(path);
  EXPECT_EQ(bytes.view().back(), 'x');
  EXPECT_EQ(message_of(bytes), "");
  ASSERT_EQ(::truncate(path.c_str(), 5000), 0);
  EXPECT_EQ(bytes.view()[4999], 'x');
  EXPECT_EQ(bytes.view()[large / 2], '\0');
  EXPECT_EQ(bytes.view().back(), '\0');
  EXPECT_TRUE(message_of(bytes).starts_with(path + ": changed while it was read"));
  EXPECT_EQ(cut_mapped_file(), path);
}

TEST(MappedFiles, CutWhileManyThreadsRead) {
  guard_mapped_files();
  const TemporaryFolder folder;
  const std::string path = folder.write("f", std::string(large, 'x'));
  const Bytes bytes = Bytes::map(path);
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> sum = 0;
  std::vector<std::thread> readers;
  for (int i = 0; i < 4; ++i) {
    readers.emplace_back([&] {
      while (!stop) {
        for (const char c : bytes.view()) sum += static_cast<unsigned char>(c);
      }
    });
  }
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  stop = true;
  for (std::thread& reader : readers) reader.join();
  EXPECT_NE(message_of(bytes), "");
}

TEST(MappedFiles, AFileThatIsWrittenToIsAnErrorToo) {
  guard_mapped_files();
  const TemporaryFolder folder;
  const std::string path = folder.write("f", std::string(large, 'x'));
  const Bytes bytes = Bytes::map(path);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the clock of file times is coarse
  folder.write("f", std::string(large, 'y'));
  EXPECT_NE(message_of(bytes), "");
}

TEST(MappedFiles, MovedBytesAreStillGuarded) {
  guard_mapped_files();
  const TemporaryFolder folder;
  const std::string path = folder.write("f", std::string(large, 'x'));
  Bytes bytes = Bytes::map(path);
  const Bytes moved = std::move(bytes);
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  EXPECT_EQ(moved.view()[0], '\0');
  EXPECT_NE(message_of(moved), "");
}

TEST(MappedFiles, MoreThanTheHandlerCanLookThroughAreRead) {
  guard_mapped_files();
  const TemporaryFolder folder;
  const std::string path = folder.write("f", std::string(100, 'x'));
  std::vector<Bytes> all;
  for (int i = 0; i < 100; ++i) all.push_back(Bytes::map(path));
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  EXPECT_NE(message_of(all.front()), "");
  EXPECT_EQ(message_of(all.back()), "");
  EXPECT_EQ(all.back().view(), std::string(100, 'x'));
  all.clear();
  const std::string other = folder.write("g", "mapped");
  const Bytes mapped = Bytes::map(other);
  ASSERT_EQ(::truncate(other.c_str(), 0), 0);
  EXPECT_NE(message_of(mapped), "") << "its place is free again";
}

TEST(MappedFiles, AFileThatIsReadDoesNotChange) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f", std::string(large, 'x'));
  const Bytes bytes = Bytes::read(path);
  ASSERT_EQ(::truncate(path.c_str(), 0), 0);
  EXPECT_EQ(bytes.view(), std::string(large, 'x'));
  EXPECT_EQ(message_of(bytes), "");
}

TEST(MappedFiles, CutWhileItIsReadIsAnError) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f", std::string(large, 'x'));
  int calls = 0;
  Execution execution;
  // The second report is the one before the first byte; by then the size is known.
  execution.progress = [&](const Progress&) {
    if (++calls == 2) {
      EXPECT_EQ(::truncate(path.c_str(), 1000), 0);
    }
    return true;
  };
  try {
    Bytes::read(path, execution);
    FAIL() << "read a file that was cut";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::io);
    EXPECT_TRUE(std::string(error.what()).starts_with(path + ": changed while it was read"));
  }
}

TEST(MappedFilesDeathTest, ABusErrorFromElsewhereEndsTheProcess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        guard_mapped_files();
        ::raise(SIGBUS);
      },
      "");
}

}  // namespace
}  // namespace noiseplus
