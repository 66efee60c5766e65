#include <algorithm>
#include <cmath>

#include "noiseplus/learn.h"
#include "util/thread_pool.h"

namespace noiseplus {
namespace {

std::vector<double> outputs_of(const Layer& layer, const std::vector<double>& inputs) {
  std::vector<double> outputs(layer.biases.begin(), layer.biases.end());
  for (std::size_t i = 0; i < layer.inputs; ++i) {
    const float* weights = layer.weights.data() + i * layer.outputs;
    for (std::size_t o = 0; o < layer.outputs; ++o) outputs[o] += inputs[i] * weights[o];
  }
  return outputs;
}

// From logits to probabilities; two classes have one logit, that of class 1.
void normalise(std::vector<double>& values) {
  if (values.size() == 1) values.insert(values.begin(), 0.0);
  const double largest = *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (double& value : values) sum += value = std::exp(value - largest);
  for (double& value : values) value /= sum;
}

}  // namespace

Matrix probabilities(const Model& model, RowsView rows, const Execution& execution) {
  if (rows.columns != model.inputs()) {
    throw Error(ErrorKind::usage, "the model takes " + std::to_string(model.inputs()) +
                                      " columns, and the rows have " +
                                      std::to_string(rows.columns));
  }
  Matrix result(rows.rows, model.classes);
  constexpr std::size_t block = 256;
  ThreadPool pool(execution.threads);
  const std::size_t blocks = (rows.rows + block - 1) / block;
  ProgressMeter meter(execution, "predicting", blocks);
  pool.for_each(blocks, [&](std::size_t b) {
    std::vector<float> buffer(rows.columns);
    for (std::size_t n = b * block; n < std::min(rows.rows, (b + 1) * block); ++n) {
      const float* row = rows.row(n, buffer.data());
      std::vector<double> values(row, row + rows.columns);
      for (const Layer& layer : model.layers) {
        if (&layer != &model.layers.front()) {
          for (double& value : values) value = std::max(0.0, value);
        }
        values = outputs_of(layer, values);
      }
      normalise(values);
      for (std::size_t c = 0; c < model.classes; ++c) {
        result.row(n)[c] = static_cast<float>(values[c]);
      }
    }
    meter.step();
  });
  return result;
}

std::vector<std::int32_t> most_likely(MatrixView probabilities) {
  std::vector<std::int32_t> codes(probabilities.rows);
  for (std::size_t n = 0; n < codes.size(); ++n) {
    const float* row = probabilities.row(n);
    codes[n] = static_cast<std::int32_t>(std::max_element(row, row + probabilities.columns) - row);
  }
  return codes;
}

double accuracy(MatrixView probabilities, std::span<const std::int32_t> codes) {
  if (codes.size() != probabilities.rows) {
    throw Error(ErrorKind::usage, std::to_string(codes.size()) + " labels for " +
                                      std::to_string(probabilities.rows) + " rows");
  }
  const std::vector<std::int32_t> predicted = most_likely(probabilities);
  std::size_t right = 0;
  for (std::size_t n = 0; n < codes.size(); ++n) right += predicted[n] == codes[n] ? 1 : 0;
  return codes.empty() ? 0 : static_cast<double>(right) / static_cast<double>(codes.size());
}

}  // namespace noiseplus
