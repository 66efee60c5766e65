#include "learn/scaling.h"

#include <algorithm>
#include <cmath>

namespace noiseplus {

ColumnMoments ColumnMoments::of(MatrixView rows, std::span<const std::uint32_t> which) {
  std::vector<double> sums(rows.columns);
  std::vector<double> squares(rows.columns);
  // Relative to the first row, so that large offsets do not swallow the variance.
  const float* const origin = rows.row(which.front());
  for (const std::uint32_t n : which) {
    for (std::size_t c = 0; c < rows.columns; ++c) {
      const double value = static_cast<double>(rows.row(n)[c]) - static_cast<double>(origin[c]);
      sums[c] += value;
      squares[c] += value * value;
    }
  }
  ColumnMoments moments;
  const auto count = static_cast<double>(which.size());
  for (std::size_t c = 0; c < rows.columns; ++c) {
    const double mean = sums[c] / count;
    moments.means.push_back(static_cast<double>(origin[c]) + mean);
    moments.variances.push_back(std::max(squares[c] / count - mean * mean, 0.0));
  }
  return moments;
}

Scaling Scaling::of(MatrixView rows, std::span<const std::uint32_t> which) {
  const ColumnMoments moments = ColumnMoments::of(rows, which);
  Scaling scaling;
  scaling.means.assign(moments.means.begin(), moments.means.end());
  double variance = 0;
  for (const double of_column : moments.variances) variance += of_column;
  variance /= static_cast<double>(rows.columns);
  if (variance > 0 && std::isfinite(variance)) {
    scaling.scale = static_cast<float>(1 / std::sqrt(variance));
  }
  return scaling;
}

Layer Scaling::for_scaled_rows(const Layer& layer) const {
  Layer result = layer;
  std::vector<double> biases(layer.biases.begin(), layer.biases.end());
  for (std::size_t i = 0; i < layer.inputs; ++i) {
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      float& weight = result.weights[i * layer.outputs + o];
      biases[o] += static_cast<double>(means[i]) * static_cast<double>(weight);
      weight /= scale;
    }
  }
  for (std::size_t o = 0; o < layer.outputs; ++o) result.biases[o] = static_cast<float>(biases[o]);
  return result;
}

Layer Scaling::for_rows(const Layer& layer) const {
  Layer result = layer;
  std::vector<double> biases(layer.biases.begin(), layer.biases.end());
  for (std::size_t i = 0; i < layer.inputs; ++i) {
    for (std::size_t o = 0; o < layer.outputs; ++o) {
      float& weight = result.weights[i * layer.outputs + o];
      weight *= scale;
      biases[o] -= static_cast<double>(means[i]) * static_cast<double>(weight);
    }
  }
  for (std::size_t o = 0; o < layer.outputs; ++o) result.biases[o] = static_cast<float>(biases[o]);
  return result;
}

}  // namespace noiseplus
