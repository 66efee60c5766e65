// Highway compiles this file once for each instruction set; see hwy/foreach_target.h.
#include "learn/products.h"

#include <algorithm>
#include <vector>

#include "core/dispatch.h"
#include "core/kernel_choice.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/products.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "learn/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace noiseplus {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

// Tiles are rows x 3 vectors: 24 of 32 registers, or 12 of 16.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_SSE4
constexpr std::size_t rows_at_once = 4;
#else
constexpr std::size_t rows_at_once = 8;
#endif
constexpr std::size_t vectors_at_once = 3;

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

// A tile of the result from (i, j) on.
template <std::size_t rows, std::size_t vectors>
HWY_INLINE void multiply_tile(const Product& product, std::size_t i, std::size_t j) {
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
  for (std::size_t l = 0; l < product.inner; ++l) {
    add_products<rows, vectors>(left, product.left_row_stride, right, sum);
    left += product.left_inner_stride;
    right += product.right_stride;
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
  std::size_t i = 0;
  for (; i + rows_at_once <= product.rows; i += rows_at_once) {
    multiply_tile<rows_at_once, vectors>(product, i, j);
  }
  for (; i + 2 <= product.rows; i += 2) multiply_tile<2, vectors>(product, i, j);
  for (; i < product.rows; ++i) multiply_tile<1, vectors>(product, i, j);
}

// Vectors from column j on, as many as fit a panel.
void multiply_vectors(const Product& product, std::size_t j, std::size_t vectors) {
  const std::size_t width = hn::Lanes(Lanes());
  for (; vectors >= vectors_at_once; vectors -= vectors_at_once) {
    multiply_panel<vectors_at_once>(product, j);
    j += vectors_at_once * width;
  }
  if (vectors == 2) multiply_panel<2>(product, j);
  if (vectors == 1) multiply_panel<1>(product, j);
}

// Rows narrower than a vector, copied to where a vector can be read.
std::vector<float> widened(const float* values, std::size_t stride, std::size_t count,
                           std::size_t columns) {
  std::vector<float> copy(count * virtual_lanes);
  for (std::size_t i = 0; i < count; ++i) {
    std::copy_n(values + i * stride, columns, copy.data() + i * virtual_lanes);
  }
  return copy;
}

void multiply(const Product& product) {
  if (product.columns == 0) return;  // there is no room for a vector then
  const std::size_t width = hn::Lanes(Lanes());
  if (product.right_is_padded) {
    multiply_vectors(product, 0, (product.columns + width - 1) / width);
    return;
  }
  if (product.columns < width) {
    const std::vector<float> copy =
        widened(product.right, product.right_stride, product.inner, product.columns);
    Product narrow = product;
    narrow.right = copy.data();
    narrow.right_stride = virtual_lanes;
    multiply_vectors(narrow, 0, 1);
    return;
  }
  multiply_vectors(product, 0, product.columns / width);
  if (product.columns % width != 0) multiply_panel<1>(product, product.columns - width);
}

#if HWY_TARGET == HWY_SSE4
constexpr std::size_t dots_at_once = 2;
#else
constexpr std::size_t dots_at_once = 4;  // 4 x 16 lanes are 8 of AVX2's 16 registers
#endif

// Column j is in lane j % 16. What is left of the columns is in the last of the lanes: they start
// at column `columns` - 16, and `last` has 0 as the weight of those that were summed already.
template <std::size_t rows>
HWY_INLINE void dot_rows(const RowBlock& block, std::size_t i, const float* weights,
                         const float* last, float start, float* result) {
  const Lanes tag;
  const float* row = block.values + i * block.stride;
  Vector sum[rows][parts];
  HWY_UNROLL(4)
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t at = p * lanes_of_vector;
    HWY_UNROLL(4)
    for (std::size_t r = 0; r < rows; ++r) {
      sum[r][p] =
          last == nullptr
              ? hn::Zero(tag)
              : hn::Mul(hn::LoadU(tag, row + r * block.stride + block.columns - virtual_lanes + at),
                        hn::LoadU(tag, last + at));
    }
  }
  for (std::size_t j = 0; j + virtual_lanes <= block.columns; j += virtual_lanes) {
    HWY_UNROLL(4)
    for (std::size_t p = 0; p < parts; ++p) {
      const std::size_t at = j + p * lanes_of_vector;
      const Vector weight = hn::LoadU(tag, weights + at);
      HWY_UNROLL(4)
      for (std::size_t r = 0; r < rows; ++r) {
        sum[r][p] = hn::MulAdd(hn::LoadU(tag, row + r * block.stride + at), weight, sum[r][p]);
      }
    }
  }
  HWY_UNROLL(4)
  for (std::size_t r = 0; r < rows; ++r) result[i + r] = start + fold(sum[r], Plus());
}

constexpr std::size_t half_lanes = virtual_lanes / 2;

// The 16 lanes of a row of 8 to 15 columns: its first 8 and its last 8, which overlap.
HWY_INLINE void load_halves(const float* row, std::size_t columns, Vector (&values)[parts]) {
  const Lanes tag;
  if constexpr (parts == 1) {
    const hn::Half<Lanes> half;
    values[0] = hn::Combine(tag, hn::LoadU(half, row + columns - half_lanes), hn::LoadU(half, row));
  } else {
    HWY_UNROLL(4)
    for (std::size_t p = 0; p < parts; ++p) {
      const std::size_t at = p * lanes_of_vector;
      const std::size_t column = p < parts / 2 ? at : columns + at - virtual_lanes;
      values[p] = hn::LoadU(tag, row + column);
    }
  }
}

// 8 to 15 columns.
void dots_of_halves(const RowBlock& block, const float* weights, float start, float* result) {
  const Lanes tag;
  // 0 for the columns of the second half that the first has too.
  float last_weights[virtual_lanes] = {};
  std::copy_n(weights, half_lanes, last_weights);
  std::copy(weights + half_lanes, weights + block.columns,
            last_weights + virtual_lanes + half_lanes - block.columns);
  Vector factors[parts];
  for (std::size_t p = 0; p < parts; ++p) {
    factors[p] = hn::LoadU(tag, last_weights + p * lanes_of_vector);
  }
  for (std::size_t i = 0; i < block.count; ++i) {
    Vector values[parts];
    load_halves(block.values + i * block.stride, block.columns, values);
    HWY_UNROLL(4)
    for (std::size_t p = 0; p < parts; ++p) values[p] = hn::Mul(values[p], factors[p]);
    result[i] = start + fold(values, Plus());
  }
}

void dots(const RowBlock& block, const float* weights, float start, float* result) {
  if (block.columns < half_lanes) {
    const std::vector<float> copy = widened(block.values, block.stride, block.count, block.columns);
    float wide_weights[virtual_lanes] = {};
    std::copy_n(weights, block.columns, wide_weights);
    dots({copy.data(), virtual_lanes, block.count, virtual_lanes}, wide_weights, start, result);
    return;
  }
  if (block.columns < virtual_lanes) {
    dots_of_halves(block, weights, start, result);
    return;
  }
  float last_weights[virtual_lanes] = {};
  const std::size_t left = block.columns % virtual_lanes;
  std::copy_n(weights + block.columns - left, left, last_weights + virtual_lanes - left);
  const float* const last = left > 0 ? last_weights : nullptr;
  std::size_t i = 0;
  for (; i + dots_at_once <= block.count; i += dots_at_once) {
    dot_rows<dots_at_once>(block, i, weights, last, start, result);
  }
  for (; i < block.count; ++i) dot_rows<1>(block, i, weights, last, start, result);
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
  const float* row = block.values + j;
  for (std::size_t i = 0; i < block.count; ++i) {
    const Vector factor = hn::Set(tag, factors[i]);
    HWY_UNROLL(8)
    for (std::size_t v = 0; v < vectors; ++v) {
      sum[v] = hn::MulAdd(factor, hn::LoadU(tag, row + v * width), sum[v]);
    }
    row += block.stride;
  }
  HWY_UNROLL(8)
  for (std::size_t v = 0; v < vectors; ++v) hn::StoreU(sum[v], tag, result + j + v * width);
}

void weighted_sum(const RowBlock& block, const float* factors, float* result) {
  if (block.columns == 0) return;  // there is no room for a vector then
  const std::size_t width = hn::Lanes(Lanes());
  if (block.columns < width) {
    const std::vector<float> copy = widened(block.values, block.stride, block.count, block.columns);
    weighted_sum_panel<1>({copy.data(), virtual_lanes, block.count, width}, factors, 0, result);
    return;
  }
  // As many vectors as there are left, up to eight: each panel reads all the rows.
  constexpr void (*panels[])(const RowBlock&, const float*, std::size_t, float*) = {
      weighted_sum_panel<1>, weighted_sum_panel<2>, weighted_sum_panel<3>, weighted_sum_panel<4>,
      weighted_sum_panel<5>, weighted_sum_panel<6>, weighted_sum_panel<7>, weighted_sum_panel<8>};
  std::size_t j = 0;
  while (j + width <= block.columns) {
    const std::size_t vectors = std::min((block.columns - j) / width, vectors_of_a_sum);
    panels[vectors - 1](block, factors, j, result);
    j += vectors * width;
  }
  if (j < block.columns) panels[0](block, factors, block.columns - width, result);
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

std::span<const ProductKernel> product_kernels() {
  static constexpr ProductKernel (*compiled[])() = {HWY_CHOOSE_TARGET_LIST(product_kernel)};
  static const std::vector<ProductKernel> kernels =
      supported_kernels(compiled, scalar_product_kernel());
  return kernels;
}

const ProductKernel& chosen_product_kernel() {
  return chosen_kernel(product_kernels());
}

}  // namespace noiseplus
#endif
