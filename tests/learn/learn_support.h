// Data for the tests of training.
#pragma once

#include <cmath>
#include <vector>

#include "noiseplus/data.h"
#include "noiseplus/learn.h"

namespace noiseplus {

struct LearnSample {
  Matrix rows;
  std::vector<std::int32_t> codes;
  std::size_t classes = 2;

  GivenLabels labels() const { return {codes, classes}; }
};

// Classes around the corners of a simplex, `apart` from each other in units of their spread.
inline LearnSample blobs(std::size_t n, std::size_t classes, double apart, std::size_t columns = 5,
                         std::uint64_t seed = 1) {
  LearnSample sample{Matrix(n, columns), std::vector<std::int32_t>(n), classes};
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t c = hash(seed, Stream::generate, i) % classes;
    sample.codes[i] = static_cast<std::int32_t>(c);
    for (std::size_t j = 0; j < columns; ++j) {
      sample.rows.row(i)[j] = static_cast<float>(normal(seed + 1, Stream::generate, i, j) +
                                                 (j == c % columns ? apart : 0));
    }
  }
  return sample;
}

// Every label with its own chance of being drawn from `matrix`.
inline std::vector<std::int32_t> noisy_codes(const LearnSample& sample,
                                             const std::vector<double>& matrix) {
  return draw_labels(sample.codes, sample.classes, matrix, 7, Stream::corrupt);
}

inline bool is_finite(const Model& model) {
  for (const Layer& layer : model.layers) {
    for (const float weight : layer.weights) {
      if (!std::isfinite(weight)) return false;
    }
    for (const float bias : layer.biases) {
      if (!std::isfinite(bias)) return false;
    }
  }
  return true;
}

inline double accuracy_of(const Model& model, const LearnSample& sample) {
  return accuracy(probabilities(model, sample.rows.view()).view(), sample.codes);
}

inline bool operator==(const TreeSplit& a, const TreeSplit& b) {
  return a.column == b.column && a.threshold == b.threshold && a.left == b.left &&
         a.right == b.right;
}

inline bool operator==(const Tree& a, const Tree& b) {
  return a.splits == b.splits && a.leaves == b.leaves;
}

inline TreeTrainingOptions tree_training(const TreeOptions& trees, std::uint64_t seed = 0) {
  return {trees, seed, {}};
}

inline bool operator==(const Layer& a, const Layer& b) {
  return a.inputs == b.inputs && a.outputs == b.outputs && a.weights == b.weights &&
         a.biases == b.biases;
}

}  // namespace noiseplus
