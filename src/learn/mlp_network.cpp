#include "learn/mlp_network.h"

#include <algorithm>
#include <cmath>

#include "core/portable_math.h"

namespace noiseplus {
namespace {

constexpr std::size_t rows_of_task = 16;
constexpr std::size_t inputs_of_task = 64;

// Weights of about the size that keeps the variance through a layer (He et al. 2015).
PackedLayer random_layer(std::size_t inputs, std::size_t outputs, std::uint64_t seed,
                         std::uint64_t number) {
  PackedLayer layer(inputs, outputs);
  const double size = std::sqrt(2.0 / static_cast<double>(std::max<std::size_t>(inputs, 1)));
  for (std::size_t i = 0; i < inputs; ++i) {
    for (std::size_t o = 0; o < outputs; ++o) {
      layer.weight(i, o) =
          static_cast<float>(size * normal(seed, Stream::weights, 2 * i + number, o));
    }
  }
  return layer;
}

AdamRule rule_of(const AdamStep& step, double decay) {
  const auto number = static_cast<double>(step.number);
  return {static_cast<float>(step.rate / (1 - portable::pow(0.9, number))),
          static_cast<float>(1 / std::sqrt(1 - portable::pow(0.999, number))),
          static_cast<float>(1 - step.rate * decay)};
}

void sum_columns(const std::vector<float>& values, std::size_t rows, std::size_t stride,
                 std::vector<float>& sums) {
  std::fill(sums.begin(), sums.end(), 0.0F);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += values[i * stride + j];
  }
}

std::size_t tasks(std::size_t count, std::size_t of_task) {
  return (count + of_task - 1) / of_task;
}

}  // namespace

MlpNetwork::LayerState::LayerState(PackedLayer packed)
    : layer(std::move(packed)), gradient(layer.inputs, layer.outputs) {
  for (auto [moments, size] :
       {std::pair{&weights, layer.weights.size()}, std::pair{&biases, layer.biases.size()}}) {
    moments->mean.resize(size);
    moments->square.resize(size);
  }
}

MlpNetwork::MlpNetwork(MatrixView rows, TargetsView targets, const Scaling& scaling,
                       const MlpOptions& options, const Model* start, ThreadPool& pool)
    : rows_(rows),
      targets_(targets),
      scaling_(scaling),
      options_(options),
      pool_(pool),
      products_(chosen_product_kernel()),
      kernels_(chosen_loss_kernel()),
      elements_(chosen_element_kernel()),
      scale_of_loss_(static_cast<double>(rows_that_count(targets).size()) / targets.total()),
      first_(start != nullptr ? PackedLayer(scaling.for_scaled_rows(start->layers[0]))
                              : random_layer(rows.columns, options.hidden, options.seed, 0)),
      second_(start != nullptr
                  ? PackedLayer(start->layers[1])
                  : random_layer(options.hidden, outputs_of(targets.classes()), options.seed, 1)),
      second_transposed_(second_.layer.outputs * padded(second_.layer.inputs)) {}

Model MlpNetwork::model() const {
  return {targets_.classes(),
          {scaling_.for_rows(first_.layer.unpacked()), second_.layer.unpacked()}};
}

double MlpNetwork::learn(const Batch& batch, const AdamStep& step) {
  return run(batch, options_.dropout > 0, &step);
}

double MlpNetwork::find_gradient(const Batch& batch) {
  return run(batch, false, nullptr);
}

std::pair<Layer, Layer> MlpNetwork::gradients() const {
  return {first_.gradient.unpacked(), second_.gradient.unpacked()};
}

void MlpNetwork::make_room(std::size_t rows) {
  const auto at_least = [](std::vector<float>& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
  };
  at_least(inputs_, rows * padded(rows_.columns));
  at_least(hidden_, rows * padded(first_.layer.outputs));
  at_least(hidden_slopes_, rows * padded(first_.layer.outputs));
  at_least(logits_, rows * output_stride(second_.layer.outputs));
  at_least(weights_, rows * targets_.classes());
}

double MlpNetwork::run(const Batch& batch, bool drops, const AdamStep* step) {
  const std::size_t rows = batch.rows.size();
  make_room(rows);
  const PackedLayer& second = second_.layer;
  for (std::size_t h = 0; h < second.inputs; ++h) {
    for (std::size_t o = 0; o < second.outputs; ++o) {
      second_transposed_[o * padded(second.inputs) + h] =
          second.weights[h * output_stride(second.outputs) + o];
    }
  }
  std::vector<double> losses(tasks(rows, rows_of_task));
  // A step of many rows and units is long: each task asks whether to go on.
  const auto ask = [&batch] {
    if (batch.meter != nullptr) batch.meter->step(0);
  };
  pool_.for_each(losses.size(), [&](std::size_t t) {
    ask();
    const std::size_t begin = t * rows_of_task;
    const std::size_t count = std::min(rows_of_task, rows - begin);
    forward(begin, count, batch, drops);
    losses[t] = backward(begin, count, batch, drops);
  });
  const std::size_t panels = tasks(rows_.columns, inputs_of_task);
  pool_.for_each(panels + 1, [&](std::size_t t) {
    ask();
    if (t == 0) {
      other_parameters_task(rows, step);
    } else {
      first_layer_task((t - 1) * inputs_of_task, rows, step);
    }
  });
  double sum = 0;
  for (const double loss : losses) sum += loss;
  return sum * scale_of_loss_ / static_cast<double>(rows);
}

void MlpNetwork::forward(std::size_t begin, std::size_t count, const Batch& batch, bool drops) {
  const std::size_t stride = padded(rows_.columns);
  const std::size_t hidden = padded(first_.layer.outputs);
  for (std::size_t i = begin; i < begin + count; ++i) {
    elements_.scale(rows_.row(batch.rows[i]), scaling_.means.data(), scaling_.scale, rows_.columns,
                    inputs_.data() + i * stride);
  }
  float* const units = hidden_.data() + begin * hidden;
  apply(first_.layer, {inputs_.data() + begin * stride, stride, count, rows_.columns}, units,
        products_);
  elements_.rectify(units, count * hidden);
  for (std::size_t i = 0; drops && i < count; ++i) {
    drop_units(begin + i, batch.rows[begin + i], batch.epoch);
  }
  apply(second_.layer, {units, hidden, count, second_.layer.inputs},
        logits_.data() + begin * output_stride(second_.layer.outputs), products_);
}

void MlpNetwork::drop_units(std::size_t i, std::uint64_t row, std::uint64_t epoch) {
  float* const units = hidden_.data() + i * padded(first_.layer.outputs);
  const auto kept = static_cast<float>(1 / (1 - options_.dropout));
  // One hash has four draws of 16 bits.
  const std::uint64_t key = hash(options_.seed, Stream::dropout, row, epoch);
  const auto limit = static_cast<std::uint64_t>(std::lround(options_.dropout * 0x1p16));
  std::uint64_t draws = 0;
  for (std::size_t h = 0; h < first_.layer.outputs; ++h) {
    draws = h % 4 == 0 ? hash(key, Stream::dropout, h) : draws >> 16;
    units[h] *= (draws & 0xffff) < limit ? 0 : kept;
  }
}

double MlpNetwork::row_losses(const RowLosses& losses) const {
  if (!targets_.transition().empty()) return forward_losses(losses, targets_.transition());
  return losses.classes == 2 ? kernels_.logistic(losses) : kernels_.softmax(losses);
}

double MlpNetwork::backward(std::size_t begin, std::size_t count, const Batch& batch, bool drops) {
  const std::size_t classes = targets_.classes();
  const std::size_t outputs = second_.layer.outputs;
  const std::size_t stride = output_stride(outputs);
  float* const weights = weights_.data() + begin * classes;
  for (std::size_t i = 0; i < count; ++i) {
    targets_.copy_row(batch.rows[begin + i], weights + i * classes);
  }
  float* const logits = logits_.data() + begin * stride;
  const double loss = row_losses({count, classes, logits, stride, weights,
                                  static_cast<float>(-portable::log(options_.floor))});
  const auto scale = static_cast<float>(scale_of_loss_ / static_cast<double>(batch.rows.size()));
  for (std::size_t i = 0; i < count * stride; ++i) logits[i] *= scale;

  const std::size_t hidden = padded(first_.layer.outputs);
  float* const slopes = hidden_slopes_.data() + begin * hidden;
  Product product{count, outputs, first_.layer.outputs, logits};
  product.left_row_stride = stride;
  product.left_inner_stride = 1;
  product.right = second_transposed_.data();
  product.right_stride = product.result_stride = hidden;
  product.right_is_padded = true;
  product.result = slopes;
  products_.multiply(product);
  const float* const units = hidden_.data() + begin * hidden;
  const auto kept = static_cast<float>(drops ? 1 / (1 - options_.dropout) : 1);
  elements_.gate(slopes, units, kept, count * hidden);
  return loss;
}

std::vector<float> MlpNetwork::losses(std::span<const std::uint32_t> rows) {
  make_room(rows.size());
  const std::size_t stride = output_stride(second_.layer.outputs);
  std::vector<float> losses(rows.size());
  pool_.for_each(tasks(rows.size(), rows_of_task), [&](std::size_t t) {
    const std::size_t begin = t * rows_of_task;
    const std::size_t count = std::min(rows_of_task, rows.size() - begin);
    forward(begin, count, {rows, 0}, false);
    for (std::size_t i = begin; i < begin + count; ++i) {
      float* const weights = weights_.data() + i * targets_.classes();
      targets_.copy_row(rows[i], weights);
      losses[i] = static_cast<float>(
          row_losses({1, targets_.classes(), logits_.data() + i * stride, stride, weights}));
    }
  });
  return losses;
}

void MlpNetwork::first_layer_task(std::size_t first_input, std::size_t rows, const AdamStep* step) {
  const std::size_t inputs = std::min(inputs_of_task, rows_.columns - first_input);
  const std::size_t width = output_stride(first_.layer.outputs);
  Product product{inputs, rows, first_.layer.outputs, inputs_.data() + first_input};
  product.left_row_stride = 1;
  product.left_inner_stride = padded(rows_.columns);
  product.right = hidden_slopes_.data();
  product.right_stride = padded(first_.layer.outputs);
  product.right_is_padded = true;
  const std::size_t place = first_input * width;
  product.result = first_.gradient.weights.data() + place;
  product.result_stride = width;
  products_.multiply(product);
  if (step == nullptr) return;
  elements_.adam({first_.layer.weights.data() + place, product.result,
                  first_.weights.mean.data() + place, first_.weights.square.data() + place},
                 rule_of(*step, step->decay), inputs * width);
}

void MlpNetwork::other_parameters_task(std::size_t rows, const AdamStep* step) {
  sum_columns(hidden_slopes_, rows, padded(first_.layer.outputs), first_.gradient.biases);
  sum_columns(logits_, rows, output_stride(second_.layer.outputs), second_.gradient.biases);
  const std::size_t hidden = padded(first_.layer.outputs);
  if (second_.layer.outputs == 1) {
    products_.weighted_sum({hidden_.data(), hidden, rows, second_.layer.inputs}, logits_.data(),
                           second_.gradient.weights.data());
  } else {
    Product product{second_.layer.inputs, rows, second_.layer.outputs, hidden_.data()};
    product.left_row_stride = 1;
    product.left_inner_stride = hidden;
    product.right = logits_.data();
    product.right_stride = product.result_stride = padded(second_.layer.outputs);
    product.right_is_padded = true;
    product.result = second_.gradient.weights.data();
    products_.multiply(product);
  }
  if (step == nullptr) return;
  const auto move = [&](std::vector<float>& values, const std::vector<float>& gradient,
                        Moments& moments, double decay) {
    elements_.adam({values.data(), gradient.data(), moments.mean.data(), moments.square.data()},
                   rule_of(*step, decay), values.size());
  };
  move(first_.layer.biases, first_.gradient.biases, first_.biases, 0);
  move(second_.layer.weights, second_.gradient.weights, second_.weights, step->decay);
  move(second_.layer.biases, second_.gradient.biases, second_.biases, 0);
}

}  // namespace noiseplus
