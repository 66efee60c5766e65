// The codes that scripts rely on, one for each way to end. tests/cli/*.py meet all but the bug's in
// the program itself.
#include "../../cli/exit_code.h"

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "noiseplus/core.h"

namespace noiseplus::cli {
namespace {

template <typename Exception>
int code_after(const Exception& exception) {
  return guarded([&]() -> int { throw exception; });
}

TEST(ExitCode, OneForEachWayToEnd) {
  EXPECT_EQ(guarded([] { return 0; }), 0);
  EXPECT_EQ(code_after(std::logic_error("a bug")), 1);
  EXPECT_EQ(code_after(Error(ErrorKind::usage, "x")), 2);
  EXPECT_EQ(code_after(Error(ErrorKind::data, "x")), 3);
  EXPECT_EQ(code_after(std::bad_alloc()), 3);
  EXPECT_EQ(code_after(Error(ErrorKind::impossible, "x")), 4);
  EXPECT_EQ(code_after(Error(ErrorKind::io, "x")), 5);
  EXPECT_EQ(code_after(Error(ErrorKind::cancelled, "x")), 130);
}

TEST(ExitCode, AMessageIsOneLine) {
  testing::internal::CaptureStderr();
  fail("two\nlines\x1b[31m", bad_data);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "noiseplus: two lines [31m\n");
}

}  // namespace
}  // namespace noiseplus::cli
