#include <cmath>
#include <cstdint>
#include <limits>

#include "data/array_test_support.h"

namespace noiseplus {
namespace {

using namespace array_test;  // NOLINT

Rows read_rows(const std::string& file) {
  return rows_of(read_arrays(Bytes(file), "x.idx", Format::idx).features);
}

std::string error_for(const std::string& file) {
  return features_error(file, Format::idx, "x.idx");
}

// The layout of MNIST's train-images-idx3-ubyte: magic 0x00000803, sizes, then images row by row.
TEST(Idx, FlattensImages) {
  const std::string file =
      std::string("\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x02\x00\x00\x00\x03", 16) +
      "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\xff";
  EXPECT_EQ(read_rows(file), (Rows{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 255}}));
}

TEST(Idx, ReadsEveryType) {
  EXPECT_EQ(read_rows(idx_file(0x08, {2, 1}, "\x01\xff")), (Rows{{1}, {255}}));
  EXPECT_EQ(read_rows(idx_file(0x09, {2, 1}, "\x01\xff")), (Rows{{1}, {-1}}));
  EXPECT_EQ(read_rows(idx_file(0x0B, {1, 2}, big<std::int16_t>({258, -2}))), (Rows{{258, -2}}));
  EXPECT_EQ(read_rows(idx_file(0x0C, {1, 2}, big<std::int32_t>({65538, -2}))), (Rows{{65538, -2}}));
  EXPECT_EQ(read_rows(idx_file(0x0D, {1, 2}, big<float>({0.5F, -2}))), (Rows{{0.5F, -2}}));
  EXPECT_EQ(read_rows(idx_file(0x0E, {1, 2}, big<double>({0.5, -2}))), (Rows{{0.5F, -2}}));
}

TEST(Idx, ReadsOneDimensionAsOneColumn) {
  EXPECT_EQ(read_rows(idx_file(0x08, {3}, "\x01\x02\x03")), (Rows{{1}, {2}, {3}}));
}

TEST(Idx, KeepsNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(read_rows(idx_file(0x0D, {1}, big<float>({nan})))[0][0]));
}

TEST(IdxLabels, AreTexts) {
  const auto read = [](const std::string& file) {
    return read_label_texts(Bytes(file), "y.idx", Format::idx);
  };
  EXPECT_EQ(read(idx_file(0x08, {3}, "\x05\x09\xc8")), (Texts{"5", "9", "200"}));
  EXPECT_EQ(read(idx_file(0x0E, {2}, big<double>({3, 0.25}))), (Texts{"3", "0.25"}));
}

TEST(IdxLabels, RefusesMoreThanOneARow) {
  EXPECT_EQ(labels_error(idx_file(0x08, {1, 2}, "ab"), Format::idx, "y.idx"),
            "y.idx: labels need one value a row, but the array is 1 x 2 uint8; save it with one "
            "dimension");
}

TEST(IdxErrors, RefusesInfinity) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(error_for(idx_file(0x0D, {2, 2}, big<float>({1, 2, 3, infinity}))),
            "x.idx: row 2, column 2 is infinite; replace it by a number, or by NaN when it is "
            "missing");
}

TEST(IdxErrors, RefusesWhatIsNoIdxFile) {
  const std::string expected =
      "x.idx: is not an idx file: it does not begin with two zero bytes, a type and a number of "
      "dimensions; check the file and its format";
  EXPECT_EQ(error_for(""), expected);
  EXPECT_EQ(error_for(std::string("\0\0\x08", 3)), expected);
  EXPECT_EQ(error_for(std::string("\0\x01\x08\x01", 4)), expected);
  EXPECT_EQ(error_for("\x1f\x8b\x08\x01"), expected);
}

TEST(IdxErrors, RefusesUnknownTypes) {
  for (const char type : {0x00, 0x07, 0x0A, 0x0F}) {
    EXPECT_EQ(error_for(idx_file(type, {1}, "a")),
              "x.idx: byte 3 of the idx header is " + std::to_string(type) +
                  ", which names no element type (8, 9, 11, 12, 13 or 14); check the file and its "
                  "format");
  }
}

TEST(IdxErrors, RefusesSizesThatAreCutShort) {
  EXPECT_EQ(error_for(std::string("\0\0\x08\x02\0\0\0\x01\0\0\0", 11)),
            "x.idx: the file ends inside the sizes of its 2 dimensions; it was cut short, copy it "
            "again");
  EXPECT_EQ(
      error_for(std::string("\0\0\x08\xff", 4)),
      "x.idx: the file ends inside the sizes of its 255 dimensions; it was cut short, copy it "
      "again");
}

TEST(IdxErrors, RefusesDataOfAnotherLength) {
  EXPECT_EQ(error_for(idx_file(0x0C, {10, 5}, std::string(199, '\0'))),
            "x.idx: the header says 10 x 5 int32 (200 bytes) but the file holds 199; it was cut "
            "short, copy it again");
  EXPECT_EQ(error_for(idx_file(0x08, {2}, "abc")),
            "x.idx: the header says 2 uint8 (2 bytes) but the file holds 3; save one array and "
            "nothing else in the file");
}

TEST(IdxErrors, RefusesSizesThatOverflow) {
  EXPECT_EQ(error_for(idx_file(0x08, {~0U, ~0U, ~0U}, "")),
            "x.idx: the header says 4294967295 x 4294967295 x 4294967295 uint8, more than any file "
            "can hold; it is damaged, copy the file again");
}

TEST(IdxErrors, RefusesArraysWithoutRowsColumnsOrDimensions) {
  EXPECT_EQ(error_for(idx_file(0x08, {0, 3}, "")),
            "x.idx: the array has no rows (0 x 3 uint8); check how it was saved");
  EXPECT_EQ(error_for(idx_file(0x08, {3, 0}, "")),
            "x.idx: the array has no columns (3 x 0 uint8); check how it was saved");
  EXPECT_EQ(error_for(idx_file(0x08, {}, "a")),
            "x.idx: holds a single value without dimensions; save an array with one row for each "
            "example");
}

}  // namespace
}  // namespace noiseplus
