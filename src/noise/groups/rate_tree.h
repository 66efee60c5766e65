// Rates with their errors, ordered so that a search for differences beyond chance looks at few of
// them. Internal.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace noiseplus {

struct RateWithError {
  double value = 0;  // from 0 to 1
  double error = 0;  // 0 or more
  double high = 0;   // the upper end of its interval
  std::size_t position = 0;
};

// By how much `accused` is higher than `other` beyond chance, for differences that count from
// `errors` standard errors on.
double lead_of(const RateWithError& accused, const RateWithError& other, double errors);

// Some of the rates that a search can take or leave together.
struct RateBox {
  double min_value = 0, max_value = 0, min_error = 0, max_error = 0, min_high = 0;
  std::size_t begin = 0, end = 0;   // in RateTree::rates()
  std::size_t left = 0, right = 0;  // boxes; 0 where it is not split
};

// What lead_of gives for `accused` and any rate of the box is from `low` to `high`, rounding
// included.
struct LeadBounds {
  double low = 0, high = 0;
};
LeadBounds lead_bounds(const RateWithError& accused, const RateBox& box, double errors);

// A tree of boxes that are split at the median of their longer side. Takes O(n log n) to make.
class RateTree {
 public:
  explicit RateTree(std::vector<RateWithError> rates);

  std::span<const RateWithError> rates() const { return rates_; }

  // Calls `visits` for boxes from the root down: one that it says no to is not opened. Calls `look`
  // for each rate in the smallest boxes that are reached.
  template <typename Visits, typename Look>
  void walk(const Visits& visits, const Look& look) const {
    if (!boxes_.empty()) walk_box(0, visits, look);
  }

 private:
  std::size_t add_box(std::size_t begin, std::size_t end);

  template <typename Visits, typename Look>
  void walk_box(std::size_t number, const Visits& visits, const Look& look) const {
    const RateBox& box = boxes_[number];
    if (!visits(box)) return;
    if (box.left == 0) {
      for (std::size_t i = box.begin; i < box.end; ++i) look(rates_[i]);
      return;
    }
    walk_box(box.left, visits, look);
    walk_box(box.right, visits, look);
  }

  std::vector<RateWithError> rates_;
  std::vector<RateBox> boxes_;
};

}  // namespace noiseplus
