// What training one network and training two have in common. Internal to the learn stage.
#pragma once

#include <vector>

#include "learn/mlp_network.h"

namespace noiseplus {

// Throws usage.
void check_options(const MlpOptions& options);

// Rows in a new order each epoch.
class ShuffledRows {
 public:
  ShuffledRows(std::vector<std::uint32_t> rows, std::uint64_t seed)
      : rows_(std::move(rows)), seed_(seed) {}
  std::span<const std::uint32_t> of_epoch(int epoch);

 private:
  std::vector<std::uint32_t> rows_;
  std::uint64_t seed_;
};

// The rate falls to zero along a half cosine, over all steps.
class Schedule {
 public:
  Schedule(const MlpOptions& options, std::size_t rows);

  std::size_t batches_an_epoch() const { return batches_; }
  AdamStep next();

 private:
  const MlpOptions& options_;
  std::size_t batches_;
  std::int64_t step_ = 0;
};

}  // namespace noiseplus
