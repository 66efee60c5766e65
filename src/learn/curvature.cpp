#include "learn/curvature.h"

#include <algorithm>

#include "learn/layers.h"

namespace noiseplus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t widest = 2048;  // a factorisation of 1 to 2 seconds
constexpr std::size_t segments = 8;   // each has a matrix of its own
constexpr std::size_t rows_at_once = 256;

// Enough for every direction that matters to be seen; more change the number of steps little.
std::size_t rows_looked_at(std::size_t rows, std::size_t columns) {
  return std::min(rows, std::max<std::size_t>(16384, 8 * columns));
}

std::size_t row_of_sample(std::size_t i, std::size_t sample, std::size_t rows) {
  return static_cast<std::size_t>(static_cast<double>(i) * static_cast<double>(rows) /
                                  static_cast<double>(sample));
}

// Sums of products of the columns of rows first .. last - 1 of the sample.
MatrixXd sum_products(MatrixView rows, std::size_t sample, std::size_t first, std::size_t last) {
  const std::size_t size = rows.columns + 1;
  const std::size_t stride = padded(size);
  std::vector<float> block(rows_at_once * stride);
  std::vector<float> products(size * stride);
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto index = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
  const Eigen::Map<const Rows> values(products.data(), index(size), index(stride));
  MatrixXd sum = MatrixXd::Zero(index(size), index(size));
  for (std::size_t begin = first; begin < last; begin += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, last - begin);
    for (std::size_t i = 0; i < count; ++i) {
      float* const row = block.data() + i * stride;
      std::copy_n(rows.row(row_of_sample(begin + i, sample, rows.rows)), rows.columns, row);
      row[rows.columns] = 1;
    }
    Product product{size, count, size, block.data()};
    product.left_row_stride = 1;
    product.left_inner_stride = product.right_stride = product.result_stride = stride;
    product.right = block.data();
    product.result = products.data();
    product_kernels().front().multiply(product);
    sum += values.leftCols(index(size)).cast<double>();
  }
  return sum;
}

VectorXd sum_squares(MatrixView rows, std::size_t sample, std::size_t first, std::size_t last) {
  VectorXd sum = VectorXd::Zero(static_cast<Eigen::Index>(rows.columns) + 1);
  for (std::size_t i = first; i < last; ++i) {
    const float* const row = rows.row(row_of_sample(i, sample, rows.rows));
    for (std::size_t c = 0; c < rows.columns; ++c) {
      const double value = row[c];
      sum[static_cast<Eigen::Index>(c)] += value * value;
    }
  }
  sum[sum.size() - 1] = static_cast<double>(last - first);
  return sum;
}

}  // namespace

Curvature::Curvature(MatrixView rows, ThreadPool& pool) {
  const bool is_wide = rows.columns > widest;
  const std::size_t sample = rows_looked_at(rows.rows, is_wide ? 0 : rows.columns);
  std::vector<MatrixXd> parts(segments);
  pool.for_each(segments, [&](std::size_t s) {
    const std::size_t first = s * sample / segments;
    const std::size_t last = (s + 1) * sample / segments;
    if (is_wide) {
      parts[s] = sum_squares(rows, sample, first, last);
    } else {
      parts[s] = sum_products(rows, sample, first, last);
    }
  });
  moments_ = parts[0];
  for (std::size_t s = 1; s < segments; ++s) moments_ += parts[s];
  moments_ /= 4 * static_cast<double>(sample);
}

void Curvature::set_ridge(double ridge) {
  if (ridge == ridge_) return;
  ridge_ = ridge;
  const Eigen::Index size = moments_.rows();
  // Columns that are zero or repeat each other must not make the matrix singular.
  const double floor =
      1e-6 * (moments_.cols() == 1 ? moments_.mean() : moments_.diagonal().mean()) + 1e-30;
  if (moments_.cols() == 1 && size > 1) {
    diagonal_ = moments_.col(0).array() + floor;
    diagonal_.head(size - 1).array() += ridge;
    return;
  }
  MatrixXd matrix = moments_;
  matrix.diagonal().array() += floor;
  matrix.diagonal().head(size - 1).array() += ridge;
  factors_.compute(matrix);
}

void Curvature::divide(VectorXd& gradient, std::size_t outputs) const {
  const auto inputs = moments_.rows() - 1;
  const auto count = static_cast<Eigen::Index>(outputs);
  MatrixXd columns(inputs + 1, count);
  for (Eigen::Index o = 0; o < count; ++o) {
    columns.col(o).head(inputs) = gradient.segment(o * inputs, inputs);
    columns(inputs, o) = gradient[count * inputs + o];
  }
  if (diagonal_.size() > 0) {
    columns.array().colwise() /= diagonal_.array();
  } else {
    factors_.solveInPlace(columns);
  }
  for (Eigen::Index o = 0; o < count; ++o) {
    gradient.segment(o * inputs, inputs) = columns.col(o).head(inputs);
    gradient[count * inputs + o] = columns(inputs, o);
  }
}

}  // namespace noiseplus
