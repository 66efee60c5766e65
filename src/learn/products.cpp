// Highway compiles this file once for each instruction set; see hwy/foreach_target.h.
#include "learn/products.h"

#include <algorithm>
#include <vector>

#include "util/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/products.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace noiseplus {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;

// Tiles are rows x 3 vectors: 24 of 32 registers, or 12 of 16.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
constexpr std::size_t rows_at_once = 4;
#else
constexpr std::size_t rows_at_once = 8;
#endif
constexpr std::size_t vectors_at_once = 3;
constexpr std::size_t most_lanes = 16;

// How many of the last rows may not be read in vectors that reach `behind` floats past their ends,
// because these would reach past the end of the last one. Narrow rows are several.
std::size_t rows_at_the_end(std::size_t behind, std::size_t stride) {
  return std::max<std::size_t>(1, (behind + stride - 1) / std::max<std::size_t>(stride, 1));
}

// The last rows of a matrix from one column on, copied to where whole vectors can be read.
template <std::size_t vectors>
struct LastRows {
  static constexpr std::size_t stride = vectors * most_lanes;
  std::size_t count = 0;
  float values[most_lanes * stride];

  LastRows(const float* matrix, std::size_t rows, std::size_t matrix_stride, std::size_t columns) {
    const std::size_t width = vectors * hn::Lanes(Lanes());
    const std::size_t copied = std::min(columns, width);
    count = std::min(rows, rows_at_the_end(width - copied, matrix_stride));
    for (std::size_t l = 0; l < count; ++l) {
      float* const row = values + l * stride;
      std::copy_n(matrix + (rows - count + l) * matrix_stride, copied, row);
      std::fill(row + copied, row + width, 0.0F);
    }
  }
};

template <std::size_t rows, std::size_t vectors>
HWY_INLINE void add_products(const float* HWY_RESTRICT left, std::size_t left_stride,
                             const float* HWY_RESTRICT right, Vector (&sum)[rows][vectors]) {
  const Lanes tag;
  Vector values[vectors];
  HWY_UNROLL(3)
  for (std::size_t v = 0; v < vectors; ++v) values[v] = hn::LoadU(tag, right + v * hn::Lanes(tag));
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    const Vector one = hn::Set(tag, left[r * left_stride]);
    HWY_UNROLL(3)
    for (std::size_t v = 0; v < vectors; ++v) sum[r][v] = hn::MulAdd(one, values[v], sum[r][v]);
  }
}

// A tile of the result from (i, j) on. `last` are the last rows of the right side from j on.
template <std::size_t rows, std::size_t vectors>
HWY_INLINE void multiply_tile(const Product& product, std::size_t i, std::size_t j,
                              const LastRows<vectors>& last) {
  const Lanes tag;
  Vector sum[rows][vectors];
  HWY_UNROLL(3)
  for (std::size_t v = 0; v < vectors; ++v) {
    const Vector start = product.start != nullptr
                             ? hn::LoadU(tag, product.start + j + v * hn::Lanes(tag))
                             : hn::Zero(tag);
    HWY_UNROLL(8)
    for (std::size_t r = 0; r < rows; ++r) sum[r][v] = start;
  }
  const float* left = product.left + i * product.left_row_stride;
  const float* right = product.right + j;
  for (std::size_t l = 0; l + last.count < product.inner; ++l) {
    add_products<rows, vectors>(left, product.left_row_stride, right, sum);
    left += product.left_inner_stride;
    right += product.right_stride;
  }
  for (std::size_t l = 0; l < last.count; ++l) {
    add_products<rows, vectors>(left, product.left_row_stride, last.values + l * last.stride, sum);
    left += product.left_inner_stride;
  }
  float* result = product.result + i * product.result_stride + j;
  HWY_UNROLL(8)
  for (std::size_t r = 0; r < rows; ++r) {
    HWY_UNROLL(3)
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::StoreU(sum[r][v], tag, result + r * product.result_stride + v * hn::Lanes(tag));
    }
  }
}

template <std::size_t vectors>
void multiply_panel(const Product& product, std::size_t j) {
  const LastRows<vectors> last(product.right + j, product.inner, product.right_stride,
                               product.columns - j);
  std::size_t i = 0;
  for (; i + rows_at_once <= product.rows; i += rows_at_once) {
    multiply_tile<rows_at_once, vectors>(product, i, j, last);
  }
  for (; i + 2 <= product.rows; i += 2) multiply_tile<2, vectors>(product, i, j, last);
  for (; i < product.rows; ++i) multiply_tile<1, vectors>(product, i, j, last);
}

void multiply(const Product& product) {
  const std::size_t width = hn::Lanes(Lanes());
  std::size_t j = 0;
  for (; j + 2 * width < product.columns; j += 3 * width) multiply_panel<3>(product, j);
  if (j + width < product.columns) {
    multiply_panel<2>(product, j);
  } else if (j < product.columns) {
    multiply_panel<1>(product, j);
  }
}

// Four rows share each load of the weights.
template <std::size_t rows>
HWY_INLINE void dot_rows(const RowBlock& block, std::size_t i, const float* weights, float start,
                         float* result) {
  const Lanes tag;
  Vector sum[rows];
  HWY_UNROLL(4)
  for (std::size_t r = 0; r < rows; ++r) sum[r] = hn::Zero(tag);
  const float* row = block.values + i * block.stride;
  for (std::size_t j = 0; j < block.columns; j += hn::Lanes(tag)) {
    const Vector weight = hn::LoadU(tag, weights + j);
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < rows; ++r) {
      sum[r] = hn::MulAdd(hn::LoadU(tag, row + r * block.stride + j), weight, sum[r]);
    }
  }
  HWY_UNROLL(4)
  for (std::size_t r = 0; r < rows; ++r) {
    result[i + r] = start + hn::GetLane(hn::SumOfLanes(tag, sum[r]));
  }
}

void dots(const RowBlock& block, const float* weights, float start, float* result) {
  const std::size_t width = hn::Lanes(Lanes());
  const std::size_t behind = (width - block.columns % width) % width;
  const std::size_t last = std::min(block.count, rows_at_the_end(behind, block.stride));
  std::size_t i = 0;
  for (; i + 4 + last <= block.count; i += 4) dot_rows<4>(block, i, weights, start, result);
  for (; i + last < block.count; ++i) dot_rows<1>(block, i, weights, start, result);
  for (; i < block.count; ++i) {
    const float* row = block.values + i * block.stride;
    float sum = start;
    for (std::size_t j = 0; j < block.columns; ++j) sum += row[j] * weights[j];
    result[i] = sum;
  }
}

// More vectors than a tile has, because there is but one row: its sums wait for each other.
constexpr std::size_t vectors_of_a_sum = 8;

template <std::size_t vectors>
void weighted_sum_panel(const RowBlock& block, const float* factors, std::size_t j, float* result) {
  const Lanes tag;
  const std::size_t width = hn::Lanes(tag);
  Vector sum[vectors];
  HWY_UNROLL(8)
  for (std::size_t v = 0; v < vectors; ++v) sum[v] = hn::Zero(tag);
  const LastRows<vectors> last(block.values + j, block.count, block.stride, block.columns - j);
  const float* row = block.values + j;
  std::size_t i = 0;
  for (; i + last.count < block.count; ++i) {
    const Vector factor = hn::Set(tag, factors[i]);
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v) {
      sum[v] = hn::MulAdd(factor, hn::LoadU(tag, row + v * width), sum[v]);
    }
    row += block.stride;
  }
  for (std::size_t l = 0; l < last.count; ++l) {
    const Vector factor = hn::Set(tag, factors[i + l]);
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v) {
      sum[v] =
          hn::MulAdd(factor, hn::LoadU(tag, last.values + l * last.stride + v * width), sum[v]);
    }
  }
  HWY_UNROLL(8)
  for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[v], tag, result + j + v * width);
}

void weighted_sum(const RowBlock& block, const float* factors, float* result) {
  if (block.count == 0) {
    std::fill_n(result, block.columns, 0.0F);
    return;
  }
  // As many vectors as there are left, up to eight: each panel reads all the rows.
  constexpr void (*panels[])(const RowBlock&, const float*, std::size_t, float*) = {
      weighted_sum_panel<1>, weighted_sum_panel<2>, weighted_sum_panel<3>, weighted_sum_panel<4>,
      weighted_sum_panel<5>, weighted_sum_panel<6>, weighted_sum_panel<7>, weighted_sum_panel<8>};
  const std::size_t width = hn::Lanes(Lanes());
  for (std::size_t j = 0; j < block.columns;) {
    const std::size_t left = (block.columns - j + width - 1) / width;
    const std::size_t vectors = std::min(left, vectors_of_a_sum);
    panels[vectors - 1](block, factors, j, result);
    j += vectors * width;
  }
}

ProductKernel product_kernel() {
  return {hwy::TargetName(HWY_TARGET), multiply, dots, weighted_sum};
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace noiseplus
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noiseplus {
namespace {

std::vector<ProductKernel> find_kernels() {
  std::vector<ProductKernel> kernels;
#ifdef HWY_CHOOSE_TARGET_LIST
  ProductKernel (*const compiled[])() = {HWY_CHOOSE_TARGET_LIST(product_kernel)};
  kernels = supported_kernels(compiled);
#endif
  kernels.push_back(scalar_product_kernel());
  return kernels;
}

}  // namespace

std::span<const ProductKernel> product_kernels() {
  static const std::vector<ProductKernel> kernels = find_kernels();
  return kernels;
}

}  // namespace noiseplus
#endif
