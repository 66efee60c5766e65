#include "neighbors/points.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "neighbors/brute_force.h"
#include "neighbors/distinct.h"
#include "neighbors/hard_data.h"

namespace noiseplus {
namespace {

class NeighborPoints : public ::testing::Test {
 protected:
  Points points(RowsView rows, Metric metric = Metric::euclidean) {
    return Points(rows, metric, pool_, meter_);
  }

  ThreadPool pool_{1};
  Execution execution_;
  ProgressMeter meter_{execution_, "", 1};
};

TEST_F(NeighborPoints, DistancesAreRightForAllLengths) {
  for (std::size_t columns = 0; columns < 200; ++columns) {
    const Matrix matrix = make(kinds[0], 2, columns, columns);
    long double expected = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      const long double difference = static_cast<long double>(matrix.row(0)[c]) - matrix.row(1)[c];
      expected += difference * difference;
    }
    const Points rows = points(matrix.view());
    Points::Scratch scratch(rows);
    const double distance = rows.distance(0, 1, INFINITY, scratch);
    EXPECT_NEAR(distance, static_cast<double>(expected), 1e-14 * static_cast<double>(expected));
    EXPECT_EQ(distance, rows.distance(1, 0, INFINITY, scratch));
    // Up to the last bit the distance itself is not too far, and anything below it is.
    EXPECT_EQ(rows.distance(0, 1, distance, scratch), distance);
    if (columns > 0) {
      EXPECT_EQ(rows.distance(0, 1, std::nextafter(distance, 0), scratch), INFINITY);
    }
  }
}

// The documented order of summation, written out: another order gives other last bits.
TEST_F(NeighborPoints, DistancesAreSummedInTheDocumentedOrder) {
  for (const std::size_t columns : {29U, 64U, 131U}) {
    const Matrix matrix = make(kinds[0], 2, columns, 2);
    for (const Metric metric : {Metric::euclidean, Metric::cosine}) {
      const Points rows = points(matrix.view(), metric);
      Points::Scratch scratch(rows);
      EXPECT_EQ(rows.distance(0, 1, INFINITY, scratch),
                distance_of(coordinates_of(matrix.view(), 0, metric),
                            coordinates_of(matrix.view(), 1, metric)));
    }
  }
}

TEST_F(NeighborPoints, HashesFollowTheValues) {
  Matrix matrix = make(kinds[0], 300, 21, 3);
  std::copy_n(matrix.row(0), 21, matrix.row(1));
  matrix.row(0)[4] = 0;
  matrix.row(1)[4] = -0.0F;
  const Points rows = points(matrix.view());
  Points::Scratch scratch(rows);
  EXPECT_EQ(rows.content_hash(0, scratch), rows.content_hash(1, scratch));
  EXPECT_TRUE(rows.are_equal(0, 1, scratch));
  for (std::size_t c = 0; c < 21; ++c) {
    const std::uint64_t before = rows.content_hash(1, scratch);
    matrix.row(1)[c] = std::nextafter(matrix.row(1)[c], 10.0F);
    EXPECT_NE(rows.content_hash(1, scratch), before);
    EXPECT_FALSE(rows.are_equal(0, 1, scratch));
  }
}

TEST_F(NeighborPoints, EqualRowsAreGrouped) {
  Matrix matrix = make(kinds[0], 5000, 3, 1);
  const auto original = [](std::size_t row) { return row % 3 == 2 ? row : row % 50; };
  for (std::size_t row = 0; row < 5000; ++row) {
    std::copy_n(matrix.row(original(row)), 3, matrix.row(row));
  }
  const Points rows = points(matrix.view());
  const DistinctRows distinct(rows, {7, {}}, pool_, meter_);
  std::size_t members = 0;
  for (std::uint32_t group = 0; group < distinct.size(); ++group) {
    members += distinct.members(group).size();
    ASSERT_EQ(distinct.members(group).size(), distinct.count(group));
    for (const std::uint32_t row : distinct.members(group)) {
      EXPECT_EQ(distinct.group_of(row), group);
      EXPECT_TRUE(
          std::equal(matrix.row(row), matrix.row(row) + 3, matrix.row(distinct.row(group))));
    }
  }
  EXPECT_EQ(members, 5000U);
  std::size_t expected = 0;
  for (std::size_t row = 0; row < 5000; ++row) expected += original(row) == row;
  EXPECT_EQ(distinct.size(), expected);
}

}  // namespace
}  // namespace noiseplus
