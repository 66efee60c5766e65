#include <algorithm>

#include "learn/layers.h"
#include "util/checks.h"
#include "util/thread_pool.h"

namespace noiseplus {
namespace {

void check_shape(const Model& model, std::size_t columns) {
  if (!is_sound(model)) {
    throw Error(ErrorKind::usage, "the layers of the model do not fit each other");
  }
  if (model.inputs() != columns) {
    throw Error(ErrorKind::usage, "the model takes rows of " + std::to_string(model.inputs()) +
                                      " columns, these have " + std::to_string(columns));
  }
}

}  // namespace

std::string why_shapes_are_unfit(const Model& model) {
  const std::vector<Layer>& layers = model.layers;
  if (model.classes < 2) return "there are fewer than two classes";
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
  return why_shapes_are_unfit(model).empty() &&
         std::all_of(model.layers.begin(), model.layers.end(), is_filled);
}

Matrix probabilities(const Model& model, RowsView rows, const Execution& execution) {
  check_view(rows);
  check_shape(model, rows.columns);
  const std::vector<PackedLayer> layers(model.layers.begin(), model.layers.end());
  const ProductKernel& kernel = chosen_product_kernel();
  const std::size_t block_rows = rows_in_block(rows.columns);
  const std::size_t blocks = (rows.rows + block_rows - 1) / block_rows;
  Matrix result(rows.rows, model.classes);
  ThreadPool pool(execution.threads);
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
    RowBlock block{inputs.data(), rows.columns, count, rows.columns};
    std::vector<float> outputs;
    for (const PackedLayer& layer : layers) {
      std::vector<float> next(count * output_stride(layer.outputs));
      apply(layer, block, next.data(), kernel);
      if (&layer != &layers.back()) {
        for (float& value : next) value = std::max(value, 0.0F);
      }
      outputs = std::move(next);
      block = {outputs.data(), output_stride(layer.outputs), count, layer.outputs};
    }
    std::vector<double> chances(model.classes);
    for (std::size_t i = 0; i < count; ++i) {
      find_chances(block.values + i * block.stride, chances);
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
  std::size_t right = 0;
  for (std::size_t n = 0; n < codes.size(); ++n) right += likely[n] == codes[n] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(std::max<std::size_t>(codes.size(), 1));
}

}  // namespace noiseplus
