#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/portable_math.h"
#include "core/row_count.h"
#include "noiseplus/core.h"

namespace noiseplus {
namespace {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64 bits that passes
// BigCrush when fed a counter.
std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  x ^= x >> 31;
  return x;
}

constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

double to_unit(std::uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

}  // namespace

std::uint64_t hash(std::uint64_t seed, Stream stream, std::uint64_t row) {
  const std::uint64_t key = mix(mix(seed + golden) + static_cast<std::uint64_t>(stream) * golden);
  return mix(key + (row + 1) * golden);
}

std::uint64_t hash(std::uint64_t seed, Stream stream, std::uint64_t row, std::uint64_t draw) {
  return mix(hash(seed, stream, row) + (draw + 1) * golden);
}

double uniform(std::uint64_t seed, Stream stream, std::uint64_t row) {
  return to_unit(hash(seed, stream, row));
}

double uniform(std::uint64_t seed, Stream stream, std::uint64_t row, std::uint64_t draw) {
  return to_unit(hash(seed, stream, row, draw));
}

double normal(std::uint64_t seed, Stream stream, std::uint64_t row, std::uint64_t draw) {
  const double radius = uniform(seed, stream, row, 2 * draw);
  const double angle = uniform(seed, stream, row, 2 * draw + 1);
  return std::sqrt(-2 * portable::log1p(-radius)) * portable::cos_pi(2 * angle);
}

std::vector<std::uint32_t> sample_rows(std::size_t rows, std::size_t count, std::uint64_t seed,
                                       Stream stream) {
  check_row_count(rows);
  std::vector<std::uint32_t> sample(rows);
  std::iota(sample.begin(), sample.end(), 0U);
  if (count >= rows) return sample;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t ha = hash(seed, stream, a);
    const std::uint64_t hb = hash(seed, stream, b);
    return ha != hb ? ha < hb : a < b;
  };
  std::nth_element(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(count),
                   sample.end(), before);
  sample.resize(count);
  std::sort(sample.begin(), sample.end());
  return sample;
}

}  // namespace noiseplus
