// The rows under their metric: the coordinates distances are made of, and "exact" distances.
//
// Invariants:
//   1. A distance is the sum of (a - b)^2 in double in the one order that defines "exact": column c
//      adds to partial sum c mod 8, and the eight are added pairwise. No step is fused or
//      reordered.
//   2. Under the cosine metric a coordinate is the double product of the value and one over its
//      row's length; under the Euclidean one it is the value.
//   3. Rows of equal values are at distance 0; so may others be, under the cosine metric only.
#pragma once

#include <cstdint>
#include <vector>

#include "core/thread_pool.h"
#include "noiseplus/neighbors.h"

namespace noiseplus {

class Points {
 public:
  // Throws data when a value is not finite, or a row is all zeros and the metric is the cosine.
  // Steps the meter once for each `rows_at_once` rows.
  Points(RowsView rows, Metric metric, ThreadPool& pool, ProgressMeter& meter);

  static constexpr std::size_t rows_at_once = 256;

  std::size_t rows() const { return rows_.rows; }
  std::size_t columns() const { return rows_.columns; }

  // The values as floats; see RowsView::row.
  const float* values(std::uint32_t row, float* buffer) const { return rows_.row(row, buffer); }

  // What the row's values are multiplied by.
  double factor(std::uint32_t row) const { return factors_.empty() ? 1 : factors_[row]; }

  // Room for two rows as floats, where they are not stored as such. One for each thread.
  struct Scratch {
    explicit Scratch(const Points& points) {
      if (points.rows_.type == ValueType::float32) return;
      first.resize(points.columns());
      second.resize(points.columns());
    }
    std::vector<float> first, second;
  };

  // The exact squared distance, or infinity once it is known to be more than give_up.
  double distance(std::uint32_t a, std::uint32_t b, double give_up, Scratch& scratch) const;

  bool are_equal(std::uint32_t a, std::uint32_t b, Scratch& scratch) const;

  // Equal rows have equal hashes; the values count, so that 0 and -0 do not differ.
  std::uint64_t content_hash(std::uint32_t row, Scratch& scratch) const;

 private:
  bool accept(std::size_t row, float* buffer);
  [[noreturn]] void throw_refused(std::size_t row) const;

  RowsView rows_;
  std::vector<double> factors_;  // empty where all are 1
};

}  // namespace noiseplus
