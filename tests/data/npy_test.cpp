#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>

#include "data/array_test_support.h"
#include "data/raw_array.h"

namespace noiseplus {
namespace {

using namespace array_test;  // NOLINT

Texts read_texts(const std::string& file) {
  return read_label_texts(Bytes(file), "y.npy", Format::npy);
}

// ------------------------------------------------------------------------------ what can be read

// Written by numpy 1.24: numpy.save(f, numpy.arange(6, dtype='<f4').reshape(2, 3) + 0.5)
TEST(Npy, ReadsAFileThatNumpyWrote) {
  const std::string file =
      std::string("\x93NUMPY\x01\x00v\x00", 10) +
      "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }" + std::string(58, ' ') + "\n" +
      std::string("\x00\x00\x00?\x00\x00\xc0?\x00\x00 @\x00\x00`@\x00\x00\x90@\x00\x00\xb0@", 24);
  EXPECT_EQ(read_npy_rows(file), (Rows{{0.5F, 1.5F, 2.5F}, {3.5F, 4.5F, 5.5F}}));
}

// Written by numpy 1.24 from numpy.asfortranarray(numpy.arange(24, dtype='>i2').reshape(2, 3, 4))
TEST(Npy, FlattensFortranOrderOfThreeDimensionsAsNumpyReshapes) {
  const std::string file =
      npy_file(">i2", "(2, 3, 4)",
               std::string("\x00\x00\x00\x0c\x00\x04\x00\x10\x00\x08\x00\x14\x00\x01\x00\r\x00\x05"
                           "\x00\x11\x00\t\x00\x15\x00\x02\x00\x0e\x00\x06\x00\x12\x00\n\x00\x16"
                           "\x00\x03\x00\x0f\x00\x07\x00\x13\x00\x0b\x00\x17",
                           48),
               true);
  EXPECT_EQ(read_npy_rows(file), (Rows{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11},
                                       {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23}}));
}

TEST(Npy, ReadsFortranOrderOfOneDimension) {
  EXPECT_EQ(read_npy_rows(npy_file("<f4", "(3,)", little<float>({1, 2, 3}), true)),
            (Rows{{1}, {2}, {3}}));
}

TEST(Npy, ReadsFortranOrderOfMoreRowsThanABlock) {
  std::string data;
  for (int column = 0; column < 2; ++column) {
    for (int row = 0; row < 150; ++row) data += little<std::int32_t>({1000 * column + row});
  }
  const Rows rows = read_npy_rows(npy_file("<i4", "(150, 2)", data, true));
  ASSERT_EQ(rows.size(), 150U);
  for (int row = 0; row < 150; ++row) {
    const auto expected = static_cast<float>(row);
    EXPECT_EQ(rows[static_cast<std::size_t>(row)], (std::vector<float>{expected, 1000 + expected}));
  }
}

TEST(Npy, ReadsEveryNumberTypeInBothByteOrders) {
  const Rows expected = {{1}, {-2}};
  EXPECT_EQ(read_npy_rows(npy_file("|i1", "(2,)", little<std::int8_t>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file("<i2", "(2,)", little<std::int16_t>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file(">i2", "(2,)", big<std::int16_t>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file("<i4", "(2,)", little<std::int32_t>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file(">i4", "(2,)", big<std::int32_t>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file("<i8", "(2,)", little<std::int64_t>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file(">i8", "(2,)", big<std::int64_t>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file("<f4", "(2,)", little<float>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file(">f4", "(2,)", big<float>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file("=f4", "(2,)", little<float>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file("<f8", "(2,)", little<double>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file(">f8", "(2,)", big<double>({1, -2}))), expected);
  EXPECT_EQ(read_npy_rows(npy_file("<f2", "(2,)", little<std::uint16_t>({0x3c00, 0xc000}))),
            expected);
  EXPECT_EQ(read_npy_rows(npy_file(">f2", "(2,)", big<std::uint16_t>({0x3c00, 0xc000}))), expected);
}

TEST(Npy, ReadsUnsignedNumbersAndBooleans) {
  EXPECT_EQ(read_npy_rows(npy_file("|u1", "(2,)", "\x01\xff")), (Rows{{1}, {255}}));
  EXPECT_EQ(read_npy_rows(npy_file("<u2", "(1,)", little<std::uint16_t>({65535}))),
            (Rows{{65535}}));
  EXPECT_EQ(read_npy_rows(npy_file(">u4", "(1,)", big<std::uint32_t>({0x80000000U}))),
            (Rows{{2147483648.0F}}));
  EXPECT_EQ(read_npy_rows(npy_file("<u8", "(1,)", little<std::uint64_t>({~std::uint64_t{0}}))),
            (Rows{{18446744073709551616.0F}}));
  EXPECT_EQ(read_npy_rows(npy_file("|b1", "(1, 3)", std::string("\x00\x01\x02", 3))),
            (Rows{{0, 1, 1}}));
}

TEST(Npy, WidensHalfFloatsExactly) {
  // The smallest subnormal, the largest subnormal, the smallest normal, the largest, one third, -0.
  const std::string data = little<std::uint16_t>({0x0001, 0x03ff, 0x0400, 0x7bff, 0x3555, 0x8000});
  const Rows rows = read_npy_rows(npy_file("<f2", "(1, 6)", data));
  EXPECT_EQ(rows, (Rows{{0x1p-24F, 1023 * 0x1p-24F, 0x1p-14F, 65504.0F, 0.333251953125F, -0.0F}}));
  EXPECT_TRUE(std::signbit(rows[0][5]));
}

TEST(Npy, ReadsTheThreeVersionsOfTheHeader) {
  const std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2), }";
  for (const int version : {1, 2, 3}) {
    EXPECT_EQ(read_npy_rows(npy_file(header, little<float>({3, 4}), version)), (Rows{{3, 4}}));
  }
}

TEST(Npy, ReadsKeysInAnyOrderAndNumbersOfPython2) {
  EXPECT_EQ(read_npy_rows(npy_file("{\"shape\":(2L,1L),\"fortran_order\":False,\"descr\":\"<f4\"}",
                                   little<float>({3, 4}))),
            (Rows{{3}, {4}}));
}

TEST(Npy, KeepsNan) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(std::isnan(read_npy_rows(npy_file("<f4", "(2,)", little<float>({1, nan})))[1][0]));
  EXPECT_TRUE(std::isnan(read_npy_rows(npy_file(">f8", "(1,)", big<double>({nan})))[0][0]));
  EXPECT_TRUE(
      std::isnan(read_npy_rows(npy_file("<f2", "(1,)", little<std::uint16_t>({0x7e00})))[0][0]));
}

TEST(Npy, LooksAtFloatsInsideTheFileWithoutACopy) {
  Bytes bytes(npy_file("<f4", "(2, 2)", little<float>({1, 2, 3, 4})));
  const char* begin = bytes.view().data();
  const Arrays arrays = read_arrays(std::move(bytes), "x.npy", Format::npy);
  EXPECT_EQ(arrays.features.view().data, begin + 128);
  Features moved = std::move(const_cast<Arrays&>(arrays).features);
  EXPECT_EQ(rows_of(moved), (Rows{{1, 2}, {3, 4}}));
  EXPECT_TRUE(arrays.labels.empty());
}

TEST(Npy, KeepsTheMappedFileAlive) {
  const std::string path =
      ::testing::TempDir() + "noiseplus-npy-test-" + std::to_string(::getpid()) + ".npy";
  std::ofstream(path, std::ios::binary) << npy_file("<f4", "(1, 2)", little<float>({1, 2}));
  const Arrays arrays = read_arrays(Bytes::read(path), path, Format::automatic);
  std::remove(path.c_str());
  EXPECT_EQ(rows_of(arrays.features), (Rows{{1, 2}}));
}

TEST(Npy, CopiesFloatsThatAreNotAligned) {
  Bytes bytes(misaligned_npy_file("<f4", "(1, 2)", little<float>({1, 2})));
  const Arrays arrays = read_arrays(std::move(bytes), "x.npy", Format::npy);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arrays.features.view().data) % alignof(float), 0U);
  EXPECT_EQ(rows_of(arrays.features), (Rows{{1, 2}}));
}

TEST(Npy, KnowsWhetherPointersSurviveAMove) {
  EXPECT_FALSE(survives_move(Bytes(std::string("short"))));
  Bytes longer(std::string(1000, 'x'));
  EXPECT_TRUE(survives_move(longer));
  const char* before = longer.view().data();
  const Bytes moved = std::move(longer);
  EXPECT_EQ(moved.view().data(), before);
}

// ------------------------------------------------------------------------------ labels

TEST(NpyLabels, WritesIntegersInFull) {
  EXPECT_EQ(read_texts(npy_file("<i8", "(3,)", little<std::int64_t>({7, -1, 9007199254740993}))),
            (Texts{"7", "-1", "9007199254740993"}));
  EXPECT_EQ(read_texts(npy_file("|u1", "(2, 1)", "\x01\xff")), (Texts{"1", "255"}));
  EXPECT_EQ(read_texts(npy_file("|b1", "(2,)", std::string("\x01\x00", 2))), (Texts{"1", "0"}));
}

TEST(NpyLabels, WritesFloatsAsPeopleDo) {
  EXPECT_EQ(read_texts(npy_file("<f4", "(3,)", little<float>({2, 0.1F, -1.5F}))),
            (Texts{"2", "0.1", "-1.5"}));
  EXPECT_EQ(read_texts(npy_file(">f8", "(2,)", big<double>({100000, 0.1}))),
            (Texts{"100000", "0.1"}));
}

TEST(NpyLabels, WritesNanAsAnEmptyText) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(read_texts(npy_file("<f8", "(2,)", little<double>({1, nan}))), (Texts{"1", ""}));
}

// Written by numpy 1.24: numpy.save(f, numpy.array(['zwölf', 'a', '😀']))
TEST(NpyLabels, ReadsUnicodeInBothByteOrders) {
  const std::initializer_list<std::uint32_t> points = {'z', 'w', 0xf6,    'l', 'f', 'a', 0, 0,
                                                       0,   0,   0x1f600, 0,   0,   0,   0};
  const Texts expected = {"zw\xc3\xb6lf", "a", "\xf0\x9f\x98\x80"};
  EXPECT_EQ(read_texts(npy_file("<U5", "(3,)", little(points))), expected);
  EXPECT_EQ(read_texts(npy_file(">U5", "(3,)", big(points))), expected);
  EXPECT_EQ(read_texts(npy_file("<U2", "(1,)", little<std::uint32_t>({0x20ac, 0x7ff}))),
            (Texts{"\xe2\x82\xac\xdf\xbf"}));
}

TEST(NpyLabels, KeepsNulsInsideAText) {
  EXPECT_EQ(read_texts(npy_file("<U4", "(1,)", little<std::uint32_t>({'a', 0, 'b', 0}))),
            (Texts{std::string("a\0b", 3)}));
}

TEST(NpyLabels, ReadsByteStrings) {
  EXPECT_EQ(read_texts(npy_file("|S2", "(3,)", std::string("abc\0\0\0", 6))),
            (Texts{"ab", "c", ""}));
}

TEST(NpyLabels, RefusesWhatIsNoLabel) {
  const auto error = [](const std::string& file) {
    return labels_error(file, Format::npy, "y.npy");
  };
  EXPECT_EQ(error(npy_file("|u1", "(2, 2)", "abcd")),
            "y.npy: labels need one value a row, but the array is 2 x 2 uint8; save it with one "
            "dimension");
  EXPECT_EQ(error(npy_file("<f4", "(2,)", little<float>({1, -infinity}))),
            "y.npy: row 2 is infinite; give it a label");
  const std::string not_unicode =
      "y.npy: row 2 holds a code that is no Unicode character; the file is damaged";
  EXPECT_EQ(error(npy_file("<U1", "(2,)", little<std::uint32_t>({'a', 0x110000}))), not_unicode);
  EXPECT_EQ(error(npy_file("<U1", "(2,)", little<std::uint32_t>({'a', 0xd800}))), not_unicode);
  EXPECT_EQ(error(npy_file("<U1", "(2,)", little<std::uint32_t>({'a', 0xdfff}))), not_unicode);
}

}  // namespace
}  // namespace noiseplus
