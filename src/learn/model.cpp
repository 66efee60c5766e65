#include <algorithm>
#include <cmath>
#include <limits>

#include "core/checks.h"
#include "core/thread_pool.h"
#include "learn/elementwise.h"
#include "learn/layers.h"
#include "learn/tree_model.h"

namespace noiseplus {
namespace {

bool is_finite(std::span<const float> values) {
  return std::all_of(values.begin(), values.end(),
                     [](float value) { return std::isfinite(value); });
}

// Puts the logits of `count` rows of inputs into `outputs`.
RowBlock logits_of_trees(const BoostedTrees& boosted, std::span<const float> inputs,
                         std::size_t count, std::vector<float>& outputs) {
  const std::size_t columns = boosted.offsets.size();
  outputs.resize(count * columns);
  find_logits(boosted, inputs.data(), count, outputs.data());
  return {outputs.data(), columns, count, columns};
}

RowBlock logits_of_layers(std::span<const PackedLayer> layers, std::span<const float> inputs,
                          std::size_t count, std::vector<float>& outputs) {
  const ProductKernel& kernel = chosen_product_kernel();
  const auto rectify = chosen_element_kernel().rectify;
  const std::size_t columns = layers.front().inputs;
  RowBlock block{inputs.data(), columns, count, columns};
  for (const PackedLayer& layer : layers) {
    std::vector<float> next(count * output_stride(layer.outputs));
    apply(layer, block, next.data(), kernel);
    if (&layer != &layers.back()) rectify(next.data(), next.size());
    outputs = std::move(next);
    block = {outputs.data(), output_stride(layer.outputs), count, layer.outputs};
  }
  return block;
}

}  // namespace

std::string why_shapes_are_unfit(const Model& model) {
  const std::vector<Layer>& layers = model.layers;
  if (model.classes < 2) return "there are fewer than two classes";
  if (model.has_trees()) return layers.empty() ? "" : "there are layers beside the trees";
  if (layers.empty() || layers.size() > 2) return "there are not one or two layers";
  for (const Layer& layer : layers) {
    if (layer.inputs == 0 || layer.outputs == 0) return "a layer has no inputs or no outputs";
  }
  if (layers.size() == 2 && layers.front().outputs != layers.back().inputs) {
    return "the second layer does not take what the first gives";
  }
  if (layers.back().outputs != outputs_of(model.classes)) {
    return "the outputs do not fit the classes";
  }
  return "";
}

bool is_sound(const Model& model) {
  const auto is_filled = [](const Layer& layer) {
    return layer.weights.size() / layer.outputs == layer.inputs &&
           layer.weights.size() % layer.outputs == 0 && layer.biases.size() == layer.outputs;
  };
  if (!why_shapes_are_unfit(model).empty()) return false;
  if (model.has_trees()) return why_unfit(model.boosted, model.classes).empty();
  return std::all_of(model.layers.begin(), model.layers.end(), is_filled);
}

void check_columns(const Model& model, std::size_t columns) {
  if (model.inputs() == columns) return;
  throw Error(ErrorKind::usage, "the model takes rows of " + std::to_string(model.inputs()) +
                                    " columns, these have " + std::to_string(columns));
}

bool is_finite(const Model& model) {
  if (model.has_trees()) return is_sound(model);
  return std::all_of(model.layers.begin(), model.layers.end(), [](const Layer& layer) {
    return is_finite(layer.weights) && is_finite(layer.biases);
  });
}

Error overflow_error(const Model& model, std::size_t row) {
  if (!is_finite(model)) {
    return {ErrorKind::usage, "a weight of the model is not a finite number; train it again"};
  }
  return {ErrorKind::data, "row " + std::to_string(row + 1) +
                               ": the model's answer is not a finite number, because a value of "
                               "the row is missing or far too large; correct or remove the row"};
}

Matrix probabilities(const Model& model, RowsView rows, const Execution& execution) {
  ThreadPool pool(execution.threads);
  return probabilities(model, rows, pool, execution);
}

Matrix probabilities(const Model& model, RowsView rows, ThreadPool& pool,
                     const Execution& execution) {
  Matrix result = probabilities_or_nan(model, rows, pool, execution);
  for (std::size_t n = 0; n < result.rows(); ++n) {
    if (std::isnan(result.row(n)[0])) throw overflow_error(model, n);
  }
  return result;
}

Matrix probabilities_or_nan(const Model& model, RowsView rows, ThreadPool& pool,
                            const Execution& execution) {
  check_view(rows);
  check_that(is_sound(model), "the parts of the model do not fit each other");
  check_columns(model, rows.columns);
  const std::vector<PackedLayer> layers(model.layers.begin(), model.layers.end());
  const std::size_t block_rows = rows_in_block(rows.columns);
  const std::size_t blocks = (rows.rows + block_rows - 1) / block_rows;
  Matrix result(rows.rows, model.classes);
  ProgressMeter meter(execution, "predicting", blocks);
  pool.for_each(blocks, [&](std::size_t b) {
    const std::size_t begin = b * block_rows;
    const std::size_t count = std::min(block_rows, rows.rows - begin);
    std::vector<float> inputs(count * rows.columns);
    for (std::size_t i = 0; i < count; ++i) {
      float* const place = inputs.data() + i * rows.columns;
      const float* const row = rows.row(begin + i, place);
      if (row != place) std::copy_n(row, rows.columns, place);
    }
    std::vector<float> outputs;
    const RowBlock block = model.has_trees()
                               ? logits_of_trees(model.boosted, inputs, count, outputs)
                               : logits_of_layers(layers, inputs, count, outputs);
    std::vector<double> chances(model.classes);
    for (std::size_t i = 0; i < count; ++i) {
      const float* const logits = block.values + i * block.stride;
      if (is_finite({logits, block.columns})) {
        find_chances(logits, chances);
      } else {
        std::fill(chances.begin(), chances.end(), std::numeric_limits<double>::quiet_NaN());
      }
      std::copy(chances.begin(), chances.end(), result.row(begin + i));
    }
    meter.step();
  });
  return result;
}

std::vector<std::int32_t> most_likely(MatrixView probabilities) {
  check_view(probabilities, "the probabilities");
  check_that(probabilities.columns > 0 || probabilities.rows == 0,
             "probabilities of no class have no likeliest one");
  std::vector<std::int32_t> codes(probabilities.rows);
  for (std::size_t n = 0; n < probabilities.rows; ++n) {
    const float* const row = probabilities.row(n);
    codes[n] = static_cast<std::int32_t>(std::max_element(row, row + probabilities.columns) - row);
  }
  return codes;
}

double accuracy(MatrixView probabilities, std::span<const std::int32_t> codes) {
  if (codes.size() != probabilities.rows) {
    throw Error(ErrorKind::usage, "accuracy needs one label for each row");
  }
  const std::vector<std::int32_t> likely = most_likely(probabilities);
  check_codes(codes, probabilities.columns);
  std::size_t right = 0;
  for (std::size_t n = 0; n < codes.size(); ++n) right += likely[n] == codes[n] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(codes.size(), 1));
}

}  // namespace noiseplus
