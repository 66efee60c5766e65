// The losses once more, plainly and in double, to check the fast ones against.
#pragma once

#include <cmath>
#include <vector>

#include "noiseplus/learn.h"

namespace noiseplus {

// A model's parameters as doubles, in one list: of each layer the weights [inputs][outputs], then
// the biases.
inline std::vector<double> parameters_in_double(const Model& model) {
  std::vector<double> all;
  for (const Layer& layer : model.layers) {
    all.insert(all.end(), layer.weights.begin(), layer.weights.end());
    all.insert(all.end(), layer.biases.begin(), layer.biases.end());
  }
  return all;
}

inline std::vector<double> reference_chances(const Model& shape, const std::vector<double>& values,
                                             const float* row) {
  std::vector<double> now(row, row + shape.inputs());
  std::size_t at = 0;
  for (const Layer& layer : shape.layers) {
    std::vector<double> next(layer.outputs);
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      for (double& output : next) output += now[i] * values[at++];
    }
    for (double& output : next) {
      output += values[at++];
      if (&layer != &shape.layers.back()) output = std::max(output, 0.0);
    }
    now = next;
  }
  if (shape.classes == 2) now = {0, now[0]};
  double total = 0;
  for (double& logit : now) total += logit = std::exp(logit);
  for (double& chance : now) chance /= total;
  return now;
}

// The mean loss, penalty included. `floor` as MlpOptions::floor, 0 for none.
inline double reference_loss(const Model& shape, const std::vector<double>& values, MatrixView rows,
                             const Targets& targets, double ridge, double floor) {
  double sum = 0;
  for (std::size_t n = 0; n < rows.rows; ++n) {
    std::vector<double> chances = reference_chances(shape, values, rows.row(n));
    if (!targets.transition.empty()) {
      std::vector<double> noisy(shape.classes);
      for (std::size_t i = 0; i < shape.classes; ++i) {
        for (std::size_t j = 0; j < shape.classes; ++j) {
          noisy[j] += chances[i] * targets.transition[i * shape.classes + j];
        }
      }
      chances = noisy;
    }
    for (std::size_t c = 0; c < shape.classes; ++c) {
      const double weight = static_cast<double>(targets.weights.row(n)[c]);
      sum -= weight * std::log(weight < 0 ? std::max(chances[c], floor) : chances[c]);
    }
  }
  double squares = 0;
  for (std::size_t i = 0; i < shape.layers[0].weights.size(); ++i) squares += values[i] * values[i];
  return sum / targets.total + ridge / 2 * squares;
}

}  // namespace noiseplus
