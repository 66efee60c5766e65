#include <gtest/gtest.h>
#include <zlib.h>

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
