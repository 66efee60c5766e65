#include <cstdint>
#include <limits>

#include "data/array_test_support.h"

namespace noiseplus {
namespace {

using namespace array_test;  // NOLINT

std::string error_for(const std::string& file) {
  return features_error(file, Format::npy, "x.npy");
}

std::string header_error(const std::string& header) {
  return error_for(npy_file(header, ""));
}

// ------------------------------------------------------------------------------ bad values

TEST(NpyErrors, SaysWhereAnInfinityIs) {
  const std::string end = " is infinite; replace it by a number, or by NaN when it is missing";
  EXPECT_EQ(error_for(npy_file("<f4", "(2, 2)", little<float>({1, 2, infinity, 4}))),
            "x.npy: row 2, column 1" + end);
  EXPECT_EQ(error_for(npy_file("<f4", "(2, 2)", little<float>({1, 2, 3, -infinity}))),
            "x.npy: row 2, column 2" + end);
  EXPECT_EQ(error_for(npy_file("<f4", "(3, 2)", little<float>({1, 2, 3, 4, infinity, 6}), true)),
            "x.npy: row 2, column 2" + end);
  EXPECT_EQ(error_for(npy_file(">f8", "(1, 2)", big<double>({1, infinity}))),
            "x.npy: row 1, column 2" + end);
  EXPECT_EQ(error_for(npy_file("<f2", "(1, 2)", little<std::uint16_t>({0xfc00, 0}))),
            "x.npy: row 1, column 1" + end);
}

TEST(NpyErrors, FindsAnInfinityFarInTheFile) {
  std::string data;
  for (int i = 0; i < 9999; ++i) data += little<float>({1});
  data += little<float>({infinity});
  EXPECT_EQ(error_for(npy_file("<f4", "(1000, 10)", data)),
            "x.npy: row 1000, column 10 is infinite; replace it by a number, or by NaN when it is "
            "missing");
}

TEST(NpyErrors, RefusesWhatIsTooLargeForAFloat) {
  const std::string end = ", too large for a 32-bit float; divide the column by a power of ten";
  EXPECT_EQ(error_for(npy_file("<f8", "(1, 2)", little<double>({1, 1e300}))),
            "x.npy: row 1, column 2 is 1e+300" + end);
  EXPECT_EQ(error_for(npy_file("<f8", "(2, 2)", little<double>({1, 2, -1e39, 4}), true)),
            "x.npy: row 1, column 2 is -1e+39" + end);
  const double largest = std::numeric_limits<float>::max();
  EXPECT_EQ(read_npy_rows(npy_file("<f8", "(2,)", little<double>({largest, -largest}))),
            (Rows{{std::numeric_limits<float>::max()}, {std::numeric_limits<float>::lowest()}}));
}

TEST(NpyErrors, RefusesTextAsFeatures) {
  EXPECT_EQ(error_for(npy_file("<U1", "(1,)", little<std::uint32_t>({'a'}))),
            "x.npy: holds text, but features must be numbers; encode it as numbers first");
}

// ------------------------------------------------------------------------------ bad sizes

TEST(NpyErrors, SaysThatTheDataIsCutShort) {
  EXPECT_EQ(error_for(npy_file("<f4", "(10, 5)", std::string(120, '\0'))),
            "x.npy: the header says 10 x 5 float32 (200 bytes) but the file holds 120; it was cut "
            "short, copy it again");
  EXPECT_EQ(
      error_for(npy_file("|b1", "(3,)", "ab")),
      "x.npy: the header says 3 bool (3 bytes) but the file holds 2; it was cut short, copy it "
      "again");
}

TEST(NpyErrors, RefusesBytesAfterTheArray) {
  EXPECT_EQ(error_for(npy_file("<i8", "(1,)", std::string(16, '\0'))),
            "x.npy: the header says 1 int64 (8 bytes) but the file holds 16; save one array and "
            "nothing else in the file");
}

TEST(NpyErrors, RefusesShapesThatOverflow) {
  const std::string end = ", more than any file can hold; it is damaged, copy the file again";
  EXPECT_EQ(error_for(npy_file("<f4", "(4611686018427387904, 4)", "")),
            "x.npy: the header says 4611686018427387904 x 4 float32" + end);
  EXPECT_EQ(error_for(npy_file("<f4", "(4294967296, 4294967296, 1)", "")),
            "x.npy: the header says 4294967296 x 4294967296 x 1 float32" + end);
  EXPECT_EQ(error_for(npy_file("|u1", "(99999999999999999999999,)", "")),
            "x.npy: the header should have a size below 2^64 at its character 52; save the array "
            "again with numpy.save");
}

TEST(NpyErrors, RefusesArraysWithoutRowsColumnsOrDimensions) {
  EXPECT_EQ(error_for(npy_file("<f4", "(0, 5)", "")),
            "x.npy: the array has no rows (0 x 5 float32); check how it was saved");
  EXPECT_EQ(error_for(npy_file("<f4", "(5, 0)", "")),
            "x.npy: the array has no columns (5 x 0 float32); check how it was saved");
  EXPECT_EQ(error_for(npy_file("<f4", "(5, 18446744073709551615, 0)", "")),
            "x.npy: the array has no columns (5 x 18446744073709551615 x 0 float32); check how it "
            "was saved");
  EXPECT_EQ(error_for(npy_file("<f4", "()", little<float>({1}))),
            "x.npy: holds a single value without dimensions; save an array with one row for each "
            "example");
}

// ------------------------------------------------------------------------------ bad headers

TEST(NpyErrors, RefusesWhatIsNoNpyFile) {
  const std::string expected =
      "x.npy: is not an npy file: it does not begin as one; check the file and its format";
  for (const char* file : {"", "\x93NUMP", "PK\x03\x04", "a,b\n1,2\n"}) {
    EXPECT_EQ(error_for(file), expected);
  }
}

TEST(NpyErrors, RefusesAHeaderThatIsCutShort) {
  const std::string expected =
      "x.npy: the file ends inside the header; it was cut short, copy it again";
  const std::string file = npy_file("<f4", "(1,)", "");
  for (const std::size_t size : {6UL, 7UL, 8UL, 9UL, 10UL, 11UL, 127UL}) {
    EXPECT_EQ(error_for(file.substr(0, size)), expected) << size;
  }
  EXPECT_EQ(error_for(std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14)), expected);
}

TEST(NpyErrors, RefusesUnknownVersions) {
  EXPECT_EQ(error_for(npy_file("{}", "", 4)),
            "x.npy: has npy version 4.0; save it as version 1.0, 2.0 or 3.0");
  EXPECT_EQ(error_for(std::string("\x93NUMPY\x00\x00\x00\x00", 10)),
            "x.npy: has npy version 0.0; save it as version 1.0, 2.0 or 3.0");
  EXPECT_EQ(error_for(std::string("\x93NUMPY\x01\x07\x00\x00", 10)),
            "x.npy: has npy version 1.7; save it as version 1.0, 2.0 or 3.0");
}

TEST(NpyErrors, RefusesPickledObjects) {
  EXPECT_EQ(error_for(npy_file("|O", "(1,)", "")),
            "x.npy: holds pickled Python objects, which are refused because unpickling runs code; "
            "save numbers or text, as by array.astype(float) or array.astype(str)");
}

TEST(NpyErrors, RefusesRecords) {
  EXPECT_EQ(header_error("{'descr': [('a', '<f4'), ('b', '<i8')], 'fortran_order': False, 'shape': "
                         "(1,), }"),
            "x.npy: holds records with named fields; save one plain array of numbers");
}

TEST(NpyErrors, RefusesOtherElementTypes) {
  for (const char* descr : {"<c8",
                            "<f16",
                            "<M8[ns]",
                            "<m8",
                            "|V4",
                            "<f3",
                            "<i0",
                            "<f",
                            "f4",
                            "4",
                            "",
                            "<f44",
                            "<f4 ",
                            "<f+4",
                            "<f-4",
                            "!f4",
                            "|S0",
                            "<U0",
                            "|b2",
                            "<U99999999999999999999",
                            "<U4611686018427387904"}) {
    const std::string message = error_for(npy_file(descr, "(1,)", std::string(64, '\0')));
    EXPECT_NE(message.find("x.npy: the element type '" + std::string(descr)), message.npos)
        << message;
  }
}

TEST(NpyErrors, SaysWhichKeyIsMissing) {
  EXPECT_EQ(header_error("{'fortran_order': False, 'shape': (1,)}"),
            "x.npy: the header lacks 'descr'; save the array again with numpy.save");
  EXPECT_EQ(header_error("{'descr': '<f4', 'shape': (1,)}"),
            "x.npy: the header lacks 'fortran_order'; save the array again with numpy.save");
  EXPECT_EQ(header_error("{'descr': '<f4', 'fortran_order': False}"),
            "x.npy: the header lacks 'shape'; save the array again with numpy.save");
  EXPECT_EQ(header_error("{}"),
            "x.npy: the header lacks 'descr'; save the array again with numpy.save");
}

TEST(NpyErrors, RefusesKeysThatAreUnknownOrTwice) {
  EXPECT_EQ(
      header_error("{'descr': '<f4', 'descr': '<f4'}"),
      "x.npy: the header has the key 'descr' twice or has no use for it; save the array again "
      "with numpy.save");
  EXPECT_EQ(header_error("{'a\x01\n\xff': '<f4'}"),
            "x.npy: the header has the key 'a\\x01\\x0a\\xff' twice or has no use for it; save the "
            "array again with numpy.save");
}

TEST(NpyErrors, RefusesShapesThatAreNone) {
  const auto error = [](const std::string& shape) {
    const std::string message = header_error("{'shape': " + shape);
    EXPECT_EQ(message.find("x.npy: the header should have "), 0U) << message;
    return message.substr(0, message.find(';')).substr(30);
  };
  EXPECT_EQ(error("(-1, 5)"), "a size that is not negative at its character 12");
  EXPECT_EQ(error("((1, 2))"), "a size at its character 12");
  EXPECT_EQ(error(std::string(10000, '(')), "a size at its character 12");
  EXPECT_EQ(error("(5)"), "a comma at its character 13");
  EXPECT_EQ(error("(,)"), "a size at its character 12");
  EXPECT_EQ(error("(1,,2)"), "a size at its character 14");
  EXPECT_EQ(error("(1 2)"), "a comma at its character 14");
  EXPECT_EQ(error("(1, 2 3)"), "')' at its character 17");
  EXPECT_EQ(error("(1, 2"), "')' at its character 55");
  EXPECT_EQ(error("(1.5, 2)"), "a comma at its character 13");
  EXPECT_EQ(error("[1, 2]"), "'(' at its character 11");
  EXPECT_EQ(error("5"), "'(' at its character 11");
  EXPECT_EQ(error("(True,)"), "a size at its character 12");
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  EXPECT_EQ(error(many + ")"), "at most 64 dimensions at its character 140");
}

TEST(NpyErrors, RefusesHeadersThatAreNoDictionary) {
  const auto error = [](const std::string& header) {
    const std::string message = header_error(header);
    EXPECT_EQ(message.find("x.npy: the header should have "), 0U) << message;
    return message.substr(0, message.find(';')).substr(30);
  };
  EXPECT_EQ(error(""), "'{' at its character 55");
  EXPECT_EQ(error("[]"), "'{' at its character 1");
  EXPECT_EQ(error("{descr: 1}"), "a text in quotes at its character 2");
  EXPECT_EQ(error("{'descr"), "a text whose quote is closed at its character 2");
  EXPECT_EQ(error("{'descr' '<f4'}"), "':' at its character 10");
  EXPECT_EQ(error("{'descr': 4}"), "a text in quotes at its character 11");
  EXPECT_EQ(error("{'descr': '\\x3cf4'}"), "a text without backslashes at its character 11");
  EXPECT_EQ(error("{'descr': '<f4' 'shape': (1,)}"), "',' at its character 17");
  EXPECT_EQ(error("{'fortran_order': 0}"), "True or False at its character 19");
  EXPECT_EQ(error("{} {}"), "nothing more at its character 4");
}

TEST(NpyErrors, AreShortWhenTheInputIsLong) {
  const std::string message = error_for(npy_file(std::string(5000, 'x'), "(1,)", ""));
  EXPECT_LT(message.size(), 250U);
  EXPECT_NE(message.find("xxx...'"), message.npos) << message;
}

}  // namespace
}  // namespace noiseplus
