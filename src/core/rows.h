// Looking through all values of rows, as they are stored. Internal.
#pragma once

#include <algorithm>
#include <bit>

#include "core/half.h"
#include "noiseplus/core.h"

namespace noiseplus {

// See find_value: among the `count` values that value_at(i) gives. Whole blocks are tested without
// a branch because nearly always nothing is found.
template <typename ValueAt, typename Predicate>
std::size_t find_value_at(std::size_t count, ValueAt value_at, Predicate is_wanted) {
  constexpr std::size_t block = 4096;
  for (std::size_t begin = 0; begin < count; begin += block) {
    const std::size_t end = std::min(begin + block, count);
    unsigned found = 0;
    for (std::size_t i = begin; i < end; ++i) found |= is_wanted(value_at(i)) ? 1U : 0U;
    if (found == 0) continue;
    std::size_t first = begin;
    while (!is_wanted(value_at(first))) ++first;
    return first;
  }
  return count;
}

// Where the first value is, counted row by row, for which is_wanted(float) holds; the number of
// values when there is none.
template <typename Predicate>
std::size_t find_value(RowsView rows, Predicate is_wanted) {
  const std::size_t count = rows.rows * rows.columns;
  if (rows.type == ValueType::float32) {
    const auto* floats = static_cast<const float*>(rows.data);
    return find_value_at(
        count, [floats](std::size_t i) { return floats[i]; }, is_wanted);
  }
  const auto* halves = static_cast<const std::uint16_t*>(rows.data);
  return find_value_at(
      count, [halves](std::size_t i) { return widen_half(halves[i]); }, is_wanted);
}

// The same of the first that is infinite, by its bits: NaN is not.
inline std::size_t find_infinity(RowsView rows) {
  return find_value(rows, [](float value) {
    return (std::bit_cast<std::uint32_t>(value) & 0x7fffffffU) == 0x7f800000U;
  });
}

}  // namespace noiseplus
