#include <zlib.h>

#include <cstdint>
#include <optional>

#include "data/array_test_support.h"

namespace noiseplus {
namespace {

using namespace array_test;  // NOLINT

// One file of a zip archive; what is set here replaces what the archive should say.
struct ZipEntry {
  std::string name;
  std::string content;
  bool deflated = false;
  std::optional<std::uint32_t> said_size = {};
  std::optional<std::uint32_t> said_packed_size = {};
  std::optional<std::uint32_t> said_checksum = {};
  std::optional<std::uint16_t> said_method = {};
  std::uint16_t flags = 0;
};

std::string deflate_raw(const std::string& content) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, content.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string zip_file(const std::vector<ZipEntry>& entries) {
  std::string file;
  std::string directory;
  for (const ZipEntry& entry : entries) {
    const std::string packed = entry.deflated ? deflate_raw(entry.content) : entry.content;
    const auto checksum =
        static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(entry.content.data()),
                                         static_cast<uInt>(entry.content.size())));
    // What the local header and the central directory have in common.
    const std::string description =
        little<std::uint16_t>(
            {20, entry.flags, entry.said_method.value_or(entry.deflated ? 8 : 0), 0, 33}) +
        little<std::uint32_t>(
            {entry.said_checksum.value_or(checksum),
             entry.said_packed_size.value_or(static_cast<std::uint32_t>(packed.size())),
             entry.said_size.value_or(static_cast<std::uint32_t>(entry.content.size()))}) +
        little<std::uint16_t>({static_cast<std::uint16_t>(entry.name.size()), 0});
    directory += "PK\x01\x02" + little<std::uint16_t>({20}) + description + std::string(10, '\0') +
                 little<std::uint32_t>({static_cast<std::uint32_t>(file.size())}) + entry.name;
    file += "PK\x03\x04" + description + entry.name + packed;
  }
  const auto count = static_cast<std::uint16_t>(entries.size());
  return file + directory + "PK\x05\x06" + little<std::uint16_t>({0, 0, count, count}) +
         little<std::uint32_t>({static_cast<std::uint32_t>(directory.size()),
                                static_cast<std::uint32_t>(file.size())}) +
         std::string(2, '\0');
}

const std::string two_by_two = npy_file("<f4", "(2, 2)", little<float>({1, 2, 3, 4}));
const std::string three_by_one = npy_file("|u1", "(3, 1)", "\x01\x02\x03");
const std::string two_labels = npy_file("<i8", "(2,)", little<std::int64_t>({1, 0}));
const std::string two_words = npy_file("|S3", "(2,)", std::string("no\0yes", 6));

Arrays read(const std::vector<ZipEntry>& entries, const std::string& label = "") {
  return read_arrays(Bytes(zip_file(entries)), "x.npz", Format::npz, label);
}

std::string error_for(const std::vector<ZipEntry>& entries, const std::string& label = "",
                      ErrorKind kind = ErrorKind::data) {
  return features_error(zip_file(entries), Format::npz, "x.npz", label, kind);
}

std::string from_hex(std::string_view digits) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(digits.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

// Written by numpy 1.24: numpy.savez_compressed(f, X=numpy.arange(6, dtype='<f4').reshape(2, 3) +
// 0.5, y=numpy.array(['no', 'yes']))
constexpr std::string_view numpy_compressed =
    "504b030414000000080000002100f74a99cb5a0000009800000005001400582e6e70790100100098000000000000"
    "005a000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f"
    "5f94920a12774bcc294e058a17672416a402f91a463a0ac69a3a0ab50a64032e0606067b06860340ace0c0c09000"
    "c4138078830300504b030414000000080000002100f8d2d014530000009800000005001400792e6e707901001000"
    "980000000000000053000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e136aacaea3a09e96"
    "5f54529498179f5f94920a12774bcc294e058a17672416a402f91a463a9a3a0ab50a1400ae3c0606867c0608a804"
    "e254202e066200504b0102140314000000080000002100f74a99cb5a000000980000000500000000000000000000"
    "00800100000000582e6e7079504b0102140314000000080000002100f8d2d0145300000098000000050000000000"
    "000000000000800191000000792e6e7079504b05060000000002000200660000001b0100000000";

// ------------------------------------------------------------------------------ what can be read

TEST(Npz, LabelsThatAreNotWantedAreNeitherReadNorTakenForFeatures) {
  // The labels are an array of two dimensions with too few rows: an error to whoever reads them.
  const std::vector<ZipEntry> entries = {
      {"table.npy", npy_file("<f4", "(2, 2)", little<float>({1, 2, 3, 4}))},
      {"y.npy", npy_file("<f4", "(1, 1)", little<float>({7}))}};
  const auto read = [&](const std::string& label, bool with_labels) {
    return read_arrays(Bytes(zip_file(entries)), "x.npz", Format::npz, label, with_labels);
  };
  for (const char* label : {"", "y", "nothing"}) {
    const Arrays arrays = read(label, false);
    EXPECT_EQ(rows_of(arrays.features), (Rows{{1, 2}, {3, 4}})) << label;
    EXPECT_TRUE(arrays.labels.empty());
  }
  EXPECT_THROW(read("y", true), Error);
  EXPECT_THROW(read("nothing", true), Error);
}

TEST(Npz, ReadsAFileThatNumpyWrote) {
  const Arrays arrays = read_arrays(Bytes(from_hex(numpy_compressed)), "x.npz", Format::npz);
  EXPECT_EQ(rows_of(arrays.features), (Rows{{0.5F, 1.5F, 2.5F}, {3.5F, 4.5F, 5.5F}}));
  EXPECT_EQ(arrays.labels, (Texts{"no", "yes"}));
}

TEST(Npz, ReadsStoredAndDeflatedArrays) {
  for (const bool deflated : {false, true}) {
    const Arrays arrays = read({{"X.npy", two_by_two, deflated}, {"y.npy", two_labels, deflated}});
    EXPECT_EQ(rows_of(arrays.features), (Rows{{1, 2}, {3, 4}}));
    EXPECT_EQ(arrays.labels, (Texts{"1", "0"}));
  }
}

TEST(Npz, FindsFeaturesByName) {
  for (const char* name : {"X.npy", "x.npy", "features.npy", "data.npy"}) {
    const Arrays arrays = read({{"other.npy", three_by_one}, {name, two_by_two}});
    EXPECT_EQ(arrays.features.view().columns, 2U) << name;
    EXPECT_TRUE(arrays.labels.empty());
  }
  EXPECT_EQ(read({{"data.npy", three_by_one}, {"X.npy", two_by_two}}).features.view().columns, 2U);
}

TEST(Npz, TakesTheOnlyArrayOfTwoDimensionsAsFeatures) {
  EXPECT_EQ(rows_of(read({{"arr_0.npy", two_by_two}, {"arr_1.npy", two_labels}}).features),
            (Rows{{1, 2}, {3, 4}}));
  EXPECT_EQ(read({{"junk.npy", "not npy"}, {"a.npy", two_by_two}}).features.view().rows, 2U);
}

TEST(Npz, TakesAnArrayOfOneDimensionAsFeaturesOnlyByName) {
  EXPECT_EQ(rows_of(read({{"X.npy", two_labels}}).features), (Rows{{1}, {0}}));
}

TEST(Npz, FindsLabelsByName) {
  EXPECT_EQ(read({{"X.npy", two_by_two}, {"labels.npy", two_words}}).labels, (Texts{"no", "yes"}));
  EXPECT_EQ(read({{"X.npy", two_by_two}, {"labels.npy", two_words}, {"y.npy", two_labels}}).labels,
            (Texts{"1", "0"}));
  EXPECT_EQ(read({{"X.npy", two_by_two}, {"t.npy", two_words}, {"y.npy", two_labels}}, "t").labels,
            (Texts{"no", "yes"}));
}

TEST(Npz, NeverTakesTheLabelsAsFeatures) {
  const std::string column = npy_file("|u1", "(2, 1)", "\x08\x09");
  const Arrays arrays = read({{"data.npy", column}, {"t.npy", two_by_two}}, "data");
  EXPECT_EQ(arrays.features.view().columns, 2U);
  EXPECT_EQ(arrays.labels, (Texts{"8", "9"}));
}

TEST(Npz, ReadsZerosThatDeflateAsFarAsItCan) {
  constexpr std::size_t size = std::size_t{8} << 20;
  const ZipEntry entry{"X.npy", npy_file("|u1", "(8388608, 1)", std::string(size, '\0')), true};
  ASSERT_LT(zip_file({entry}).size(), size / 900);
  EXPECT_EQ(read({entry}).features.view().rows, size);
}

// ------------------------------------------------------------------------------ wrong choice

TEST(NpzErrors, ListsTheArraysWhenThereAreNoFeatures) {
  EXPECT_EQ(error_for({{"a.npy", two_labels}, {"b.npy", two_words}, {"readme.txt", "hello"}}),
            "x.npz: holds the arrays 'a', 'b', none of two or more dimensions; call the array of "
            "features 'X'");
  EXPECT_EQ(error_for({{"a.npy", two_by_two}, {"b.npy", three_by_one}, {"c.npy", two_labels}}),
            "x.npz: holds the arrays 'a', 'b', 'c', 2 of two or more dimensions; call the array of "
            "features 'X'");
  for (const std::string& file : {zip_file({{"readme.txt", "hello"}}), std::string()}) {
    EXPECT_EQ(features_error(file, Format::npz, "x.npz"),
              "x.npz: holds no arrays; check the file, or save it with numpy.savez");
  }
}

TEST(NpzErrors, ListsOnlyTheFirstOfManyArrays) {
  std::vector<ZipEntry> entries;
  for (int i = 0; i < 50; ++i) entries.push_back({std::to_string(i) + ".npy", two_labels});
  const std::string message = error_for(entries);
  EXPECT_NE(message.find("'18', '19' and 30 more, none"), message.npos) << message;
}

TEST(NpzErrors, ListsTheArraysWhenTheLabelIsNotThere) {
  EXPECT_EQ(error_for({{"X.npy", two_by_two}, {"y.npy", two_labels}}, "z", ErrorKind::usage),
            "x.npz: there is no array 'z' for the labels, only the arrays 'X', 'y'; name one of "
            "these");
}

TEST(NpzErrors, RefusesLabelsThatDoNotFitTheRows) {
  EXPECT_EQ(error_for({{"X.npy", two_by_two}, {"y.npy", three_by_one}}),
            "x.npz: the array 'X' has 2 rows but 'y' has 3; save one label for each row");
}

TEST(NpzErrors, SaysWhichArrayIsWrong) {
  EXPECT_EQ(
      error_for({{"X.npy", npy_file("<f4", "(2, 2)", "abcd")}}),
      "x.npz, array 'X': the header says 2 x 2 float32 (16 bytes) but the file holds 4; it was "
      "cut short, copy it again");
  EXPECT_EQ(error_for({{"X.npy", two_by_two}, {"y.npy", npy_file("|O", "(2,)", "pickle")}}),
            "x.npz, array 'y': holds pickled Python objects, which are refused because unpickling "
            "runs code; save numbers or text, as by array.astype(float) or array.astype(str)");
}

// ------------------------------------------------------------------------------ damaged archives

TEST(NpzErrors, RefusesWhatIsNoArchive) {
  for (const std::string& file :
       {std::string("hello"), zip_file({{"X.npy", two_by_two}}).substr(0, 150)}) {
    const std::string message = features_error(file, Format::npz, "x.npz");
    EXPECT_EQ(message.find("x.npz: cannot be read as an npz (zip) archive: "), 0U) << message;
  }
}

TEST(NpzErrors, ComparesTheChecksum) {
  for (const bool deflated : {false, true}) {
    EXPECT_EQ(error_for({{.name = "X.npy",
                          .content = two_by_two,
                          .deflated = deflated,
                          .said_checksum = 12345}}),
              "x.npz, array 'X': CRC error; the archive is damaged, copy or save it again");
  }
}

TEST(NpzErrors, RefusesADecompressionBomb) {
  EXPECT_EQ(
      error_for(
          {{.name = "X.npy", .content = two_by_two, .deflated = true, .said_size = 4000000000U}})
          .substr(0, 28),
      "x.npz, array 'X': says that ");
}

TEST(NpzErrors, RefusesSizesThatAreNotTheContents) {
  const auto error = [](bool deflated, std::uint32_t size) {
    return error_for(
        {{.name = "X.npy", .content = two_by_two, .deflated = deflated, .said_size = size}});
  };
  const std::string end = "; the archive is damaged, copy or save it again";
  ASSERT_EQ(two_by_two.size(), 144U);
  EXPECT_EQ(error(false, 143), "x.npz, array 'X': holds more than 143 bytes" + end);
  EXPECT_EQ(error(true, 143), "x.npz, array 'X': holds more than 143 bytes" + end);
  EXPECT_EQ(error(true, 145), "x.npz, array 'X': holds 144 bytes instead of 145" + end);
  EXPECT_EQ(
      error(false, 145),
      "x.npz, array 'X': says that 144 compressed bytes in a file of 252 unpack to 145" + end);
}

TEST(NpzErrors, RefusesMoreCompressedBytesThanTheFileHas) {
  const std::string message = error_for({{.name = "X.npy",
                                          .content = two_by_two,
                                          .said_size = 1000000,
                                          .said_packed_size = 1000000}});
  EXPECT_EQ(
      message,
      "x.npz, array 'X': says that 1000000 compressed bytes in a file of 252 unpack to 1000000; "
      "the archive is damaged, copy or save it again");
}

TEST(NpzErrors, RefusesDamagedStreams) {
  std::string file = zip_file({{"X.npy", two_by_two, true}});
  for (std::size_t i = 40; i < 60; ++i) file[i] = '\xff';
  const std::string message = features_error(file, Format::npz, "x.npz");
  EXPECT_NE(message.find("the archive is damaged, copy or save it again"), message.npos) << message;
}

TEST(NpzErrors, RefusesOtherCompressionsAndEncryption) {
  EXPECT_EQ(error_for({{.name = "X.npy", .content = two_by_two, .said_method = 12}}),
            "x.npz, array 'X': is compressed by method 12; save it with numpy.savez or "
            "numpy.savez_compressed");
  EXPECT_EQ(error_for({{.name = "X.npy", .content = two_by_two, .flags = 1}}),
            "x.npz, array 'X': is encrypted; save it without a password");
}

}  // namespace
}  // namespace noiseplus
