// Halves are used where they lie, and give what the same numbers as floats give.
#include <cmath>
#include <cstdint>
#include <iterator>

#include "data/array_test_support.h"
#include "support.h"

namespace noiseplus {
namespace {

using namespace array_test;  // NOLINT
using testing_support::TemporaryFolder;

// 1, -2, the least subnormal, 65504, one third, -0; and the same as floats.
const std::string halves = little<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7bff, 0x3555, 0x8000});
const std::string floats = little<float>({1, -2, 0x1p-24F, 65504, 0.333251953125F, -0.0F});

ValueType type_of(const std::string& file, Format format = Format::npy) {
  return read_arrays(Bytes(file), "x", format).features.view().type;
}

bool lies_in(std::string_view bytes, RowsView view) {
  const auto* data = static_cast<const char*>(view.data);
  const std::size_t size = view.rows * view.columns * 2;
  return data >= bytes.data() && data + size == bytes.data() + bytes.size();
}

TEST(HalfArrays, AreLookedAtInsideTheMappedFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("x.npy", npy_file("<f2", "(2, 3)", halves));
  Bytes bytes = Bytes::read(path);
  const std::string_view mapped = bytes.view();  // the mapping stays when `bytes` is moved
  Features features = read_arrays(std::move(bytes), path, Format::automatic).features;
  EXPECT_EQ(features.view().type, ValueType::float16);
  EXPECT_TRUE(lies_in(mapped, features.view()));
  const Features moved = std::move(features);
  EXPECT_TRUE(lies_in(mapped, moved.view()));
  EXPECT_EQ(rows_of(moved), read_npy_rows(npy_file("<f4", "(2, 3)", floats)));
  EXPECT_TRUE(std::signbit(rows_of(moved)[1][2]));
}

TEST(HalfArrays, AreLookedAtInAnyNumberOfDimensions) {
  const Features column =
      read_arrays(Bytes(npy_file("<f2", "(6,)", halves)), "x", Format::npy).features;
  EXPECT_EQ(column.view().type, ValueType::float16);
  EXPECT_EQ(column.view().columns, 1U);
  const Features cube =
      read_arrays(Bytes(npy_file("<f2", "(1, 2, 3)", halves)), "x", Format::npy).features;
  EXPECT_EQ(cube.view().type, ValueType::float16);
  EXPECT_EQ(cube.view().columns, 6U);
}

TEST(HalfArrays, AreConvertedWhereAViewCannotReadThem) {
  const std::string swapped = big<std::uint16_t>({0x3c00, 0xc000, 0x0001, 0x7bff, 0x3555, 0x8000});
  const Rows expected = read_npy_rows(npy_file("<f4", "(2, 3)", floats));
  for (const std::string& file :
       {npy_file(">f2", "(2, 3)", swapped), misaligned_npy_file("<f2", "(2, 3)", halves)}) {
    EXPECT_EQ(type_of(file), ValueType::float32);
    EXPECT_EQ(read_npy_rows(file), expected);
  }
  const std::string by_columns = npy_file("<f2", "(2, 3)", halves, true);
  EXPECT_EQ(type_of(by_columns), ValueType::float32);
  EXPECT_EQ(read_npy_rows(by_columns), read_npy_rows(npy_file("<f4", "(2, 3)", floats, true)));
}

TEST(HalfArrays, OtherNumbersOfTwoBytesAreNoHalves) {
  EXPECT_EQ(type_of(npy_file("<i2", "(2, 3)", halves)), ValueType::float32);
  EXPECT_EQ(type_of(npy_file("<u2", "(2, 3)", halves)), ValueType::float32);
}

TEST(HalfArrays, AnInfinityIsRefusedInTheWordsUsedForFloats) {
  for (const std::uint16_t bits : {0x7c00, 0xfc00}) {
    const float value = bits == 0x7c00 ? infinity : -infinity;
    const std::string error =
        features_error(npy_file("<f2", "(2, 2)", little<std::uint16_t>({0x7bff, 0x7e00, 0, bits})),
                       Format::npy, "x.npy");
    EXPECT_EQ(error,
              "x.npy: row 2, column 2 is infinite; replace it by a number, or by NaN when it "
              "is missing");
    EXPECT_EQ(error, features_error(npy_file("<f4", "(2, 2)", little<float>({1, 2, 3, value})),
                                    Format::npy, "x.npy"));
  }
}

// ------------------------------------------------------------------------------ as a data set

Dataset load_npy(const TemporaryFolder& folder, const std::string& file, bool scale = false) {
  DataRequest request;
  request.path = folder.write("x.npy", file);
  request.labels_path = folder.write("y.txt", "a\nb\n");
  request.scale = scale;
  return load(request);
}

TEST(HalfArrays, StayHalvesInADataSet) {
  const TemporaryFolder folder;
  const Dataset dataset = load_npy(folder, npy_file("<f2", "(2, 3)", halves));
  EXPECT_EQ(dataset.features.view().type, ValueType::float16);
  EXPECT_TRUE(dataset.feature_names.empty());
}

TEST(HalfArrays, AreScaledAsFloatsAre) {
  const TemporaryFolder folder;
  const Dataset scaled = load_npy(folder, npy_file("<f2", "(2, 3)", halves), true);
  EXPECT_EQ(scaled.features.view().type, ValueType::float32);
  EXPECT_EQ(rows_of(scaled.features),
            rows_of(load_npy(folder, npy_file("<f4", "(2, 3)", floats), true).features));
}

TEST(HalfArrays, NanIsMissingAsInFloats) {
  const TemporaryFolder folder;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Dataset dataset = load_npy(
      folder, npy_file("<f2", "(2, 2)", little<std::uint16_t>({0x3c00, 0x7e00, 0, 0x3c00})));
  EXPECT_EQ(dataset.feature_names, (Texts{"1", "2", "2 is missing"}));
  EXPECT_EQ(rows_of(dataset.features), (Rows{{1, 1, 1}, {0, 1, 0}}));
  const Dataset same = load_npy(folder, npy_file("<f4", "(2, 2)", little<float>({1, nan, 0, 1})));
  EXPECT_EQ(rows_of(dataset.features), rows_of(same.features));
  EXPECT_EQ(dataset.feature_names, same.feature_names);
}

}  // namespace
}  // namespace noiseplus
