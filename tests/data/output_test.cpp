#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

namespace noiseplus {
namespace {

using testing_support::content_of;
using testing_support::TemporaryFolder;
using Codes = std::vector<std::int32_t>;
using Texts = std::vector<std::string>;

TEST(OutputFile, AppearsOnCommitAndReplacesTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old");
  {
    OutputFile output(path);
    output.write("new");
    EXPECT_EQ(content_of(path), "old");
    output.commit();
    EXPECT_EQ(content_of(path), "new");
  }
  EXPECT_EQ(folder.files(), 1U);
}

TEST(OutputFile, WithoutCommitNothingIsLeft) {
  const TemporaryFolder folder;
  { OutputFile(folder.file("out.txt")).write("half"); }
  EXPECT_EQ(folder.files(), 0U);
}

TEST(OutputFile, IsNotInPlaceWhileItIsStaged) {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old");
  {
    OutputFile output(path);
    output.write("new");
    output.stage();
    EXPECT_EQ(folder.files(), 2U) << "it has a name, so that commit only renames it";
    EXPECT_EQ(content_of(path), "old");
  }
  EXPECT_EQ(folder.files(), 1U);
  OutputFile output(path);
  output.write("new");
  output.stage();
  output.commit();
  EXPECT_EQ(content_of(path), "new");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(OutputFile, ALinkStaysALinkAndAnOldFileKeepsItsMode) {
  const TemporaryFolder folder;
  const std::string file = folder.write("real.txt", "old");
  std::filesystem::permissions(
      file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::create_symlink("real.txt", folder.file("link.txt"));
  OutputFile output(folder.file("link.txt"));
  output.write("new");
  output.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.txt")));
  EXPECT_EQ(content_of(file), "new");
  EXPECT_EQ(std::filesystem::status(file).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(OutputFile, StandardOutputByAnotherNameIsWrittenThrough) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("/proc/self/fd/1", folder.file("out"));
  testing::internal::CaptureStdout();
  {
    OutputFile output("/dev/stdout");
    output.write("through");
    output.commit();
  }
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "through");
  EXPECT_TRUE(std::filesystem::is_symlink("/dev/stdout"));
}

TEST(OutputFile, ANameAsLongAsTheSystemAllows) {
  const TemporaryFolder folder;
  const std::string path = folder.file(std::string(255, 'x'));
  OutputFile output(path);
  output.write("long");
  output.commit();
  EXPECT_EQ(content_of(path), "long");
}

// Runs `body` with a descriptor closed, in a process of its own. Its exit code.
template <typename Body>
int with_closed(int descriptor, const Body& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(descriptor);
    ::_exit(body());
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(OutputFile, NeverTakesAClosedStandardDescriptor) {
  const TemporaryFolder folder;
  for (const int descriptor : {0, 1, 2}) {
    const std::string path = folder.file(std::to_string(descriptor));
    const int code = with_closed(descriptor, [&] {
      OutputFile output(path);
      output.write("ours");
      const bool is_taken = ::write(descriptor, "theirs", 6) >= 0;
      output.commit();
      return is_taken ? 1 : 0;
    });
    EXPECT_EQ(code, 0);
    EXPECT_EQ(content_of(path), "ours");
  }
}

TEST(OutputFile, ALinkToNoFileYetStaysALink) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("new.txt", folder.file("link"));
  OutputFile output(folder.file("link"));
  output.write("new");
  EXPECT_EQ(folder.files(), 1U);
  output.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link")));
  EXPECT_EQ(content_of(folder.file("new.txt")), "new");
}

TEST(OutputFile, LinksInACircleAreAnError) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("b", folder.file("a"));
  std::filesystem::create_symlink("a", folder.file("b"));
  EXPECT_THROW(OutputFile(folder.file("a")), Error);
  EXPECT_EQ(folder.files(), 2U);
}

TEST(Formulas, AreEscapedAndNothingElse) {
  for (const char* formula :
       {"=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "-", "=", "--1"}) {
    EXPECT_EQ(escape_formula(formula), std::string("'") + formula);
  }
  for (const char* text : {"", "a", "a=1", "-1", "+1.5e3", "-inf", "1-1", "'=1", " =1"}) {
    EXPECT_EQ(escape_formula(text), text);
  }
}

TEST(OutputFile, WhatCannotBeWritten) {
  const TemporaryFolder folder;
  for (const std::string& path : {folder.file("no/such/folder"), std::string("/proc/nothing")}) {
    try {
      OutputFile output(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::io);
    }
  }
}

std::string table_with_column(const std::string& text, const std::vector<std::string_view>& cells) {
  const TemporaryFolder folder;
  const Table table = read_table(Bytes(text), "t", {});
  OutputFile output(folder.file("o.csv"));
  write_with_column(table, "new", cells, output);
  output.commit();
  return content_of(folder.file("o.csv"));
}

TEST(WriteTable, EveryByteStays) {
  EXPECT_EQ(table_with_column("\xef\xbb\xbf"
                              "a, b \r\n 1 ,\"x\"\"\r\ny\"\r\n\r\n2,\xff\r\n",
                              {"yes", "no"}),
            "\xef\xbb\xbf"
            "a, b ,new\r\n 1 ,\"x\"\"\r\ny\",yes\r\n\r\n2,\xff,no\r\n");
  EXPECT_EQ(table_with_column("a\n1\n2", {"x", "x"}), "a,new\n1,x\n2,x");
}

TEST(WriteTable, NewCellsAreQuotedWhereTheyMustBe) {
  EXPECT_EQ(table_with_column("a\n1\n2\n", {"x,y", "say \"hi\""}),
            "a,new\n1,\"x,y\"\n2,\"say \"\"hi\"\"\"\n");
}

std::string labels_file(const std::string& name, const Codes& codes, const Texts& classes) {
  const TemporaryFolder folder;
  OutputFile output(folder.file(name));
  write_labels("y", codes, classes, folder.file(name), output);
  output.commit();
  return content_of(folder.file(name));
}

TEST(WriteLabels, ReadBackInEveryFormat) {
  const Codes codes = {2, 0, 1, 1};
  for (const Texts& classes : {Texts{"0", "1", "7"}, Texts{"a", "naïve", "名前"}}) {
    for (const char* name : {"y.npy", "y.txt", "y-idx1-ubyte"}) {
      const bool is_idx = format_of(name) == Format::idx;
      if (is_idx && classes[0] != "0") continue;
      const Texts texts =
          read_label_texts(Bytes(labels_file(name, codes, classes)), name, format_of(name));
      EXPECT_EQ(texts, (Texts{classes[2], classes[0], classes[1], classes[1]})) << name;
    }
  }
  EXPECT_EQ(labels_file("y.csv", codes, {"0", "1", "a,b"}), "y\n\"a,b\"\n0\n1\n1\n");
}

TEST(WriteLabels, IdxHoldsBytesOnly) {
  EXPECT_THROW(labels_file("y.idx", {0}, {"300"}), Error);
  EXPECT_THROW(labels_file("y.idx", {0}, {"a"}), Error);
  EXPECT_THROW(labels_file("y.npz", {0}, {"a"}), Error);
}

TEST(WriteLabels, NpyHoldsLargeIntegersAndUtf8Only) {
  EXPECT_THROW(labels_file("y.npy", {0}, {"\xe9"}), Error);
  const std::string bytes = labels_file("y.npy", {0}, {"9223372036854775808"});
  EXPECT_EQ(read_label_texts(Bytes(bytes), "y.npy", Format::npy), (Texts{"9223372036854775808"}));
}

}  // namespace
}  // namespace noiseplus
