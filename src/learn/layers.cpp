#include "learn/layers.h"

#include <algorithm>
#include <cmath>

#include "core/portable_math.h"

namespace noiseplus {

PackedLayer::PackedLayer(std::size_t input_count, std::size_t output_count)
    : inputs(input_count),
      outputs(output_count),
      weights(output_count == 1 ? padded(input_count) : input_count * padded(output_count)),
      biases(output_stride(output_count)) {}

PackedLayer::PackedLayer(const Layer& layer) : PackedLayer(layer.inputs, layer.outputs) {
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t o = 0; o < outputs; ++o) weight(i, o) = layer.weights[i * outputs + o];
  }
  for (std::size_t o = 0; o < outputs; ++o) biases[o] = layer.biases[o];
}

Layer PackedLayer::unpacked() const {
  Layer layer{inputs, outputs, std::vector<float>(inputs * outputs), {}};
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t o = 0; o < outputs; ++o) {
      layer.weights[i * outputs + o] = weights[i * output_stride(outputs) + o];
    }
  }
  layer.biases.assign(biases.begin(), biases.begin() + static_cast<std::ptrdiff_t>(outputs));
  return layer;
}

void apply(const PackedLayer& layer, const RowBlock& rows, float* outputs,
           const ProductKernel& kernel) {
  if (layer.outputs == 1) {
    kernel.dots(rows, layer.weights.data(), layer.biases[0], outputs);
    return;
  }
  Product product{rows.count, layer.inputs, layer.outputs, rows.values};
  product.left_row_stride = rows.stride;
  product.left_inner_stride = 1;
  product.right = layer.weights.data();
  product.right_stride = product.result_stride = padded(layer.outputs);
  product.right_is_padded = true;
  product.start = layer.biases.data();
  product.result = outputs;
  kernel.multiply(product);
}

void find_chances(const float* logits, std::span<double> chances) {
  if (chances.size() == 2) {
    const double tail = portable::exp(-std::abs(static_cast<double>(logits[0])));
    chances[1] = (logits[0] >= 0 ? 1 : tail) / (1 + tail);
    chances[0] = (logits[0] >= 0 ? tail : 1) / (1 + tail);
    return;
  }
  const double largest = *std::max_element(logits, logits + chances.size());
  double total = 0;
  for (std::size_t c = 0; c < chances.size(); ++c) {
    chances[c] = portable::exp(static_cast<double>(logits[c]) - largest);
    total += chances[c];
  }
  for (double& chance : chances) chance /= total;
}

}  // namespace noiseplus
