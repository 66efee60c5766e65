#include "learn/products.h"

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
      for (std::size_t j = 0; j < product.columns; ++j) result[j] += left * right[j];
    }
  }
}

void dots(const RowBlock& rows, const float* weights, float start, float* result) {
  for (std::size_t i = 0; i < rows.count; ++i) {
    const float* const row = rows.values + i * rows.stride;
    result[i] = start;
    for (std::size_t j = 0; j < rows.columns; ++j) result[i] += row[j] * weights[j];
  }
}

void weighted_sum(const RowBlock& rows, const float* factors, float* result) {
  for (std::size_t j = 0; j < rows.columns; ++j) result[j] = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const float* const row = rows.values + i * rows.stride;
    for (std::size_t j = 0; j < rows.columns; ++j) result[j] += factors[i] * row[j];
  }
}

}  // namespace

ProductKernel scalar_product_kernel() {
  return {"SCALAR", multiply, dots, weighted_sum};
}

}  // namespace noiseplus
