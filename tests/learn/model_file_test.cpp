#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>

#include "learn/learn_support.h"
#include "learn/saved_models.h"

namespace noiseplus {
namespace {

using testing_support::TemporaryFolder;
using Texts = std::vector<std::string>;

void expect_equal(const Model& a, const Model& b) {
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_TRUE(a.layers == b.layers);
}

void expect_equal(const std::optional<FairnessMetadata>& a,
                  const std::optional<FairnessMetadata>& b) {
  ASSERT_EQ(a.has_value(), b.has_value());
  if (!a) return;
  EXPECT_EQ(a->constraint, b->constraint);
  EXPECT_EQ(a->tolerance, b->tolerance);
  EXPECT_EQ(a->group_name, b->group_name);
  EXPECT_EQ(a->groups, b->groups);
  EXPECT_EQ(a->negative_noise, b->negative_noise);
  EXPECT_EQ(a->positive_noise, b->positive_noise);
}

void expect_equal(const SavedModel& a, const SavedModel& b) {
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.spellings, b.spellings);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.positive, b.positive);
  EXPECT_EQ(a.notes, b.notes);
  expect_equal(a.model, b.model);
  EXPECT_EQ(a.mixture.shares, b.mixture.shares);
  ASSERT_EQ(a.mixture.models.size(), b.mixture.models.size());
  for (std::size_t t = 0; t < a.mixture.models.size(); ++t) {
    expect_equal(a.mixture.models[t], b.mixture.models[t]);
  }
  expect_equal(a.fair, b.fair);
  EXPECT_EQ(a.recipe.columns, b.recipe.columns);
  EXPECT_EQ(a.recipe.missing, b.recipe.missing);
  EXPECT_EQ(a.recipe.first_index, b.recipe.first_index);
  ASSERT_EQ(a.recipe.encoder.has_value(), b.recipe.encoder.has_value());
  if (!a.recipe.encoder) return;
  ASSERT_EQ(a.recipe.encoder->parts.size(), b.recipe.encoder->parts.size());
  for (std::size_t p = 0; p < a.recipe.encoder->parts.size(); ++p) {
    const Encoder::Part& x = a.recipe.encoder->parts[p];
    const Encoder::Part& y = b.recipe.encoder->parts[p];
    EXPECT_EQ(x.column, y.column);
    EXPECT_EQ(x.is_text, y.is_text);
    EXPECT_EQ(x.offset, y.offset);
    EXPECT_EQ(x.scale, y.scale);
    EXPECT_EQ(x.fill, y.fill);
    EXPECT_EQ(x.indicates_missing, y.indicates_missing);
    EXPECT_EQ(x.categories, y.categories);
    EXPECT_EQ(x.pools_rare, y.pools_rare);
  }
}

TEST(ModelFile, RoundTripIsExact) {
  for (const SavedModel& model : {table_model(), array_model(), mixture_model(), fair_model()}) {
    const std::string bytes = bytes_of(model);
    const SavedModel read = read_model(Bytes(bytes), "m.model");
    expect_equal(read, model);
    EXPECT_EQ(bytes_of(read), bytes);
  }
  EXPECT_TRUE(
      std::signbit(read_model(Bytes(bytes_of(table_model())), "m").model.layers[0].weights[1]));
}

TEST(ModelFile, TheLayoutIsAsDocumented) {
  const std::string bytes = bytes_of(array_model());
  EXPECT_EQ(bytes.substr(0, 12), std::string("\x89noise+\n\1\0\0\0", 12));
  const std::string header =
      R"({"label":"label","classes":["0","1","2"],"spellings":["0","1","2"],"positive":0,)"
      R"("layers":[[5,3]],"recipe":{"columns":5,"missing":[],"first_index":0,"encoder":null},)"
      R"("notes":[]})";
  EXPECT_EQ(bytes.substr(16, header.size()), header);
  EXPECT_EQ(static_cast<unsigned char>(bytes[12]), header.size());
  EXPECT_EQ(bytes.size(), (16 + header.size() + 63) / 64 * 64 + (5 * 3 + 3) * 4 + 4);
}

TEST(ModelFile, AnyByteThatIsDamagedIsNoticed) {
  for (const SavedModel& model : {table_model(), array_model(), mixture_model()}) {
    const std::string bytes = bytes_of(model);
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      for (const unsigned flipped : {0x01U, 0x80U, 0xffU}) {
        std::string damaged = bytes;
        damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ flipped);
        refusal(damaged);
      }
    }
  }
}

TEST(ModelFile, AnyLengthButTheRightOneIsNoticed) {
  const std::string bytes = bytes_of(table_model());
  for (std::size_t length = 0; length < bytes.size(); ++length) refusal(bytes.substr(0, length));
  refusal(bytes + '\0');
  refusal(bytes + bytes);
}

TEST(ModelFile, OtherFilesAndOtherVersions) {
  EXPECT_EQ(refusal("age,city\n1,2\n"),
            "m.model: is not a model: it does not begin as one; give a file that noiseplus train "
            "has written");
  refusal("");
  std::string newer = bytes_of(array_model());
  newer[8] = 4;
  EXPECT_EQ(refusal(newer),
            "m.model: was written by a newer noiseplus (format 4, and 3 is the newest known here); "
            "update noiseplus or train the model again");
}

const std::string good_header =
    R"({"label":"y","classes":["a","b"],"spellings":["a","b"],"positive":1,"layers":[[2,1]],)"
    R"("recipe":{"columns":2,"missing":[],"first_index":null,"encoder":[)"
    R"({"column":"x","kind":"number","offset":0.5,"scale":2,"fill":0,"indicates_missing":false},)"
    R"({"column":"c","kind":"text","categories":["u"],"pools_rare":false,)"
    R"("indicates_missing":false}]},"notes":[["k","v"]]})";

const std::string three_floats(12, '\0');

std::string with(const std::string& what, const std::string& instead) {
  std::string header = good_header;
  const std::size_t at = header.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return header.replace(at, what.size(), instead);
}

TEST(ModelFile, HeadersThatDoNotFitAreRefused) {
  const SavedModel good = read_model(Bytes(file_of(good_header, three_floats)), "m");
  EXPECT_EQ(good.recipe.encoder->names(), (Texts{"x", "c=u"}));
  const std::vector<std::pair<std::string, std::string>> changes = {
      {R"(["a","b"])", R"(["a","a"])"},
      {R"(["a","b"])", R"(["a",""])"},
      {R"(["a","b"])", R"(["a","b","c"])"},
      {R"(["a","b"])", R"(["a"])"},
      {R"(["a","b"])", R"("ab")"},
      {R"(["a","b"])", R"(["a",7])"},
      {R"(["a","b"])", R"(["a",{"hex":"62"}])"},
      {R"(["a","b"])", R"(["a",{"hex":"f"}])"},
      {R"(["a","b"])", R"(["a",{"hex":"zz"}])"},
      {R"(["a","b"])", R"(["a",{"hex":255}])"},
      {R"(["a","b"])", R"(["a",{"hex":"ff","more":1}])"},
      {R"(["a","b"])", "[\"a\",\"\xff\"]"},
      {R"("spellings":["a","b"])", R"("spellings":["a"])"},
      {R"("positive":1)", R"("positive":2)"},
      {R"("positive":1)", R"("positive":-1)"},
      {R"("positive":1)", R"("positive":1.0)"},
      {R"("positive":1)", R"("positive":1,"positive":1)"},
      {R"("positive":1)", R"("positive":1,"more":1)"},
      {R"("positive":1,)", ""},
      {R"([[2,1]])", R"([[2,2]])"},
      {R"([[2,1]])", R"([[3,1]])"},
      {R"([[2,1]])", R"([])"},
      {R"([[2,1]])", R"([[2]])"},
      {R"([[2,1]])", R"([[2,0],[0,1]])"},
      {R"([[2,1]])", R"([[2,1],[1,1]])"},
      {R"([[2,1]])", R"([[2,3],[4,1]])"},
      {R"([[2,1]])", R"([[2,1],[1,1],[1,1]])"},
      {R"([[2,1]])", R"([[2,9223372036854775807],[9223372036854775807,1]])"},
      {R"([[2,1]])", R"([[18446744073709551615,1]])"},
      {R"([[2,1]])", R"([[2,1e3]])"},
      {R"("columns":2)", R"("columns":3)"},
      {R"("columns":2)", R"("columns":"2")"},
      {R"("first_index":null)", R"("first_index":2)"},
      {R"("first_index":null)", R"("first_index":"1")"},
      {R"("missing":[])", R"("missing":[null])"},
      {R"("pools_rare":false)", R"("pools_rare":true)"},
      {R"("pools_rare":false)", R"("pools_rare":0)"},
      {R"("kind":"text")", R"("kind":"number")"},
      {R"("kind":"text")", R"("kind":"date")"},
      {R"("column":"x")", R"("column":"c")"},
      {R"("column":"x")", R"("column":"")"},
      {R"("categories":["u"],"pools_rare":false)", R"("categories":["v","u"],"pools_rare":false)"},
      {R"("scale":2)", R"("scale":1e400)"},
      {R"("scale":2)", R"("scale":null)"},
      {R"(["k","v"])", R"(["k"])"},
      {R"(["k","v"])", R"({"k":"v"})"},
      {R"("notes":[["k","v"]])", R"("notes":)" + std::string(100000, '[')},
      {R"("notes":[["k","v"]])", R"("notes":)" + std::string(1000, '[') + std::string(1000, ']')},
  };
  for (const auto& [what, instead] : changes) {
    SCOPED_TRACE(instead.substr(0, 100));
    refusal(file_of(with(what, instead), three_floats));
  }
  for (const char* header : {"", "null", "[]", "{", "{}", "\"text\""}) {
    refusal(file_of(header, three_floats));
  }
}

TEST(ModelFile, ClassesBeyondTwoHaveAnOutputEach) {
  std::string header = with(R"(["a","b"])", R"(["a","b","c"])");
  header.replace(header.find(R"(["a","b"])"), 9, R"(["a","b","c"])");
  refusal(file_of(header, three_floats));
  header.replace(header.find("[2,1]"), 5, "[2,3]");
  EXPECT_EQ(read_model(Bytes(file_of(header, std::string(36, '\0'))), "m").model.classes, 3U);
}

TEST(ModelFile, WeightsMustFillTheRestAndBeNumbers) {
  refusal(file_of(good_header, ""));
  refusal(file_of(good_header, three_floats.substr(1)));
  refusal(file_of(good_header, three_floats + '\0'));
  refusal(file_of(good_header, three_floats + "more"));
  EXPECT_EQ(refusal(file_of(good_header, std::string("\0\0\x80\x7f", 4) + three_floats.substr(4))),
            "m.model: the model is damaged or cut short: a weight is not a number; copy the file "
            "again or train the model again");
  std::string padded = file_of(good_header, three_floats);
  padded[16 + good_header.size()] = ' ';
  padded.resize(padded.size() - 4);
  const auto sum = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(padded.data()), padded.size()));
  for (int i = 0; i < 4; ++i) padded += static_cast<char>(sum >> (8 * i) & 0xffU);
  refusal(padded);
}

TEST(ModelFile, WhatMakesNoSenseIsNotWritten) {
  const TemporaryFolder folder;
  const auto refuses = [&](auto change) {
    SavedModel model = table_model();
    change(model);
    OutputFile output(folder.file("m"));
    EXPECT_THROW(write_model(model, output), Error);
  };
  refuses([](SavedModel& m) { m.model.layers[0].weights.pop_back(); });
  refuses([](SavedModel& m) { m.model.layers[1].biases[0] = std::nanf(""); });
  refuses([](SavedModel& m) { m.model.layers.clear(); });
  refuses([](SavedModel& m) { m.classes[0] = m.classes[1]; });
  refuses([](SavedModel& m) { m.recipe.columns = 3; });
  refuses([](SavedModel& m) { m.recipe.encoder->parts[0].offset = std::nan(""); });
  refuses([](SavedModel& m) { m.model.classes = 3; });
}

}  // namespace
}  // namespace noiseplus
