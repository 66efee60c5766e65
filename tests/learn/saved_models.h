// Models as train writes them, and files of them, well-formed or not.
#pragma once

#include <gtest/gtest.h>
#include <zlib.h>

#include <limits>

#include "noiseplus/learn.h"
#include "support.h"

namespace noiseplus {

inline Layer layer(std::size_t inputs, std::size_t outputs) {
  Layer layer{inputs, outputs, {}, {}};
  for (std::size_t i = 0; i < inputs * outputs; ++i) {
    layer.weights.push_back(static_cast<float>(i) / 3 - 1);
  }
  for (std::size_t i = 0; i < outputs; ++i) layer.biases.push_back(-static_cast<float>(i));
  return layer;
}

// Two classes, a table with a number and a text, a perceptron; names of bytes that are no UTF-8.
inline SavedModel table_model() {
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

inline SavedModel array_model() {
  SavedModel saved;
  saved.classes = saved.spellings = {"0", "1", "2"};
  saved.label = "label";
  saved.model = {3, {layer(5, 3)}};
  saved.recipe.columns = 5;
  saved.recipe.first_index = 0;
  return saved;
}

// Three classes and two rounds of trees, one of which has no splits.
inline SavedModel tree_model() {
  SavedModel saved = array_model();
  saved.model.layers.clear();
  BoostedTrees& boosted = saved.model.boosted;
  boosted.inputs = 5;
  boosted.offsets = {-1.25, 1 / 3.0, 0};
  for (int tree = 0; tree < 5; ++tree) {
    boosted.trees.push_back(
        {{{4, .5F * static_cast<float>(tree), 1, 2}, {0, -0.0F, ~2, ~0}, {3, 1e-40F, ~1, ~3}},
         {.1, -.2, 1e-300, static_cast<double>(tree)}});
  }
  boosted.trees.push_back({{}, {.25}});
  return saved;
}

// Answers by lot as one of three linear models, fair to groups whose noise was known.
inline SavedModel mixture_model() {
  SavedModel saved = table_model();
  saved.model = {};
  saved.mixture.shares = {0.1 + 0.2, 1 / 3.0, 1 - (0.1 + 0.2) - 1 / 3.0};
  for (const float bias : {-1.0F, 0.25F, 1.0F}) {
    saved.mixture.models.push_back({2, {layer(4, 1)}});
    saved.mixture.models.back().layers[0].biases[0] = bias;
  }
  saved.fair = {"equalized-odds",     0.01,     "sex|Stadt \xc3\xbc",
                {"f|\xe4", "m|\xe4"}, {0, 0.1}, {0.3, 1 / 7.0}};
  return saved;
}

// One model with a promise: labels were taken as given.
inline SavedModel fair_model() {
  SavedModel saved = array_model();
  saved.fair = {"demographic-parity", 0.05, "group", {"0", "1"}, {}, {}};
  return saved;
}

inline std::string bytes_of(const SavedModel& model) {
  const testing_support::TemporaryFolder folder;
  OutputFile output(folder.file("m"));
  write_model(model, output);
  output.commit();
  return testing_support::content_of(folder.file("m"));
}

// What read_model says of bytes that it must not take.
inline std::string refusal(const std::string& bytes) {
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

// A file around any header and any weights, its checksum right.
inline std::string file_of(const std::string& header, const std::string& weights,
                           char version = 1) {
  std::string bytes("\x89noise+\n\1\0\0\0", 12);
  bytes[8] = version;
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

}  // namespace noiseplus
