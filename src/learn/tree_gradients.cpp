#include "learn/tree_gradients.h"

#include <algorithm>
#include <bit>

#include "core/portable_math.h"

namespace noiseplus {
namespace {

// A row's gradient and curvature are rounded to 13 bits and added in one word together with the
// count: count in bits 0-12, curvature in 13-37, gradient, which has a sign, above.
constexpr double max_rounded = 8191;
constexpr int curvature_shift = 13, gradient_shift = 38;
constexpr std::uint64_t count_mask = (1U << curvature_shift) - 1;
constexpr std::uint64_t curvature_mask =
    (std::uint64_t{1} << (gradient_shift - curvature_shift)) - 1;

constexpr double curvature_floor = 1e-4;
constexpr double max_curvature = .25;  // of a row of weight 1; its gradient is within +-1
constexpr double probability_floor = 1e-6;

std::uint64_t rounded(double x) {
  constexpr double round_to_whole = 6755399441055744.0;  // 1.5 * 2^52: the sum has no fraction left
  return std::bit_cast<std::uint64_t>(x + round_to_whole) -
         std::bit_cast<std::uint64_t>(round_to_whole);
}

// The diagonal alone understates the curvature of K scores that move together; of two it would be
// half of it (Friedman 2001).
double curvature_factor(std::size_t outputs) {
  return outputs == 1 ? 1 : static_cast<double>(outputs) / static_cast<double>(outputs - 1);
}

// Of one row of many classes, in each score.
struct RowSlopes {
  std::vector<double> chances, gradients, curvatures;

  explicit RowSlopes(std::size_t classes)
      : chances(classes), gradients(classes), curvatures(classes) {}

  // With l_c = -log P(c) and weights w: (sum of w) P - w and (sum of w) P (1 - P).
  void find(const float* weights) {
    const auto is_pulling = [&](std::size_t c) {
      return weights[c] >= 0 || chances[c] >= signed_weight_floor;
    };
    double sum = 0;
    for (std::size_t c = 0; c < chances.size(); ++c) {
      if (is_pulling(c)) sum += static_cast<double>(weights[c]);
    }
    for (std::size_t c = 0; c < chances.size(); ++c) {
      const double pull = is_pulling(c) ? static_cast<double>(weights[c]) : 0;
      gradients[c] = sum * chances[c] - pull;
      curvatures[c] = sum * std::max(chances[c] * (1 - chances[c]), curvature_floor);
    }
  }

  // Of -log v_c with v = T^t P. In score k its slope is P_k (1 - T_kc / v_c), and the mean of the
  // squares of the slopes over labels drawn from v is the expected curvature.
  void find_forward(const float* weights, std::span<const double> transition) {
    const std::size_t classes = chances.size();
    std::fill(gradients.begin(), gradients.end(), 0.0);
    std::fill(curvatures.begin(), curvatures.end(), 0.0);
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c) {
      double noisy = 0;
      for (std::size_t k = 0; k < classes; ++k) noisy += chances[k] * transition[k * classes + c];
      noisy = std::max(noisy, probability_floor);
      const double weight = static_cast<double>(weights[c]);
      sum += weight;
      for (std::size_t k = 0; k < classes; ++k) {
        const double slope =
            std::clamp(chances[k] * (1 - transition[k * classes + c] / noisy), -1.0, 1.0);
        gradients[k] += weight * slope;
        curvatures[k] += noisy * slope * slope;
      }
    }
    for (double& curvature : curvatures) {
      curvature = sum * std::clamp(curvature, curvature_floor, max_curvature);
    }
  }
};

}  // namespace

TreeGradients::TreeGradients(const TreeLabels& labels)
    : labels_(labels),
      gradient_unit_(labels.max_weight / max_rounded),
      curvature_unit_(labels.max_weight * max_curvature * curvature_factor(labels.offsets.size()) /
                      max_rounded) {}

GradientSums TreeGradients::unpack(std::uint64_t word) {
  return {static_cast<std::int64_t>(word) >> gradient_shift,
          static_cast<std::int64_t>(word >> curvature_shift & curvature_mask),
          static_cast<std::int64_t>(word & count_mask)};
}

void TreeGradients::pack(std::span<const double> scores, std::span<const std::uint32_t> rows,
                         std::span<std::uint64_t> packed) const {
  if (labels_.offsets.size() == 1) {
    pack_two_classes(scores, rows, packed);
  } else {
    pack_many_classes(scores, rows, packed);
  }
}

// Gradient and expected curvature in f of -log P(label), where P(label 1) = v = e- + D sigmoid(f):
// v' (v - label) / (v (1 - v)) and v'^2 / (v (1 - v)).
void TreeGradients::pack_two_classes(std::span<const double> scores,
                                     std::span<const std::uint32_t> rows,
                                     std::span<std::uint64_t> packed) const {
  const double base = labels_.negative_noise, signal = labels_.signal;
  const double gradient_scale = 1 / gradient_unit_, curvature_scale = 1 / curvature_unit_;
  for (const std::uint32_t row : rows) {
    const double s = sigmoid(scores[row]);
    const double v = std::clamp(base + signal * s, probability_floor, 1 - probability_floor);
    const double slope = signal * s * (1 - s);
    const double ratio = slope / (v * (1 - v));
    const double curvature = std::max(slope * ratio, curvature_floor);
    double label = labels_.labels[row], weight = labels_.weights[row];
    if (labels_.is_signed && label < 0 && s < signed_weight_floor) {
      weight *= 1 - label;
      label = 0;
    } else if (labels_.is_signed && label > 1 && 1 - s < signed_weight_floor) {
      weight *= label;
      label = 1;
    }
    const double gradient = ratio * (v - label);
    packed[row] = (rounded(gradient * weight * gradient_scale) << gradient_shift) +
                  (rounded(curvature * weight * curvature_scale) << curvature_shift) + 1;
  }
}

void TreeGradients::pack_many_classes(std::span<const double> scores,
                                      std::span<const std::uint32_t> rows,
                                      std::span<std::uint64_t> packed) const {
  const std::size_t classes = labels_.offsets.size(), all_rows = labels_.row_ids.size();
  const double gradient_scale = 1 / gradient_unit_;
  const double curvature_scale = curvature_factor(classes) / curvature_unit_;
  const std::span<const double> transition = labels_.targets->transition();
  std::vector<float> room;
  RowSlopes slopes(classes);
  for (const std::uint32_t row : rows) {
    for (std::size_t c = 0; c < classes; ++c) slopes.chances[c] = scores[c * all_rows + row];
    softmax(slopes.chances.data(), classes);
    const float* const weights = labels_.targets->block(labels_.row_ids[row], 1, room);
    if (transition.empty()) {
      slopes.find(weights);
    } else {
      slopes.find_forward(weights, transition);
    }
    for (std::size_t c = 0; c < classes; ++c) {
      packed[c * all_rows + row] =
          (rounded(slopes.gradients[c] * gradient_scale) << gradient_shift) +
          (rounded(slopes.curvatures[c] * curvature_scale) << curvature_shift) + 1;
    }
  }
}

}  // namespace noiseplus
