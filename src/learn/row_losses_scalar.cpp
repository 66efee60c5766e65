#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/portable_math.h"
#include "learn/layers.h"
#include "learn/row_losses.h"
#include "learn/scalar_lanes.h"

// The formulas are those of the vectors; this is what they need of Highway, for one lane.
#ifndef HWY_INLINE
#define HWY_INLINE inline
#endif

namespace noiseplus {
namespace one_lane {
namespace hn {

struct Floats {
  using Number = float;
};
struct Integers {
  using Number = std::int32_t;
};
template <class D>
using Vec = typename D::Number;
template <class D>
using RebindToSigned = Integers;

template <class D>
Vec<D> Set(D /*tag*/, Vec<D> value) {
  return value;
}
template <class D>
Vec<D> Zero(D /*tag*/) {
  return 0;
}
template <class D, typename Number>
Vec<D> BitCast(D /*tag*/, Number value) {
  return std::bit_cast<Vec<D>>(value);
}
inline float ConvertTo(Floats /*tag*/, std::int32_t value) {
  return static_cast<float>(value);
}
inline float Add(float a, float b) {
  return a + b;
}
inline float Sub(float a, float b) {
  return a - b;
}
// Wraps, as the vectors do.
inline std::int32_t Sub(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - static_cast<std::uint32_t>(b));
}
inline float Mul(float a, float b) {
  return a * b;
}
inline float MulAdd(float a, float b, float added) {
  return std::fma(a, b, added);
}
inline float Div(float a, float b) {
  return a / b;
}
inline float Neg(float a) {
  return -a;
}
inline float Abs(float a) {
  return std::abs(a);
}
inline bool Lt(float a, float b) {
  return a < b;
}
inline bool Gt(float a, float b) {
  return a > b;
}
inline bool Ge(float a, float b) {
  return a >= b;
}
inline bool Ne(float a, float b) {
  return a != b;
}
inline bool And(bool a, bool b) {
  return a && b;
}
inline bool Not(bool a) {
  return !a;
}
inline float IfThenElse(bool holds, float yes, float no) {
  return holds ? yes : no;
}
inline float IfThenElseZero(bool holds, float yes) {
  return holds ? yes : 0;
}
template <int bits>
std::int32_t ShiftLeft(std::int32_t a) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << bits);
}
template <int bits>
std::int32_t ShiftRight(std::int32_t a) {
  return a >> bits;
}

}  // namespace hn

#include "learn/loss_formulas.inc"

}  // namespace one_lane

namespace {

constexpr one_lane::hn::Floats one_float;

double logistic(const RowLosses& rows) {
  double lanes[virtual_lanes / 2] = {};
  for (std::size_t first = 0; first < rows.count; first += virtual_lanes) {
    float losses[virtual_lanes] = {};
    const std::size_t count = std::min(virtual_lanes, rows.count - first);
    for (std::size_t l = 0; l < count; ++l) {
      const std::size_t i = first + l;
      float slope = 0;
      losses[l] = one_lane::logistic_losses(one_float, rows.logits[i], rows.weights[2 * i],
                                            rows.weights[2 * i + 1], rows.limit, slope);
      rows.logits[i] = slope;
    }
    for (std::size_t l = 0; l < virtual_lanes / 2; ++l) {
      lanes[l] +=
          static_cast<double>(losses[l]) + static_cast<double>(losses[l + virtual_lanes / 2]);
    }
  }
  return sum_lanes(lanes);
}

float larger(float a, float b) {
  return b > a ? b : a;
}

double softmax(const RowLosses& rows) {
  double sum = 0;
  std::vector<float> chances(rows.classes);
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const z = rows.logits + i * rows.stride;
    const float* const weights = rows.weights + i * rows.classes;
    float maxima[virtual_lanes];
    std::fill(std::begin(maxima), std::end(maxima), std::numeric_limits<float>::lowest());
    for (std::size_t c = 0; c < rows.classes; ++c) {
      float& lane = maxima[c % virtual_lanes];
      lane = larger(lane, z[c]);
    }
    const float largest = fold_lanes(maxima, larger);
    float totals[virtual_lanes] = {};
    for (std::size_t c = 0; c < rows.classes; ++c) {
      chances[c] = one_lane::exp_of_negative(one_float, z[c] - largest);
      totals[c % virtual_lanes] += chances[c];
    }
    const float total = sum_lanes(totals);
    const float log_total = one_lane::log_of(one_float, total);
    float losses[virtual_lanes] = {};
    float pulls[virtual_lanes] = {};
    for (std::size_t c = 0; c < rows.classes; ++c) {
      const float loss = (largest - z[c]) + log_total;
      float& lane = losses[c % virtual_lanes];
      lane = std::fma(weights[c], one_lane::limited(one_float, weights[c], loss, rows.limit), lane);
      z[c] = one_lane::pulling(one_float, weights[c], loss, rows.limit);
      pulls[c % virtual_lanes] += z[c];
    }
    sum += static_cast<double>(sum_lanes(losses));
    const float scale = sum_lanes(pulls) / total;
    for (std::size_t c = 0; c < rows.classes; ++c) z[c] = scale * chances[c] - z[c];
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
      sum -= weight * portable::log(std::max(noisy, least));
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
