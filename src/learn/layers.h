// A layer laid out for the kernels, and what goes through it forwards. Internal to the learn stage.
//
// Rows of outputs lie `output_stride` apart: 1 for a single output, else the outputs padded to
// whole vectors.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/thread_pool.h"
#include "learn/products.h"
#include "noiseplus/learn.h"

namespace noiseplus {

constexpr std::size_t output_stride(std::size_t outputs) {
  return outputs == 1 ? 1 : padded(outputs);
}

struct PackedLayer {
  std::size_t inputs = 0, outputs = 0;
  std::vector<float> weights;  // one output: padded(inputs); else [inputs][padded(outputs)]
  std::vector<float> biases;   // output_stride(outputs)

  PackedLayer() = default;
  PackedLayer(std::size_t input_count, std::size_t output_count);
  explicit PackedLayer(const Layer& layer);

  float& weight(std::size_t input, std::size_t output) {
    return weights[input * output_stride(outputs) + output];
  }
  Layer unpacked() const;
};

// outputs = rows * weights + biases.
void apply(const PackedLayer& layer, const RowBlock& rows, float* outputs,
           const ProductKernel& kernel);

// Why the layers do not fit each other and the number of classes; empty when they do. Says nothing
// of the numbers in them.
std::string why_shapes_are_unfit(const Model& model);

// Whether they do, and hold as many numbers as they say.
bool is_sound(const Model& model);

// How many logits a model of so many classes has.
constexpr std::size_t outputs_of(std::size_t classes) {
  return classes == 2 ? 1 : classes;
}

// Throws usage when the model does not take rows of so many columns.
void check_columns(const Model& model, std::size_t columns);

// Whether all weights and biases are finite.
bool is_finite(const Model& model);

// As the public one, on a pool of the caller's; of `execution` only the progress is read.
Matrix probabilities(const Model& model, RowsView rows, ThreadPool& pool,
                     const Execution& execution = {});

// The same, but rows with a logit that is not finite get NaN in place of an error.
Matrix probabilities_or_nan(const Model& model, RowsView rows, ThreadPool& pool,
                            const Execution& execution = {});

// What to throw for a row that got NaN: usage if the model's weights are not finite, else data.
Error overflow_error(const Model& model, std::size_t row);

// From the logits of a row to the probabilities of its classes, as many as `chances` has.
void find_chances(const float* logits, std::span<double> chances);

// Rows of about this many values fit the second cache together with what is made of them.
constexpr std::size_t rows_in_block(std::size_t columns) {
  constexpr std::size_t values = 65536;
  const std::size_t rows = values / (columns == 0 ? 1 : columns);
  return rows < 32 ? 32 : rows > 1024 ? 1024 : rows;
}

}  // namespace noiseplus
