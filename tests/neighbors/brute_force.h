// The definition of "the k nearest neighbors" (neighbors.h), written out: every pair measured.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <vector>

#include "neighbors/points.h"
#include "neighbors/ties.h"
#include "noiseplus/neighbors.h"

namespace noiseplus {

// Column c adds to partial sum c mod 8; the eight are added pairwise.
inline double pairwise_sum(const double (&sums)[8]) {
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

inline std::vector<double> coordinates_of(RowsView rows, std::size_t row, Metric metric) {
  std::vector<float> buffer(rows.columns);
  const float* const values = rows.row(row, buffer.data());
  std::vector<double> result(values, values + rows.columns);
  if (metric == Metric::euclidean) return result;
  double sums[8] = {};
  for (std::size_t c = 0; c < result.size(); ++c) sums[c % 8] += result[c] * result[c];
  const double factor = 1 / std::sqrt(pairwise_sum(sums));
  for (double& value : result) value *= factor;
  return result;
}

inline double distance_of(const std::vector<double>& a, const std::vector<double>& b) {
  double sums[8] = {};
  for (std::size_t c = 0; c < a.size(); ++c) sums[c % 8] += (a[c] - b[c]) * (a[c] - b[c]);
  return pairwise_sum(sums);
}

inline NeighborGraph brute_force(RowsView rows, const NeighborOptions& options) {
  ThreadPool pool(1);
  const Execution execution;
  ProgressMeter meter(execution, "", 1);
  const Points points(rows, options.metric, pool, meter);
  Points::Scratch scratch(points);
  const TieOrder ties(options.seed, options.row_ids);
  std::vector<std::vector<double>> coordinates(rows.rows);
  std::vector<std::uint64_t> contents(rows.rows);
  for (std::uint32_t row = 0; row < rows.rows; ++row) {
    coordinates[row] = coordinates_of(rows, row, options.metric);
    contents[row] = points.content_hash(row, scratch);
  }
  NeighborGraph graph;
  graph.k = options.k;
  graph.anchors.assign(options.anchors.begin(), options.anchors.end());
  for (std::uint32_t row = 0; options.anchors.empty() && row < rows.rows; ++row) {
    graph.anchors.push_back(row);
  }
  std::vector<std::tuple<double, std::uint64_t, std::uint64_t, std::uint32_t>> all;
  for (const std::uint32_t a : graph.anchors) {
    all.clear();
    for (std::uint32_t b = 0; b < rows.rows; ++b) {
      if (a == b) continue;
      all.emplace_back(distance_of(coordinates[a], coordinates[b]),
                       ties.between(contents[a], contents[b]),
                       ties.place(b) - ties.first_place_for(a), b);
    }
    std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(options.k), all.end());
    for (std::size_t j = 0; j < options.k; ++j) {
      graph.ids.push_back(std::get<3>(all[j]));
      graph.distances.push_back(static_cast<float>(std::get<0>(all[j])));
    }
  }
  return graph;
}

inline void expect_equal(const NeighborGraph& found, const NeighborGraph& expected) {
  EXPECT_EQ(found.k, expected.k);
  EXPECT_EQ(found.anchors, expected.anchors);
  EXPECT_EQ(found.ids, expected.ids);
  EXPECT_EQ(found.distances, expected.distances);
}

}  // namespace noiseplus
