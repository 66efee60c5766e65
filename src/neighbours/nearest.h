// What one anchor knows while the base passes by: its k nearest so far, and the rows that wait for
// their exact distance.
//
// Invariants:
//   1. The order of neighbours is total: distance, seeded hash of the pair, name, row. The k first
//      under it do not depend on the order in which rows were met.
//   2. A row is turned away only when its score proves that k rows with smaller exact distances are
//      known, or when its exact place is after the kth.
//   3. limit() never falls.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "neighbours/bound.h"
#include "noiseplus/util.h"

namespace noiseplus {

// Sum of (a - b)^2 in double, in the one order that defines "exact": column c adds to partial sum
// c mod 8, and the eight are added pairwise. No step may be fused or reordered.
double squared_distance(const float* a, const float* b, std::size_t columns);

// The seeded order of equal distances.
class TieOrder {
 public:
  // Empty names are the rows' indices.
  TieOrder(std::uint64_t seed, std::span<const std::uint32_t> names) : seed_(seed), names_(names) {}

  std::uint32_t name(std::uint32_t row) const { return names_.empty() ? row : names_[row]; }
  std::uint64_t tie(std::uint32_t one_name, std::uint32_t other_name) const;

 private:
  std::uint64_t seed_;
  std::span<const std::uint32_t> names_;
};

struct Neighbour {
  double distance = 0;
  std::uint64_t tie = 0;
  std::uint32_t name = 0;
  std::uint32_t row = 0;
};

bool nearer(const Neighbour& a, const Neighbour& b);

// What all anchors of a search share.
struct SearchSpace {
  MatrixView rows;
  TieOrder ties;
  ScoreBound bound;
  std::size_t k = 0;
};

class AnchorSearch {
 public:
  AnchorSearch(const SearchSpace& space, std::uint32_t row, double squared_norm);

  // Scores below it prove a row too far.
  float limit() const { return limit_; }

  // Notes a row to be measured later, and measures those that wait when they are many.
  void add(std::uint32_t row, float score) {
    if (row == row_) return;
    waiting_.push_back({score, row});
    if (waiting_.size() >= waiting_limit_) settle();
  }

  // The k nearest of all rows added, in order. Call once, at the end.
  std::span<const Neighbour> finish();

 private:
  struct Waiting {
    float score;
    std::uint32_t row;
  };

  void settle();
  void measure(std::uint32_t row);
  bool is_full() const { return nearest_.size() == space_.k; }

  const SearchSpace& space_;
  std::uint32_t row_;
  double squared_norm_;
  std::size_t waiting_limit_;
  float limit_ = std::numeric_limits<float>::lowest();
  std::vector<Waiting> waiting_;
  std::vector<Neighbour> nearest_;  // a heap, the farthest in front
};

}  // namespace noiseplus
