#include <algorithm>
#include <cmath>

#include "learn/products.h"
#include "learn/scalar_lanes.h"

namespace noiseplus {
namespace {

void multiply(const Product& product) {
  for (std::size_t i = 0; i < product.rows; ++i) {
    float* const result = product.result + i * product.result_stride;
    for (std::size_t j = 0; j < product.columns; ++j) {
      result[j] = product.start != nullptr ? product.start[j] : 0;
    }
    for (std::size_t l = 0; l < product.inner; ++l) {
      const float left = product.left[i * product.left_row_stride + l * product.left_inner_stride];
      const float* const right = product.right + l * product.right_stride;
      for (std::size_t j = 0; j < product.columns; ++j) {
        result[j] = std::fma(left, right[j], result[j]);
      }
    }
  }
}

float dot(const float* row, const float* weights, std::size_t columns) {
  float lanes[virtual_lanes] = {};
  const std::size_t left = columns % virtual_lanes;
  constexpr std::size_t half = virtual_lanes / 2;
  if (columns < half) {
    for (std::size_t j = 0; j < columns; ++j) lanes[j] = std::fma(row[j], weights[j], 0.0F);
    return sum_lanes(lanes);
  }
  if (columns < virtual_lanes) {  // the first 8 and the last 8 columns, which overlap
    for (std::size_t l = 0; l < half; ++l) {
      const std::size_t j = columns - half + l;
      lanes[l] = row[l] * weights[l];
      lanes[half + l] = row[j] * (j >= half ? weights[j] : 0);
    }
    return sum_lanes(lanes);
  }
  // The vectors read 16 columns here too, with the weight 0 for those before the rest.
  for (std::size_t l = 0; left > 0 && l < virtual_lanes; ++l) {
    const std::size_t j = columns - virtual_lanes + l;
    lanes[l] = row[j] * (j >= columns - left ? weights[j] : 0);
  }
  for (std::size_t j = 0; j < columns - left; ++j) {
    float& lane = lanes[j % virtual_lanes];
    lane = std::fma(row[j], weights[j], lane);
  }
  return sum_lanes(lanes);
}

void dots(const RowBlock& rows, const float* weights, float start, float* result) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    result[i] = start + dot(rows.values + i * rows.stride, weights, rows.columns);
  }
}

void weighted_sum(const RowBlock& rows, const float* factors, float* result) {
  std::fill_n(result, rows.columns, 0.0F);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const float* const row = rows.values + i * rows.stride;
    for (std::size_t j = 0; j < rows.columns; ++j) {
      result[j] = std::fma(factors[i], row[j], result[j]);
    }
  }
}

}  // namespace

ProductKernel scalar_product_kernel() {
  return {"SCALAR", multiply, dots, weighted_sum};
}

}  // namespace noiseplus
