#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <limits>

#include "noiseplus/learn.h"
#include "support.h"

namespace noiseplus {
namespace {

using testing_support::content_of;
using testing_support::TemporaryFolder;
using Texts = std::vector<std::string>;

Layer layer(std::size_t inputs, std::size_t outputs) {
  Layer layer{inputs, outputs, {}, {}};
  for (std::size_t i = 0; i < inputs * outputs; ++i) {
    layer.weights.push_back(static_cast<float>(i) / 3 - 1);
  }
  for (std::size_t i = 0; i < outputs; ++i) layer.biases.push_back(-static_cast<float>(i));
  return layer;
}

// Two classes, a table with a number and a text, a perceptron; names of bytes that are no UTF-8.
SavedModel table_model() {
  SavedModel saved;
  saved.classes = {"<=50K",
                   "gr\xf6\xdf"
                   "er"};
  saved.spellings = {" <=50K",
                     "gr\xf6\xdf"
                     "er"};
  saved.label = "income \"a year\"\n";
  saved.positive = 1;
  saved.model = {2, {layer(4, 3), layer(3, 1)}};
  saved.model.layers[0].weights[0] = std::numeric_limits<float>::denorm_min();
  saved.model.layers[0].weights[1] = -0.0F;
  saved.recipe.columns = 4;
  saved.recipe.missing = {"NA", std::string("\0x", 2)};
  saved.recipe.encoder.emplace();
  Encoder::Part age;
  age.column = "age";
  age.offset = 0.1 + 0.2;
  age.scale = 1 / 3.0;
  age.fill = -1e-300;
  age.indicates_missing = true;
  Encoder::Part city;
  city.column = "Stadt \xc3\xbc";
  city.is_text = true;
  city.categories = {"\xe4", "\xff\xfe"};
  saved.recipe.encoder->parts = {age, city};
  saved.notes = {{"loss", "peer"}, {"loss", "again"}, {"", "\x80"}};
  return saved;
}

SavedModel array_model() {
  SavedModel saved;
  saved.classes = saved.spellings = {"0", "1", "2"};
  saved.label = "label";
  saved.model = {3, {layer(5, 3)}};
  saved.recipe.columns = 5;
  saved.recipe.first_index = 0;
  return saved;
}

std::string bytes_of(const SavedModel& model) {
  const TemporaryFolder folder;
  OutputFile output(folder.file("m"));
  write_model(model, output);
  output.commit();
  return content_of(folder.file("m"));
}

std::string refusal(const std::string& bytes) {
  try {
    read_model(Bytes(bytes), "m.model");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::data) << error.what();
    const std::string message = error.what();
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.find("m.model: "), 0U) << message;
    return message;
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

void expect_equal(const SavedModel& a, const SavedModel& b) {
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.spellings, b.spellings);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.positive, b.positive);
  EXPECT_EQ(a.notes, b.notes);
  EXPECT_EQ(a.model.classes, b.model.classes);
  ASSERT_EQ(a.model.layers.size(), b.model.layers.size());
  for (std::size_t l = 0; l < a.model.layers.size(); ++l) {
    EXPECT_EQ(a.model.layers[l].inputs, b.model.layers[l].inputs);
    EXPECT_EQ(a.model.layers[l].outputs, b.model.layers[l].outputs);
    EXPECT_EQ(a.model.layers[l].weights, b.model.layers[l].weights);
    EXPECT_EQ(a.model.layers[l].biases, b.model.layers[l].biases);
  }
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
  for (const SavedModel& model : {table_model(), array_model()}) {
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
  for (const SavedModel& model : {table_model(), array_model()}) {
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
  newer[8] = 2;
  EXPECT_EQ(refusal(newer),
            "m.model: was written by a newer noiseplus (format 2, and 1 is the newest known here); "
            "update noiseplus or train the model again");
}

// A file around any header and any weights, its checksum right.
std::string file_of(const std::string& header, const std::string& weights) {
  std::string bytes("\x89noise+\n\1\0\0\0", 12);
  const auto append = [&](std::uint32_t word) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(word >> (8 * i) & 0xffU);
  };
  append(static_cast<std::uint32_t>(header.size()));
  bytes += header;
  bytes.resize((bytes.size() + 63) / 64 * 64);
  bytes += weights;
  append(static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size())));
  return bytes;
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
