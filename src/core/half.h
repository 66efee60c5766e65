// Numbers of 16 bits as IEEE 754 has them (binary16), which C++20 has no type for: here they are
// their bits. Internal.
#pragma once

#include <bit>
#include <cstdint>

namespace noiseplus {

// All bits when a < b, else none: of `?:` the compiler may make a branch. REQUIRES: a, b < 2^31.
inline std::uint32_t mask_if_less(std::uint32_t a, std::uint32_t b) {
  return 0U - ((a - b) >> 31);
}

// The float of the same value; infinities, zeros and NaN keep their sign, and NaN its bits. Without
// branches, so that the compiler makes vectors of a loop, and without subnormal floats, which many
// processors are slow at and some programs have them take for zero.
inline float widen_half(std::uint16_t half) {
  constexpr std::uint32_t rebias = (127U - 15U) << 23;  // from a half's exponent to a float's
  constexpr std::uint32_t first_normal = 0x0400U << 13;
  constexpr std::uint32_t infinity = 0x7c00U << 13;
  const std::uint32_t sign = (half & 0x8000U) << 16;
  const std::uint32_t magnitude = (half & 0x7fffU) << 13;  // the fields where a float has its own

  // A subnormal half lacks the leading 1 that a float has: it is written with the 1, which is worth
  // the least normal half, and that is subtracted again.
  const std::uint32_t if_subnormal = mask_if_less(magnitude, first_normal);
  const auto with_one = std::bit_cast<float>(magnitude + rebias + (if_subnormal & first_normal));
  const auto one = std::bit_cast<float>(if_subnormal & (rebias + first_normal));
  const auto value = std::bit_cast<std::uint32_t>(with_one - one);
  // Infinity and NaN need the exponent of all ones, so they are moved up once more.
  const std::uint32_t to_top = ~mask_if_less(magnitude, infinity) & rebias;
  return std::bit_cast<float>(sign | (value + to_top));
}

}  // namespace noiseplus
