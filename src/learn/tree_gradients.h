// Gradients of boosted trees as whole numbers. Internal to the learn stage.
//
// Sums of whole numbers do not depend on the order of the rows, and the histogram of a leaf is
// exactly its parent's less its sibling's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "learn/targets_view.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// Of the rows of a leaf, or of those with one code.
struct GradientSums {
  std::int64_t gradient = 0, curvature = 0, rows = 0;

  GradientSums& operator+=(const GradientSums& other) {
    gradient += other.gradient;
    curvature += other.curvature;
    rows += other.rows;
    return *this;
  }
  friend GradientSums operator-(const GradientSums& a, const GradientSums& b) {
    return {a.gradient - b.gradient, a.curvature - b.curvature, a.rows - b.rows};
  }
};

// A weight below zero stops pulling where its class is less likely than this, as in MlpOptions.
inline constexpr double signed_weight_floor = 1e-3;

// What the gradients of a row are made of. Rows are stored in any order.
struct TreeLabels {
  std::vector<std::uint32_t> row_ids;  // as the caller numbers them: random draws belong to these
  std::vector<float> weights;          // sum of the row's weights; 0: it takes no part
  // Two classes. The part of class 1 in that sum: 0 or 1, but for weights of several classes.
  std::vector<float> labels;
  double negative_noise = 0;  // P(label 1 | clean 0)
  double signal = 1;          // 1 - e+ - e-
  bool is_signed = false;     // some weight is below zero
  // More classes: the weights and the transition matrix. Read by row id.
  std::optional<TargetsView> targets;
  float max_weight = 1;               // no gradient is larger
  std::vector<double> offsets = {0};  // scores to start from, one per output
};

// At most this many packed words may be added: then no field overflows.
inline constexpr std::size_t max_packed_rows = 4096;

class TreeGradients {
 public:
  // The labels must outlive this.
  explicit TreeGradients(const TreeLabels& labels);

  double gradient_unit() const { return gradient_unit_; }
  double curvature_unit() const { return curvature_unit_; }

  // Gradient, curvature and a count of 1 in one word, for each output of the rows listed. Score and
  // word of output o and row i are at o * (number of rows) + i.
  void pack(std::span<const double> scores, std::span<const std::uint32_t> rows,
            std::span<std::uint64_t> packed) const;

  // Fields of a sum of packed words.
  static GradientSums unpack(std::uint64_t word);

 private:
  void pack_two_classes(std::span<const double> scores, std::span<const std::uint32_t> rows,
                        std::span<std::uint64_t> packed) const;
  void pack_many_classes(std::span<const double> scores, std::span<const std::uint32_t> rows,
                         std::span<std::uint64_t> packed) const;

  const TreeLabels& labels_;
  double gradient_unit_, curvature_unit_;
};

}  // namespace noiseplus
