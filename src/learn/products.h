// Products of matrices of floats, in the few shapes that training needs: one function for each
// instruction set, and a scalar twin that is kept for ever. All give the same bits, but for SSE4,
// which has no fused multiply-add: each result is one chain of multiply-adds in the order of the
// inner index, or, for dots, 16 of them that are folded as in learn/lanes-inl.h. NaNs are NaNs in
// all of them, though of any sign.
//
// Rows of a matrix lie `stride` floats apart. Nothing outside of the rows is read: where the
// columns are no whole number of vectors, the last vector overlaps the one before. Results may be
// written up to padded(columns) floats wide; what is behind the columns there is arbitrary.
#pragma once

#include <cstddef>
#include <span>

#include "learn/lanes.h"

namespace noiseplus {

// result[i][j] = start[j] + sum over l of left(i, l) * right[l][j], where left(i, l) is at
// left + i * left_row_stride + l * left_inner_stride: either side of a matrix serves.
struct Product {
  std::size_t rows = 0, inner = 0, columns = 0;
  const float* left = nullptr;
  std::size_t left_row_stride = 0, left_inner_stride = 0;
  const float* right = nullptr;
  std::size_t right_stride = 0;
  // Whether each row of the right side has padded(columns) floats: its product is then as wide.
  bool right_is_padded = false;
  const float* start = nullptr;  // padded(columns) floats; null: zeros
  float* result = nullptr;
  std::size_t result_stride = 0;
};

// `count` rows of `columns` floats.
struct RowBlock {
  const float* values = nullptr;
  std::size_t stride = 0, count = 0, columns = 0;
};

struct ProductKernel {
  const char* name = "";  // of the instruction set the code was compiled for

  void (*multiply)(const Product& product) = nullptr;

  // result[i] = start + row i . weights.
  void (*dots)(const RowBlock& rows, const float* weights, float start, float* result) = nullptr;

  // result[j] = sum over i of factors[i] * row i [j].
  void (*weighted_sum)(const RowBlock& rows, const float* factors, float* result) = nullptr;
};

// Those this processor can run, fastest first; the scalar twin is last and always there.
std::span<const ProductKernel> product_kernels();

// The one of them that set_kernel has chosen.
const ProductKernel& chosen_product_kernel();

ProductKernel scalar_product_kernel();

}  // namespace noiseplus
