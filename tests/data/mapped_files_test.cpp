#include "data/mapped_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
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
  EXPECT_EQ(cut_mapped_file(), path);
  EXPECT_TRUE(message_of(bytes).starts_with(path + ": changed while it was read"));
  EXPECT_EQ(cut_mapped_file(), "") << "the error was thrown";
  EXPECT_NE(message_of(bytes), "") << "what is computed from these bytes stays worthless";
}

TEST(MappedFiles, ACutIsAnErrorOnceAlsoAfterTheBytesAreGone) {
  guard_mapped_files();
  const TemporaryFolder folder;
  for (const char* name : {"f", "g"}) {
    const std::string path = folder.write(name, std::string(large, 'x'));
    {
      const Bytes bytes = Bytes::map(path);
      ASSERT_EQ(::truncate(path.c_str(), 0), 0);
      EXPECT_EQ(bytes.view()[0], '\0');
    }
    EXPECT_EQ(cut_mapped_file(), path);
    try {
      throw_if_mapped_file_was_cut();
      ADD_FAILURE() << "the file was cut";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
      EXPECT_TRUE(std::string(error.what()).starts_with(path + ": changed while it was read"));
    }
    EXPECT_EQ(cut_mapped_file(), "");
    throw_if_mapped_file_was_cut();
  }
}

// Mappings above a cut file are registered and released while the handler patches it. A range made
// of an old begin and a new end would have it patch the page between them.
TEST(MappedFiles, TheHandlerNeverTouchesMemoryBetweenMappings) {
  guard_mapped_files();
  const TemporaryFolder folder;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  constexpr std::size_t pages = 64;
  void* const area =
      ::mmap(nullptr, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(area, MAP_FAILED);
  char* const low = static_cast<char*>(area);
  char* const high = low + 32 * page;
  volatile char* const between = low + 16 * page;
  *between = 42;
  const int empty = ::open(folder.write("empty", "").c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_GE(empty, 0);
  // The handler looks at the first places first, so these are the ones that change.
  std::vector<std::size_t> others;
  const auto guard_others = [&] {
    for (int i = 0; i < 16; ++i) others.push_back(guard_mapping(high, page, "high").value());
  };
  const auto release_others = [&] {
    for (const std::size_t guarded : others) release_mapping(guarded);
    others.clear();
  };
  guard_others();
  const std::size_t guarded = guard_mapping(low, page, "low").value();
  release_others();
  std::atomic<bool> stop = false;
  std::thread changing([&] {
    while (!stop) {
      guard_others();
      release_others();
    }
  });
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(500);
  while (*between == 42 && std::chrono::steady_clock::now() < until) {
    ::mmap(low, page, PROT_READ, MAP_FIXED | MAP_PRIVATE, empty, 0);
    EXPECT_EQ(*static_cast<volatile char*>(low), 0);
  }
  stop = true;
  changing.join();
  EXPECT_EQ(*between, 42);
  tell_mapping_cut(guarded);
  release_mapping(guarded);
  ::close(empty);
  ::munmap(area, pages * page);
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

// A signal goes where it would have gone without guard_mapped_files(). Each test is a process of
// its own, in which nobody has installed the handler yet.
class MappedFilesDeathTest : public testing::Test {
 protected:
  MappedFilesDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void handle_by(void (*handler)(int, siginfo_t*, void*), int flags) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | flags;
  sigaddset(&action.sa_mask, SIGUSR1);
  ::sigaction(SIGBUS, &action, nullptr);
}

volatile char* faulting_page = nullptr;

// Reads behind the end of a mapped file that is none of ours.
void fault() {
  const TemporaryFolder folder;
  const int empty = ::open(folder.write("empty", "").c_str(), O_RDONLY | O_CLOEXEC);
  std::filesystem::remove(folder.file("empty"));
  faulting_page = static_cast<char*>(::mmap(nullptr, 1, PROT_READ, MAP_PRIVATE, empty, 0));
  ::alarm(20);  // a handler that only returns would be called forever
  static_cast<void>(*faulting_page);
}

TEST_F(MappedFilesDeathTest, ASignalThatNobodyHandlesEndsTheProcess) {
  const auto end = [](void (*signal)()) {
    std::signal(SIGBUS, SIG_DFL);
    guard_mapped_files();
    signal();
    ::_exit(0);
  };
  EXPECT_EXIT(end([] { ::raise(SIGBUS); }), testing::KilledBySignal(SIGBUS), "");
  EXPECT_EXIT(end(fault), testing::KilledBySignal(SIGBUS), "");
}

TEST_F(MappedFilesDeathTest, AnIgnoredSignalIsIgnoredButAFaultIsNot) {
  const auto end = [](void (*signal)()) {
    std::signal(SIGBUS, SIG_IGN);
    guard_mapped_files();
    signal();
    ::_exit(9);
  };
  EXPECT_EXIT(end([] { ::raise(SIGBUS); }), testing::ExitedWithCode(9), "");
  EXPECT_EXIT(end(fault), testing::KilledBySignal(SIGBUS), "");
}

TEST_F(MappedFilesDeathTest, APlainHandlerIsCalled) {
  const auto end = [](void (*signal)()) {
    std::signal(SIGBUS, [](int number) { ::_exit(number == SIGBUS ? 7 : 1); });
    guard_mapped_files();
    signal();
    ::_exit(0);
  };
  EXPECT_EXIT(end([] { ::raise(SIGBUS); }), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(end(fault), testing::ExitedWithCode(7), "");
}

TEST_F(MappedFilesDeathTest, AHandlerWithInformationIsCalledWithItsMask) {
  const auto end = [] {
    const auto handler = [](int, siginfo_t* info, void*) {
      sigset_t blocked{};
      ::pthread_sigmask(SIG_BLOCK, nullptr, &blocked);
      const bool is_right = info->si_addr == const_cast<char*>(faulting_page);
      ::_exit(is_right && sigismember(&blocked, SIGUSR1) == 1 ? 8 : 1);
    };
    handle_by(handler, 0);
    guard_mapped_files();
    fault();
    ::_exit(0);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(8), "");
}

TEST_F(MappedFilesDeathTest, AHandlerForOneSignalIsCalledOnce) {
  const auto end = [] {
    handle_by([](int, siginfo_t*, void*) {}, static_cast<int>(SA_RESETHAND));
    guard_mapped_files();
    fault();
    ::_exit(0);
  };
  EXPECT_EXIT(end(), testing::KilledBySignal(SIGBUS), "");
}

}  // namespace
}  // namespace noiseplus
