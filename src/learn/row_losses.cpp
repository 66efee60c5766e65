// Highway compiles this file once for each instruction set; see hwy/foreach_target.h.
#include "learn/row_losses.h"

#include <algorithm>
#include <vector>

#include "util/dispatch.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/row_losses.cpp"
#include "hwy/foreach_target.h"  // must come before the others

#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace noiseplus {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, 16>;
using Vector = hn::Vec<Lanes>;

HWY_INLINE double sum_in_double(Vector values) {
  const hn::Half<Lanes> half;
  const hn::Rebind<double, decltype(half)> wide;
  const auto sum = hn::Add(hn::PromoteTo(wide, hn::LowerHalf(half, values)),
                           hn::PromoteTo(wide, hn::UpperHalf(half, values)));
  return hn::GetLane(hn::SumOfLanes(wide, sum));
}

// The weights that still pull.
HWY_INLINE Vector pulling(Vector weights, Vector losses, Vector limit) {
  const Lanes tag;
  const auto is_out = hn::And(hn::Lt(weights, hn::Zero(tag)), hn::Not(hn::Lt(losses, limit)));
  return hn::IfThenElse(is_out, hn::Zero(tag), weights);
}

// What the losses count: those with weights below zero at most `limit`.
HWY_INLINE Vector limited(Vector weights, Vector losses, Vector limit) {
  const auto is_negative = hn::Lt(weights, hn::Zero(Lanes()));
  return hn::IfThenElse(is_negative, hn::Min(losses, limit), losses);
}

HWY_INLINE double logistic_vector(float* logits, const float* weights, float limit) {
  const Lanes tag;
  const Vector z = hn::LoadU(tag, logits);
  Vector w0;
  Vector w1;
  hn::LoadInterleaved2(tag, weights, w0, w1);
  const Vector zero = hn::Zero(tag);
  const Vector one = hn::Set(tag, 1.0F);
  const Vector most = hn::Set(tag, limit);
  const Vector tail = hn::Exp(tag, hn::Neg(hn::Abs(z)));
  const Vector smaller = hn::Log1p(tag, tail);
  const Vector loss0 = hn::Add(smaller, hn::Max(z, zero));
  const Vector loss1 = hn::Add(smaller, hn::Max(hn::Neg(z), zero));
  const Vector larger_chance = hn::Div(one, hn::Add(one, tail));
  const Vector smaller_chance = hn::Mul(tail, larger_chance);
  const auto is_1 = hn::Ge(z, zero);
  const Vector p1 = hn::IfThenElse(is_1, larger_chance, smaller_chance);
  const Vector p0 = hn::IfThenElse(is_1, smaller_chance, larger_chance);
  hn::StoreU(hn::Sub(hn::Mul(pulling(w0, loss0, most), p1), hn::Mul(pulling(w1, loss1, most), p0)),
             tag, logits);
  return sum_in_double(
      hn::MulAdd(w0, limited(w0, loss0, most), hn::Mul(w1, limited(w1, loss1, most))));
}

double logistic(const RowLosses& rows) {
  const std::size_t width = hn::Lanes(Lanes());
  double sum = 0;
  std::size_t i = 0;
  for (; i + width <= rows.count; i += width) {
    sum += logistic_vector(rows.logits + i, rows.weights + 2 * i, rows.limit);
  }
  if (i == rows.count) return sum;
  float logits[16] = {};
  float weights[32] = {};  // those behind the end are 0, and so are their losses
  std::copy_n(rows.logits + i, rows.count - i, logits);
  std::copy_n(rows.weights + 2 * i, 2 * (rows.count - i), weights);
  sum += logistic_vector(logits, weights, rows.limit);
  std::copy_n(logits, rows.count - i, rows.logits + i);
  return sum;
}

// Lanes behind the last class get the weight 0 and a logit that adds nothing.
double softmax(const RowLosses& rows) {
  const Lanes tag;
  const std::size_t width = hn::Lanes(tag);
  const Vector most = hn::Set(tag, rows.limit);
  constexpr float far_below = -1e30F;
  const std::size_t vectors = (rows.classes + width - 1) / width;
  std::vector<float> padded_weights(vectors * width);
  std::vector<float> chances(vectors * width);
  double sum = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const z = rows.logits + i * rows.stride;
    std::copy_n(rows.weights + i * rows.classes, rows.classes, padded_weights.data());
    std::fill(z + rows.classes, z + vectors * width, far_below);
    Vector largest = hn::LoadU(tag, z);
    for (std::size_t v = 1; v < vectors; ++v) {
      largest = hn::Max(largest, hn::LoadU(tag, z + v * width));
    }
    largest = hn::MaxOfLanes(tag, largest);
    Vector total = hn::Zero(tag);
    for (std::size_t v = 0; v < vectors; ++v) {
      const Vector chance = hn::Exp(tag, hn::Sub(hn::LoadU(tag, z + v * width), largest));
      hn::StoreU(chance, tag, chances.data() + v * width);
      total = hn::Add(total, chance);
    }
    total = hn::SumOfLanes(tag, total);
    // log_total - z as (largest - z) + log(total): large logits cancel first.
    const Vector log_total = hn::Log(tag, total);
    Vector loss = hn::Zero(tag);
    Vector pull = hn::Zero(tag);
    for (std::size_t v = 0; v < vectors; ++v) {
      const Vector w = hn::LoadU(tag, padded_weights.data() + v * width);
      const Vector of_class = hn::Add(hn::Sub(largest, hn::LoadU(tag, z + v * width)), log_total);
      loss = hn::MulAdd(w, limited(w, of_class, most), loss);
      const Vector pulls = pulling(w, of_class, most);
      pull = hn::Add(pull, pulls);
      hn::StoreU(pulls, tag, z + v * width);
    }
    sum += static_cast<double>(hn::GetLane(hn::SumOfLanes(tag, loss)));
    const Vector scale = hn::Div(hn::SumOfLanes(tag, pull), total);
    for (std::size_t v = 0; v < vectors; ++v) {
      const Vector chance = hn::LoadU(tag, chances.data() + v * width);
      hn::StoreU(hn::Sub(hn::Mul(scale, chance), hn::LoadU(tag, z + v * width)), tag,
                 z + v * width);
    }
  }
  return sum;
}

LossKernel loss_kernel() {
  return {hwy::TargetName(HWY_TARGET), logistic, softmax};
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace noiseplus
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noiseplus {

std::span<const LossKernel> loss_kernels() {
  static constexpr LossKernel (*compiled[])() = {HWY_CHOOSE_TARGET_LIST(loss_kernel)};
  static const std::vector<LossKernel> kernels = supported_kernels(compiled, scalar_loss_kernel());
  return kernels;
}

}  // namespace noiseplus
#endif
