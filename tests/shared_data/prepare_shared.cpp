// What the official files of the real data sets are prepared to.
#include <gtest/gtest.h>

#include <algorithm>

#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

bool equal(MatrixView a, MatrixView b) {
  return a.rows == b.rows && a.columns == b.columns &&
         std::equal(a.data, a.data + a.rows * a.columns, b.data);
}

// Made by others of the same two files: a header put in front, dots and the comment taken out.
TEST(Prepare, AdultIsWhatItsCsvFileHolds) {
  DataRequest request;
  request.path = "../shared/data/adult/adult.csv.gz";
  request.label = "income";
  request.groups = {"sex"};
  const RealSet expected = known_rows("", load(request));
  const RealSet found = adult();
  ASSERT_EQ(found.clean.size(), 48842U);
  EXPECT_TRUE(equal(found.rows.view(), expected.rows.view()));
  EXPECT_EQ(found.clean, expected.clean);
  EXPECT_EQ(found.classes, expected.classes);
  EXPECT_EQ(found.groups, expected.groups);
  EXPECT_EQ(found.group_names, expected.group_names);
}

TEST(Prepare, MnistIsItsPixelsFrom0To1) {
  const Split found = read_mnist("../shared/data/mnist");
  RealSet raw = mnist();
  float* const pixels = raw.rows.row(0);
  std::for_each_n(pixels, raw.rows.rows() * raw.rows.columns(), [](float& pixel) { pixel /= 255; });
  EXPECT_TRUE(equal(found.training.rows.view(), raw.rows.view()));
  EXPECT_EQ(found.training.clean, raw.clean);
  EXPECT_EQ(found.test.clean.size(), 10000U);
}

// As counted in the text of the file.
TEST(Prepare, CifarHasItsWrongLabels) {
  const HumanLabels human = cifar10n();
  const std::pair<std::string, int> wrong_labels[] = {
      {"aggre", 4505}, {"random1", 8617}, {"worse", 20104}};
  ASSERT_EQ(human.given.size(), std::size(wrong_labels));
  for (std::size_t i = 0; i < std::size(wrong_labels); ++i) {
    int wrong = 0;
    for (std::size_t n = 0; n < human.rows.clean.size(); ++n) {
      wrong += human.rows.clean[n] != human.given[i].codes[n] ? 1 : 0;
    }
    EXPECT_EQ(human.given[i].name, wrong_labels[i].first);
    EXPECT_EQ(wrong, wrong_labels[i].second) << human.given[i].name;
  }
}

}  // namespace
}  // namespace noiseplus
