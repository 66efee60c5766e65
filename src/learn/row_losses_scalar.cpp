#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/layers.h"
#include "learn/row_losses.h"

namespace noiseplus {
namespace {

// A loss that counts, and whether it still pulls.
struct Limited {
  double loss;
  bool pulls;
};

Limited limit_loss(double loss, double weight, double limit) {
  const bool pulls = weight >= 0 || loss < limit;
  return {pulls ? loss : limit, pulls};
}

double logistic(const RowLosses& rows) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    const double z = rows.logits[i];
    const double tail = std::exp(-std::abs(z));
    const double smaller = std::log1p(tail);  // loss of the likelier class
    const double w0 = rows.weights[2 * i];
    const double w1 = rows.weights[2 * i + 1];
    const Limited of_0 = limit_loss(smaller + std::max(z, 0.0), w0, rows.limit);
    const Limited of_1 = limit_loss(smaller + std::max(-z, 0.0), w1, rows.limit);
    sum += w0 * of_0.loss + w1 * of_1.loss;
    const double p1 = (z >= 0 ? 1 : tail) / (1 + tail);
    rows.logits[i] =
        static_cast<float>((of_0.pulls ? w0 * p1 : 0) - (of_1.pulls ? w1 * (1 - p1) : 0));
  }
  return sum;
}

double softmax(const RowLosses& rows) {
  double sum = 0;
  std::vector<double> chances(rows.classes);
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const z = rows.logits + i * rows.stride;
    const float* const w = rows.weights + i * rows.classes;
    const double largest = *std::max_element(z, z + rows.classes);
    double total = 0;
    for (std::size_t c = 0; c < rows.classes; ++c) {
      chances[c] = std::exp(static_cast<double>(z[c]) - largest);
      total += chances[c];
    }
    const double log_total = largest + std::log(total);
    double pull = 0;
    for (std::size_t c = 0; c < rows.classes; ++c) {
      const Limited of_c = limit_loss(log_total - static_cast<double>(z[c]), w[c], rows.limit);
      sum += static_cast<double>(w[c]) * of_c.loss;
      z[c] = of_c.pulls ? w[c] : 0;
      pull += static_cast<double>(z[c]);
    }
    for (std::size_t c = 0; c < rows.classes; ++c) {
      z[c] = static_cast<float>(pull * chances[c] / total - static_cast<double>(z[c]));
    }
  }
  return sum;
}

}  // namespace

double forward_losses(const RowLosses& rows, std::span<const double> transition) {
  const std::size_t classes = rows.classes;
  std::vector<double> chances(classes);
  std::vector<double> slopes(classes);  // of the loss in each probability
  double sum = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const z = rows.logits + i * rows.stride;
    find_chances(z, chances);
    std::fill(slopes.begin(), slopes.end(), 0.0);
    for (std::size_t c = 0; c < classes; ++c) {
      const double weight = rows.weights[i * classes + c];
      if (weight == 0) continue;
      double noisy = 0;
      for (std::size_t k = 0; k < classes; ++k) noisy += chances[k] * transition[k * classes + c];
      // A label that no likely class can have would cost infinitely much.
      constexpr double least = 1e-12;
      sum -= weight * std::log(std::max(noisy, least));
      if (noisy <= least) continue;
      for (std::size_t k = 0; k < classes; ++k) {
        slopes[k] -= weight * transition[k * classes + c] / noisy;
      }
    }
    double mean = 0;
    for (std::size_t k = 0; k < classes; ++k) mean += chances[k] * slopes[k];
    if (classes == 2) {
      z[0] = static_cast<float>(chances[1] * (slopes[1] - mean));
      continue;
    }
    for (std::size_t k = 0; k < classes; ++k) {
      z[k] = static_cast<float>(chances[k] * (slopes[k] - mean));
    }
  }
  return sum;
}

LossKernel scalar_loss_kernel() {
  return {"SCALAR", logistic, softmax};
}

}  // namespace noiseplus
