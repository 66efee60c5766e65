// Highway compiles this file once for each instruction set; see hwy/foreach_target.h.
#include "neighbours/kernel.h"

#include <algorithm>
#include <vector>

// Vectors of unknown length cannot be kept in arrays, which the accumulators are. A processor that
// stops at SSSE3 is old enough for the scalar twin.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neighbours/kernel.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace noiseplus {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, base_lanes / 2>;
using Vector = hn::Vec<Lanes>;

// Accumulators are strip_rows x 2 vectors: 24 of 32 registers, or 12 of 16.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
constexpr std::size_t strip_rows = 6;
#else
constexpr std::size_t strip_rows = 12;
#endif
static_assert(anchor_lanes % strip_rows == 0);

HWY_INLINE std::uint32_t mask_bits(Lanes tag, hn::Mask<Lanes> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(tag, mask, bytes);
  return static_cast<std::uint32_t>(bytes[0] | (bytes[1] << 8));
}

// Anchors a .. a + strip_rows - 1 against the two vectors of base rows from b on.
HWY_INLINE std::uint32_t score_strip(const Tile& tile, std::size_t a, std::size_t b,
                                     TileHits& hits) {
  const Lanes tag;
  const std::size_t width = hn::Lanes(tag);
  Vector total[strip_rows][2];
  HWY_UNROLL(12)
  for (std::size_t r = 0; r < strip_rows; ++r) {
    total[r][0] = hn::Load(tag, tile.starts + b);
    total[r][1] = hn::Load(tag, tile.starts + b + width);
  }
  for (std::size_t first = 0; first < tile.columns; first += columns_per_sum) {
    const std::size_t count = std::min(columns_per_sum, tile.columns - first);
    const float* HWY_RESTRICT anchors = tile.anchors + first * anchor_lanes + a;
    const float* HWY_RESTRICT base = tile.base + first * base_lanes + b;
    Vector sum[strip_rows][2];
    HWY_UNROLL(12)
    for (std::size_t r = 0; r < strip_rows; ++r) sum[r][0] = sum[r][1] = hn::Zero(tag);
    for (std::size_t c = 0; c < count; ++c) {
      const Vector base0 = hn::Load(tag, base);
      const Vector base1 = hn::Load(tag, base + width);
      HWY_UNROLL(12)
      for (std::size_t r = 0; r < strip_rows; ++r) {
        const Vector anchor = hn::Set(tag, anchors[r]);
        sum[r][0] = hn::MulAdd(anchor, base0, sum[r][0]);
        sum[r][1] = hn::MulAdd(anchor, base1, sum[r][1]);
      }
      anchors += anchor_lanes;
      base += base_lanes;
    }
    HWY_UNROLL(12)
    for (std::size_t r = 0; r < strip_rows; ++r) {
      total[r][0] = hn::Add(total[r][0], sum[r][0]);
      total[r][1] = hn::Add(total[r][1], sum[r][1]);
    }
  }
  std::uint32_t anchors_hit = 0;
  HWY_UNROLL(12)
  for (std::size_t r = 0; r < strip_rows; ++r) {
    const Vector limit = hn::Set(tag, tile.limits[a + r]);
    const auto hit0 = hn::Ge(total[r][0], limit);
    const auto hit1 = hn::Ge(total[r][1], limit);
    if (HWY_LIKELY(hn::AllFalse(tag, hn::Or(hit0, hit1)))) continue;
    hn::Store(total[r][0], tag, hits.scores[a + r] + b);
    hn::Store(total[r][1], tag, hits.scores[a + r] + b + width);
    hits.lanes[a + r] |= mask_bits(tag, hit0) << b | mask_bits(tag, hit1) << (b + width);
    anchors_hit |= 1U << (a + r);
  }
  return anchors_hit;
}

std::uint32_t score_tile(const Tile& tile, TileHits& hits) {
  std::fill_n(hits.lanes, anchor_lanes, 0U);
  std::uint32_t anchors_hit = 0;
  for (std::size_t a = 0; a < anchor_lanes; a += strip_rows) {
    for (std::size_t b = 0; b < base_lanes; b += 2 * hn::Lanes(Lanes())) {
      anchors_hit |= score_strip(tile, a, b, hits);
    }
  }
  return anchors_hit;
}

Kernel kernel() {
  return {hwy::TargetName(HWY_TARGET), score_tile};
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace noiseplus
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noiseplus {
namespace {

std::vector<Kernel> find_kernels() {
  std::vector<Kernel> kernels;
#ifdef HWY_CHOOSE_TARGET_LIST
  // Best target first, each at the place of its bit.
  Kernel (*const compiled[])() = {HWY_CHOOSE_TARGET_LIST(kernel)};
  constexpr int first_bit = HWY_HIGHEST_TARGET_BIT + 1 - HWY_MAX_DYNAMIC_TARGETS;
  const std::int64_t supported = hwy::SupportedTargets();
  for (int i = 0; i < HWY_MAX_DYNAMIC_TARGETS; ++i) {
    if (compiled[i] && (supported >> (first_bit + i) & 1)) kernels.push_back(compiled[i]());
  }
#endif
  kernels.push_back({"SCALAR", score_tile_scalar});
  return kernels;
}

}  // namespace

std::span<const Kernel> available_kernels() {
  static const std::vector<Kernel> kernels = find_kernels();
  return kernels;
}

}  // namespace noiseplus
#endif
