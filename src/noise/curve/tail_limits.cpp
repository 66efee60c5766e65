#include "noise/curve/tail_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/intervals.h"

namespace noiseplus {
namespace {

// Sizes of the tails, as shares of the rows that are truly of the class.
constexpr std::array<double, 5> tail_shares = {.02, .05, .1, .2, .4};
constexpr std::size_t min_tail_rows = 100;
// The lowest of five limits that overlap is too low more often than each.
constexpr double limit_quantile = 2.2;

}  // namespace

std::vector<double> tail_limits(MatrixView posterior, std::span<const std::int32_t> codes,
                                std::span<const double> prior) {
  const std::size_t rows = posterior.rows;
  std::vector<double> limits(posterior.columns, 1.0);
  std::vector<std::uint32_t> order(rows);
  for (std::size_t i = 0; i < posterior.columns; ++i) {
    const auto wanted = [&](double share) {
      const double size = share * prior[i] * static_cast<double>(rows);
      return std::min(std::max(static_cast<std::size_t>(std::ceil(size)), min_tail_rows), rows);
    };
    const std::size_t longest = wanted(tail_shares.back());
    std::iota(order.begin(), order.end(), 0U);
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(longest);
    std::partial_sort(order.begin(), end, order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const float left = posterior.row(a)[i], right = posterior.row(b)[i];
      return left != right ? left > right : a < b;
    });
    std::size_t counted = 0;
    double others = 0;
    for (const double share : tail_shares) {
      const std::size_t size = wanted(share);
      for (; counted < size; ++counted) {
        others += static_cast<std::size_t>(codes[order[counted]]) != i ? 1 : 0;
      }
      const auto trials = static_cast<double>(size);
      limits[i] = std::min(limits[i], wilson_interval(others, trials, limit_quantile).high);
    }
  }
  return limits;
}

}  // namespace noiseplus
