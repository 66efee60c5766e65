#include <bit>

#include "noiseplus/util.h"

namespace noiseplus {
namespace {

// Without branches, so that the compiler makes vectors of it. A half's bits, shifted to where a
// float has its own, are the value times 2^-112; infinity and NaN keep an exponent of all ones.
float widen(std::uint16_t half) {
  const std::uint32_t magnitude = static_cast<std::uint32_t>(half & 0x7fffU) << 13;
  const std::uint32_t scaled = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112F);
  const std::uint32_t special = magnitude >= 0x0f800000U ? 0x7f800000U : 0U;
  return std::bit_cast<float>(scaled | special | static_cast<std::uint32_t>(half & 0x8000U) << 16);
}

}  // namespace

const float* RowsView::row(std::size_t i, float* buffer) const {
  if (type == ValueType::float32) return static_cast<const float*>(data) + i * columns;
  const std::uint16_t* const halves = static_cast<const std::uint16_t*>(data) + i * columns;
  for (std::size_t c = 0; c < columns; ++c) buffer[c] = widen(halves[c]);
  return buffer;
}

}  // namespace noiseplus
