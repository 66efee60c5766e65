// Highway compiles this file once for each instruction set; see hwy/foreach_target.h.
#include "neighbors/kernel.h"

#include <algorithm>
#include <vector>

#include "core/dispatch.h"
#include "core/thread_pool.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "neighbors/kernel.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace noiseplus {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, panel_rows / 3>;
using Vector = hn::Vec<Lanes>;

// Accumulators are rows x 3 vectors: 24 of 32 registers, or 12 of 16.
//
// With 4 rows at once, each value of the right side is loaded 12 times for a tile. Processors that
// stop at AVX2 mostly have a first cache of 32 KB: in parts of at most 96 columns it holds the left
// panel (18 KB) and the half of the right panel in use (12 KB of cache lines), and only the first
// of those loads goes further. With 8 rows there are half as many loads, and parts gain nothing.
// docs/performance.md has the rates of other sizes.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
constexpr std::size_t rows_at_once = 4;
constexpr std::size_t max_columns_at_once = min_columns_per_sum;
#else
constexpr std::size_t rows_at_once = 8;
constexpr std::size_t max_columns_at_once = max_columns_per_sum;
#endif
static_assert(strip_rows % rows_at_once == 0);

HWY_INLINE std::uint64_t mask_bits(Lanes tag, hn::Mask<Lanes> mask) {
  std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(tag, mask, bytes);
  return static_cast<std::uint64_t>(bytes[0] | (bytes[1] << 8));
}

// Adds the products of a column, which start at left and right, to the sums.
HWY_INLINE void add_products(const float* HWY_RESTRICT left, const float* HWY_RESTRICT right,
                             Vector (&sum)[rows_at_once][3]) {
  const Lanes tag;
  const std::size_t width = hn::Lanes(tag);
  const Vector right0 = hn::Load(tag, right);
  const Vector right1 = hn::Load(tag, right + width);
  const Vector right2 = hn::Load(tag, right + 2 * width);
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows_at_once; ++r) {
    const Vector one = hn::Set(tag, left[r]);
    sum[r][0] = hn::MulAdd(one, right0, sum[r][0]);
    sum[r][1] = hn::MulAdd(one, right1, sum[r][1]);
    sum[r][2] = hn::MulAdd(one, right2, sum[r][2]);
  }
}

// Columns first .. last - 1.
template <bool has_offsets>
HWY_INLINE void sum_products(const Tile& tile, std::size_t a, std::size_t b, std::size_t first,
                             std::size_t last, Vector (&sum)[rows_at_once][3]) {
  const float* HWY_RESTRICT left = tile.left.values + a;
  const float* HWY_RESTRICT right = tile.right.values + b;
  for (std::size_t c = first; c < last; ++c) {
    const std::size_t offset = has_offsets ? tile.offsets[c] : c * panel_rows;
    add_products(left + offset, right + offset, sum);
  }
}

constexpr std::size_t line_bytes = 64;

// Columns first .. last - 1 of a tile, for rows a .. a + rows_at_once - 1 of the left side and the
// three vectors of the right from b on. Where there are more columns before or after, the sums so
// far wait in hits.scores. After the last column, ors the hits' bits to lanes and returns the rows
// that have any. `is_whole` says that these are all columns, which spares the code for the rest.
template <bool has_offsets, bool is_whole>
HWY_INLINE std::uint64_t score_piece(const Tile& tile, std::size_t a, std::size_t b,
                                     std::size_t first, std::size_t last, TileHits& hits) {
  const Lanes tag;
  const std::size_t width = hn::Lanes(tag);
  Vector total[rows_at_once][3];
  if (is_whole || first == 0) {
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows_at_once; ++r) {
      const Vector start = hn::Set(tag, tile.left.starts[a + r]);
      HWY_UNROLL(3)
      for (std::size_t v = 0; v < 3; ++v) {
        total[r][v] = hn::Add(start, hn::Load(tag, tile.right.starts + b + v * width));
      }
    }
  } else {
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows_at_once; ++r) {
      HWY_UNROLL(3)
      for (std::size_t v = 0; v < 3; ++v) total[r][v] = hn::Zero(tag);
    }
  }
  sum_products<has_offsets>(tile, a, b, first, last, total);
  if (!is_whole && first != 0) {
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows_at_once; ++r) {
      HWY_UNROLL(3)
      for (std::size_t v = 0; v < 3; ++v) {
        total[r][v] = hn::Add(hn::Load(tag, hits.scores[a + r] + b + v * width), total[r][v]);
      }
    }
  }
  if (!is_whole && last != tile.columns) {
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows_at_once; ++r) {
      HWY_UNROLL(3)
      for (std::size_t v = 0; v < 3; ++v) {
        hn::Store(total[r][v], tag, hits.scores[a + r] + b + v * width);
      }
    }
    return 0;
  }

  std::uint64_t rows_hit = 0;
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows_at_once; ++r) {
    const Vector left = hn::Set(tag, tile.left.limits[a + r]);
    const Vector limit0 = hn::Min(left, hn::Load(tag, tile.right.limits + b));
    const Vector limit1 = hn::Min(left, hn::Load(tag, tile.right.limits + b + width));
    const Vector limit2 = hn::Min(left, hn::Load(tag, tile.right.limits + b + 2 * width));
    const auto hit0 = hn::Ge(total[r][0], limit0);
    const auto hit1 = hn::Ge(total[r][1], limit1);
    const auto hit2 = hn::Ge(total[r][2], limit2);
    if (HWY_LIKELY(hn::AllFalse(tag, hn::Or(hit0, hn::Or(hit1, hit2))))) continue;
    float* const scores = hits.scores[a + r] + b;
    hn::Store(total[r][0], tag, scores);
    hn::Store(total[r][1], tag, scores + width);
    hn::Store(total[r][2], tag, scores + 2 * width);
    hits.lanes[a + r] |=
        (mask_bits(tag, hit0) | mask_bits(tag, hit1) << width | mask_bits(tag, hit2) << (2 * width))
        << b;
    rows_hit |= std::uint64_t{1} << (a + r);
  }
  return rows_hit;
}

template <bool has_offsets, bool is_whole>
std::uint64_t score_strips(const Tile& tile, std::uint32_t strips, TileHits& hits) {
  std::uint64_t rows_hit = 0;
  const char* upcoming = reinterpret_cast<const char*>(tile.upcoming.values);
  const std::size_t parts = is_whole ? 1 : ceiling_of_quotient(tile.columns, max_columns_at_once);
  const std::size_t columns_of_part = ceiling_of_quotient(tile.columns, parts);
  const std::size_t upcoming_bytes =
      ceiling_of_quotient(tile.upcoming.bytes_a_strip, parts * line_bytes) * line_bytes;
  std::size_t first = 0;
  do {
    const std::size_t last =
        is_whole ? tile.columns : std::min(first + columns_of_part, tile.columns);
    for (std::size_t b = 0; b < panel_rows; b += 3 * hn::Lanes(Lanes())) {
      for (std::size_t a = 0; a < panel_rows; a += rows_at_once) {
        if ((strips >> (a / strip_rows) & 1U) == 0) continue;
        if (b == 0 && a % strip_rows == 0) {
          for (std::size_t byte = 0; byte < upcoming_bytes; byte += line_bytes) {
            __builtin_prefetch(upcoming + byte, 0, 2);  // to the second cache
          }
          upcoming += upcoming_bytes;
        }
        rows_hit |= score_piece<has_offsets, is_whole>(tile, a, b, first, last, hits);
      }
    }
    first = last;
  } while (!is_whole && first < tile.columns);
  return rows_hit;
}

std::uint64_t score_tile(const Tile& tile, std::uint32_t strips, TileHits& hits) {
  std::fill_n(hits.lanes, panel_rows, 0U);
  const bool is_whole = tile.columns <= max_columns_at_once;
  if (tile.offsets != nullptr) {
    return is_whole ? score_strips<true, true>(tile, strips, hits)
                    : score_strips<true, false>(tile, strips, hits);
  }
  return is_whole ? score_strips<false, true>(tile, strips, hits)
                  : score_strips<false, false>(tile, strips, hits);
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

std::span<const Kernel> available_kernels() {
  static constexpr Kernel (*compiled[])() = {HWY_CHOOSE_TARGET_LIST(kernel)};
  static const std::vector<Kernel> kernels =
      supported_kernels(compiled, Kernel{"SCALAR", score_tile_scalar});
  return kernels;
}

}  // namespace noiseplus
#endif
