#include "learn/projection.h"

#include <algorithm>
#include <cmath>

#include "core/principal.h"
#include "learn/layers.h"

namespace noiseplus {
namespace {

// Many times as many as there are directions.
constexpr std::size_t rows_looked_at = 4096;

RowMajor sample_of(RowsView rows) {
  const std::size_t size = std::min(rows.rows, rows_looked_at);
  RowMajor sample(index(size), index(rows.columns));
  std::vector<float> buffer(rows.columns);
  for (std::size_t i = 0; i < size; ++i) {
    const float* const row = rows.row(i * rows.rows / size, buffer.data());
    for (std::size_t c = 0; c < rows.columns; ++c) sample(index(i), index(c)) = row[c];
  }
  return sample;
}

// Takes a row to its coordinates. Without outputs if no directions are found.
PackedLayer layer_of(RowsView rows, std::size_t directions, ProgressMeter& meter) {
  if (rows.rows == 0) return PackedLayer(rows.columns, 0);
  RowMajor sample = sample_of(rows);
  const Eigen::RowVectorXd center = sample.colwise().mean();
  sample.rowwise() -= center;
  const Eigen::MatrixXd along = principal_directions(sample, directions, meter);
  PackedLayer layer(rows.columns, static_cast<std::size_t>(along.cols()));
  if (along.cols() == 0) return layer;
  const Eigen::VectorXd variances = product(sample, along).colwise().squaredNorm().transpose() /
                                    static_cast<double>(sample.rows());
  // Where the rows span fewer directions, the rest hold rounding errors.
  const double rounding = variances.maxCoeff() * 1e-20;
  for (Eigen::Index d = 0; d < along.cols(); ++d) {
    const double scale = variances[d] > rounding ? 1 / std::sqrt(variances[d]) : 0;
    for (std::size_t c = 0; c < rows.columns; ++c) {
      layer.weight(c, static_cast<std::size_t>(d)) = static_cast<float>(scale * along(index(c), d));
    }
    layer.biases[static_cast<std::size_t>(d)] =
        static_cast<float>(-scale * center.dot(along.col(d)));
  }
  return layer;
}

Matrix copy_of(RowsView rows) {
  Matrix copy(rows.rows, rows.columns);
  for (std::size_t n = 0; n < rows.rows; ++n) {
    const float* const row = rows.row(n, copy.row(n));
    if (row != copy.row(n)) std::copy_n(row, rows.columns, copy.row(n));
  }
  return copy;
}

}  // namespace

Matrix principal_coordinates(RowsView rows, std::size_t directions, const Execution& execution) {
  const std::size_t at_once = rows_in_block(rows.columns);
  const std::size_t blocks = ceiling_of_quotient(rows.rows, at_once);
  ProgressMeter meter(execution, "narrowing", blocks);
  const PackedLayer layer = layer_of(rows, std::min(directions, rows.columns), meter);
  if (layer.outputs == 0) return copy_of(rows);
  const std::size_t stride = output_stride(layer.outputs);
  const ProductKernel kernel = chosen_product_kernel();
  Matrix narrow(rows.rows, layer.outputs);
  ThreadPool pool(execution.threads);
  pool.for_each(blocks, [&](std::size_t block) {
    const std::size_t first = block * at_once;
    const std::size_t count = std::min(at_once, rows.rows - first);
    std::vector<float> values(count * rows.columns);
    std::vector<float> outputs(count * stride);
    for (std::size_t i = 0; i < count; ++i) {
      float* const place = values.data() + i * rows.columns;
      const float* const row = rows.row(first + i, place);
      if (row != place) std::copy_n(row, rows.columns, place);
    }
    apply(layer, {values.data(), rows.columns, count, rows.columns}, outputs.data(), kernel);
    for (std::size_t i = 0; i < count; ++i) {
      std::copy_n(outputs.data() + i * stride, layer.outputs, narrow.row(first + i));
    }
    meter.step();
  });
  return narrow;
}

}  // namespace noiseplus
