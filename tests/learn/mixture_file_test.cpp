// What format 2 adds to the file of a model: a mixture, and a promise of fairness.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "learn/saved_models.h"

namespace noiseplus {
namespace {

const std::string header =
    R"({"label":"y","classes":["a","b"],"spellings":["a","b"],"positive":1,)"
    R"("shares":[0.25,0.75],"models":[[[2,1]],[[2,1]]],)"
    R"("fair":{"constraint":"equalized-odds","tolerance":0.01,"group":"sex","groups":["f","m"],)"
    R"("negative_noise":[0.0,0.1],"positive_noise":[0.2,0.3]},)"
    R"("recipe":{"columns":2,"missing":[],"first_index":null,"encoder":null},"notes":[]})";

const std::string weights(24, '\0');

std::string with(const std::string& what, const std::string& instead) {
  std::string changed = header;
  const std::size_t at = changed.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return changed.replace(at, what.size(), instead);
}

SavedModel read(const std::string& text) {
  return read_model(Bytes(file_of(text, weights, 2)), "m");
}

TEST(MixtureFile, TheLayoutIsAsDocumented) {
  const SavedModel saved = read(header);
  EXPECT_EQ(saved.mixture.shares, (std::vector<double>{.25, .75}));
  EXPECT_TRUE(saved.model.layers.empty());
  EXPECT_EQ(saved.fair->group_name, "sex");
  EXPECT_EQ(saved.fair->positive_noise, (std::vector<double>{.2, .3}));
  EXPECT_EQ(bytes_of(saved), file_of(header, weights, 2));
}

TEST(MixtureFile, OneModelWithAPromiseHasNoShares) {
  const std::string bytes = bytes_of(fair_model());
  EXPECT_EQ(bytes[8], 2);
  EXPECT_NE(bytes.find(R"("shares":[],"models":[[[5,3]]],"fair":{)"), bytes.npos);
}

TEST(MixtureFile, AMixtureNeedsNoPromise) {
  SavedModel saved = mixture_model();
  saved.fair.reset();
  const SavedModel back = read_model(Bytes(bytes_of(saved)), "m");
  EXPECT_FALSE(back.fair);
  EXPECT_EQ(back.mixture.shares, saved.mixture.shares);
}

TEST(MixtureFile, WhatFormatOneHoldsIsNotWrittenAsFormatTwo) {
  const std::string plain = bytes_of(array_model());
  EXPECT_EQ(plain[8], 1);
  refusal(file_of(header, weights, 1));
  std::string bare = with(R"("shares":[0.25,0.75],"models":[[[2,1]],[[2,1]]])",
                          R"("shares":[],"models":[[[2,1]]])");
  EXPECT_FALSE(read_model(Bytes(file_of(bare, weights.substr(12), 2)), "m").mixture.is_one());
  const std::size_t begin = bare.find(R"("fair":)") + 7;
  bare.replace(begin, bare.find(R"(,"recipe")") - begin, "null");
  EXPECT_NE(refusal(file_of(bare, weights.substr(12), 2)).find("it is of format 1 by its content"),
            std::string::npos);
}

TEST(MixtureFile, HeadersThatDoNotFitAreRefused) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"[0.25,0.75]", "[0.25,0.5]"},
      {"[0.25,0.75]", "[0.25,0.750000002]"},
      {"[0.25,0.75]", "[1]"},
      {"[0.25,0.75]", "[]"},
      {"[0.25,0.75]", "[0,1]"},
      {"[0.25,0.75]", "[-0.25,1.25]"},
      {"[0.25,0.75]", "[0.25,0.75,1e-12]"},
      {"[0.25,0.75]", "[0.25,\"0.75\"]"},
      {"[0.25,0.75]", "[0.25,null]"},
      {"[0.25,0.75]", "0.75"},
      {"[[[2,1]],[[2,1]]]", "[[[2,1]],[[1,1],[1,1]]]"},
      {"[[[2,1]],[[2,1]]]", "[[[2,1]],[[2,2]]]"},
      {"[[[2,1]],[[2,1]]]", "[[[2,1]],[]]"},
      {"[[[2,1]],[[2,1]]]", "[[[2,1]],7]"},
      {"[[[2,1]],[[2,1]]]", "[[[2,1]]]"},
      {"[[[2,1]],[[2,1]]]", "[]"},
      {"[[[2,1]],[[2,1]]]", "[[2,1],[2,1]]"},
      {"[[[2,1]],[[2,1]]]", "[[[2,1]],[[2,9223372036854775807],[9223372036854775807,1]]]"},
      {R"("columns":2)", R"("columns":3)"},
      {R"("equalized-odds")", R"("")"},
      {R"("equalized-odds")", "7"},
      {R"("tolerance":0.01)", R"("tolerance":-0.01)"},
      {R"("tolerance":0.01)", R"("tolerance":1.5)"},
      {R"("tolerance":0.01)", R"("tolerance":null)"},
      {R"("tolerance":0.01)", R"("tolerance":1e400)"},
      {R"("tolerance":0.01)", R"("tolerance":0.01,"tolerance":0.01)"},
      {R"("tolerance":0.01)", R"("tolerance":0.01,"more":1)"},
      {R"("tolerance":0.01,)", ""},
      {R"("group":"sex")", R"("group":"")"},
      {R"(["f","m"])", R"(["f","f"])"},
      {R"(["f","m"])", R"(["f",""])"},
      {R"(["f","m"])", R"(["f"])"},
      {R"(["f","m"])", "[]"},
      {"[0.0,0.1]", "[]"},
      {"[0.0,0.1]", "[0.0]"},
      {"[0.0,0.1]", "[0.0,1]"},
      {"[0.0,0.1]", "[-0.1,0.1]"},
      {"[0.2,0.3]", "[0.2,0.3,0.3]"},
      {"[0.2,0.3]", "[0.2,true]"},
      {R"("fair":{)", R"("fair":7,"more":{)"},
      {R"("notes":[])", R"("layers":[[2,1]],"notes":[])"},
  };
  for (const auto& [what, instead] : changes) {
    SCOPED_TRACE(what + " -> " + instead);
    refusal(file_of(with(what, instead), weights, 2));
  }
  refusal(file_of(header, weights.substr(4), 2));
  refusal(file_of(header, weights + weights, 2));
}

TEST(MixtureFile, MoreKeysThanThereCanBeAreRefused) {
  std::string keys;
  for (int key = 0; key < 1000; ++key) keys += "\"k" + std::to_string(key) + "\":0,";
  refusal(file_of(with(R"("tolerance")", keys + R"("tolerance")"), weights, 2));
}

TEST(MixtureFile, WhatMakesNoSenseIsNotWritten) {
  const testing_support::TemporaryFolder folder;
  const auto refuses = [&](auto change) {
    SavedModel model = mixture_model();
    change(model);
    OutputFile output(folder.file("m"));
    EXPECT_THROW(write_model(model, output), Error);
  };
  refuses([](SavedModel& m) { m.mixture.shares[0] = std::nan(""); });
  refuses([](SavedModel& m) { m.mixture.shares[0] += 1e-8; });
  refuses([](SavedModel& m) { m.mixture.shares.pop_back(); });
  refuses([](SavedModel& m) { m.mixture.models.clear(); });
  refuses([](SavedModel& m) { m.mixture.models[2].classes = 3; });
  refuses([](SavedModel& m) { m.mixture.models[2].layers[0].weights.pop_back(); });
  refuses([](SavedModel& m) { m.mixture.models[1].layers[0].biases[0] = std::nanf(""); });
  refuses([](SavedModel& m) { m.model = m.mixture.models[0]; });
  refuses([](SavedModel& m) { m.fair->tolerance = std::numeric_limits<double>::infinity(); });
  refuses([](SavedModel& m) { m.fair->positive_noise[0] = std::nan(""); });
  refuses([](SavedModel& m) { m.fair->groups[0] = m.fair->groups[1]; });
}

}  // namespace
}  // namespace noiseplus
