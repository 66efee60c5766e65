#include "pipeline/row_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace noiseplus {
namespace {

constexpr std::size_t reach = 10;  // rows before and after a row that are looked at
constexpr std::size_t min_rows = 100;
// Fewer rows without the most frequent label may stand together by chance.
constexpr std::size_t min_other_rows = 20;
// Labels of the neighbors in the file miss at most this share of what the most frequent label
// misses.
constexpr double max_relative_misses = .5;

// Rows of which their own label is not the most frequent around them; they do not count themselves.
std::size_t missed_by_order(std::span<const std::int32_t> codes, std::size_t classes) {
  const std::size_t rows = codes.size();
  std::vector<std::size_t> around(classes);
  const auto count_of = [&](std::size_t n) -> std::size_t& {
    return around[static_cast<std::size_t>(codes[n])];
  };
  for (std::size_t n = 0; n < std::min(reach, rows); ++n) ++count_of(n);
  std::size_t missed = 0;
  for (std::size_t n = 0; n < rows; ++n) {
    if (n + reach < rows) ++count_of(n + reach);
    if (n > reach) --count_of(n - reach - 1);
    const std::size_t own = --count_of(n);
    const std::size_t first = n - std::min(n, reach), last = std::min(n + reach + 1, rows);
    bool is_beaten = own == 0;
    for (std::size_t m = first; m < last && !is_beaten; ++m) {
      is_beaten = codes[m] != codes[n] && count_of(m) >= own;
    }
    missed += is_beaten ? 1 : 0;
    ++count_of(n);
  }
  return missed;
}

}  // namespace

std::string row_order_warning(std::span<const std::int32_t> codes, std::size_t classes) {
  const std::size_t rows = codes.size();
  if (rows < min_rows) return "";
  std::vector<std::size_t> label_rows(classes);
  for (const std::int32_t code : codes) ++label_rows[static_cast<std::size_t>(code)];
  const std::size_t others = rows - *std::max_element(label_rows.begin(), label_rows.end());
  if (others < min_other_rows) return "";
  const std::size_t missed = missed_by_order(codes, classes);
  if (static_cast<double>(missed) > max_relative_misses * static_cast<double>(others)) return "";
  const auto percent_of = [&](std::size_t wrong) {
    const double share = 100 * static_cast<double>(rows - wrong) / static_cast<double>(rows);
    // Never "100.0 %" for labels of which some are missed.
    return wrong == 0 ? std::string("100 %") : fmt::format("{:.1f} %", std::min(share, 99.9));
  };
  return fmt::format(
      "labels come in blocks of rows: the order of the rows alone reproduces {} of them (the most "
      "frequent label {}). The order is not used as a feature. Check that no column carries it, "
      "such as an id, a date or a file name (leave such a column out), and that rows were not "
      "labeled block by block",
      percent_of(missed), percent_of(others));
}

}  // namespace noiseplus
