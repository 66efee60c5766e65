// A network with one hidden layer that learns from one batch of rows after the other. Internal to
// the learn stage.
//
// A batch has two phases, each shared out in tasks of fixed size, so that the number of threads
// does not show: forwards and back to the hidden units by rows; then, by inputs, the gradient of
// the first layer and, while it is in the cache, the step along it.
#pragma once

#include <vector>

#include "core/thread_pool.h"
#include "learn/elementwise.h"
#include "learn/layers.h"
#include "learn/row_losses.h"
#include "learn/scaling.h"
#include "learn/targets_view.h"

namespace noiseplus {

struct Batch {
  std::span<const std::uint32_t> rows;
  std::uint64_t epoch = 0;         // numbers the draws of dropout
  ProgressMeter* meter = nullptr;  // asked in between whether to go on; may be null
};

// Adam with decoupled decay; `number` counts the steps from 1.
struct AdamStep {
  double rate = 1e-3, decay = 0;
  std::int64_t number = 1;
};

class MlpNetwork {
 public:
  // Random weights by `seed`, or those of `start`. Everything given must outlive the network.
  MlpNetwork(MatrixView rows, TargetsView targets, const Scaling& scaling,
             const MlpOptions& options, const Model* start, ThreadPool& pool);

  // The mean loss of the batch before the step.
  double learn(const Batch& batch, const AdamStep& step);

  // The mean loss, and its gradient in gradients(); no step, no dropout.
  double find_gradient(const Batch& batch);
  std::pair<Layer, Layer> gradients() const;

  // The loss of each row, without dropout.
  std::vector<float> losses(std::span<const std::uint32_t> rows);

  Model model() const;  // for rows as they are

 private:
  struct Moments {
    std::vector<float> mean, square;
  };
  struct LayerState {
    PackedLayer layer, gradient;
    Moments weights, biases;
    explicit LayerState(PackedLayer packed);
  };
  void make_room(std::size_t rows);
  void forward(std::size_t begin, std::size_t count, const Batch& batch, bool drops);
  void drop_units(std::size_t i, std::uint64_t row, std::uint64_t epoch);
  double backward(std::size_t begin, std::size_t count, const Batch& batch, bool drops);
  double row_losses(const RowLosses& losses) const;
  void first_layer_task(std::size_t first_input, std::size_t rows, const AdamStep* step);
  void other_parameters_task(std::size_t rows, const AdamStep* step);
  double run(const Batch& batch, bool drops, const AdamStep* step);

  MatrixView rows_;
  TargetsView targets_;
  const Scaling& scaling_;
  const MlpOptions& options_;
  ThreadPool& pool_;
  const ProductKernel& products_;
  const LossKernel& kernels_;
  const ElementKernel& elements_;
  double scale_of_loss_;  // so that the mean row weight is 1
  LayerState first_, second_;
  std::vector<float> second_transposed_;  // [outputs][padded(hidden)]
  // Of the batch: rows x padded(inputs), padded(hidden) twice, output_stride(outputs).
  std::vector<float> inputs_, hidden_, hidden_slopes_, logits_;
  std::vector<float> weights_;  // the targets of its rows
};

}  // namespace noiseplus
