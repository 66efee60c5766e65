#include "pipeline/group_rows.h"

#include <gtest/gtest.h>

namespace noiseplus {
namespace {

// Ten thousand groups of six rows each on average, some of them empty.
Dataset dataset_of_many_groups(std::size_t rows, std::size_t groups) {
  Dataset dataset;
  Matrix features(rows, 2);
  for (std::size_t n = 0; n < rows; ++n) {
    features.row(n)[0] = static_cast<float>(n);
    features.row(n)[1] = static_cast<float>(2 * n);
    dataset.labels.codes.push_back(static_cast<std::int32_t>(n % 3));
    const double u = uniform(1, Stream::generate, n);
    dataset.groups.codes.push_back(static_cast<std::int32_t>(u * static_cast<double>(groups)));
  }
  dataset.features = Features(std::move(features));
  for (std::size_t g = 0; g < groups; ++g) dataset.groups.classes.push_back(std::to_string(g));
  return dataset;
}

TEST(RowsByGroup, EachGroupHasItsRowsInOrderWithTheirLabels) {
  const Dataset dataset = dataset_of_many_groups(60000, 10000);
  const RowsByGroup by_group(dataset);
  std::size_t rows = 0;
  for (std::size_t g = 0; g < 10000; ++g) {
    const GroupRows part = by_group.of(g);
    ASSERT_EQ(part.rows.rows(), part.codes.size());
    ASSERT_EQ(part.codes, by_group.codes_of(g));
    for (std::size_t i = 0; i < part.codes.size(); ++i) {
      const auto n = static_cast<std::size_t>(part.rows.row(i)[0]);
      ASSERT_EQ(part.rows.row(i)[1], static_cast<float>(2 * n));
      ASSERT_EQ(dataset.groups.codes[n], static_cast<std::int32_t>(g));
      ASSERT_EQ(part.codes[i], dataset.labels.codes[n]);
      if (i > 0) {
        ASSERT_LT(part.rows.row(i - 1)[0], part.rows.row(i)[0]);
      }
    }
    rows += part.codes.size();
  }
  EXPECT_EQ(rows, 60000U);
}

TEST(RowsByGroup, OtherLabelsMayStandInForThoseOfTheDataSet) {
  const Dataset dataset = dataset_of_many_groups(100, 4);
  const std::vector<std::int32_t> codes(100, 7);
  EXPECT_EQ(RowsByGroup(dataset, codes).of(2).codes[0], 7);
}

}  // namespace
}  // namespace noiseplus
