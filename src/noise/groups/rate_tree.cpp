#include "noise/groups/rate_tree.h"

#include <algorithm>
#include <limits>

#include "core/portable_math.h"

namespace noiseplus {
namespace {

constexpr std::size_t max_unsplit = 8;
// Far more than the rounding of a few operations.
constexpr double lead_rounding = 1e-12;

}  // namespace

double lead_of(const RateWithError& accused, const RateWithError& other, double errors) {
  return accused.value - other.value - errors * portable::hypot(accused.error, other.error);
}

LeadBounds lead_bounds(const RateWithError& accused, const RateBox& box, double errors) {
  const double most = errors * portable::hypot(accused.error, box.max_error) * (1 + lead_rounding);
  const double least = errors * portable::hypot(accused.error, box.min_error) * (1 - lead_rounding);
  return {accused.value - box.max_value - most - lead_rounding,
          accused.value - box.min_value - least + lead_rounding};
}

RateTree::RateTree(std::vector<RateWithError> rates) : rates_(std::move(rates)) {
  if (!rates_.empty()) add_box(0, rates_.size());
}

std::size_t RateTree::add_box(std::size_t begin, std::size_t end) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  RateBox box{infinity, -infinity, infinity, -infinity, infinity, begin, end};
  for (std::size_t i = begin; i < end; ++i) {
    const RateWithError& rate = rates_[i];
    box.min_value = std::min(box.min_value, rate.value);
    box.max_value = std::max(box.max_value, rate.value);
    box.min_error = std::min(box.min_error, rate.error);
    box.max_error = std::max(box.max_error, rate.error);
    box.min_high = std::min(box.min_high, rate.high);
  }
  const std::size_t number = boxes_.size();
  boxes_.push_back(box);
  if (end - begin <= max_unsplit) return number;
  const bool by_error = box.max_error - box.min_error > box.max_value - box.min_value;
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [&](std::size_t i) { return rates_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end),
                   [&](const RateWithError& a, const RateWithError& b) {
                     const double of_a = by_error ? a.error : a.value;
                     const double of_b = by_error ? b.error : b.value;
                     return of_a != of_b ? of_a < of_b : a.position < b.position;
                   });
  const std::size_t left = add_box(begin, middle);
  const std::size_t right = add_box(middle, end);
  boxes_[number].left = left;
  boxes_[number].right = right;
  return number;
}

}  // namespace noiseplus
