// Highway compiles this file once for each instruction set; see hwy/foreach_target.h.
#include "learn/elementwise.h"

#include <vector>

#include "core/dispatch.h"
#include "core/kernel_choice.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/elementwise.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "learn/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace noiseplus {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

// Whole vectors by `vector`, what is left by the scalar twin.
template <typename ByVector>
HWY_INLINE std::size_t for_vectors(std::size_t count, const ByVector& by_vector) {
  const std::size_t width = hn::Lanes(Lanes());
  std::size_t i = 0;
  for (; i + width <= count; i += width) by_vector(i);
  return i;
}

void scale(const float* values, const float* means, float by, std::size_t count, float* result) {
  const Lanes tag;
  const Vector factor = hn::Set(tag, by);
  const std::size_t i = for_vectors(count, [&](std::size_t at) HWY_ATTR {
    const Vector centered = hn::Sub(hn::LoadU(tag, values + at), hn::LoadU(tag, means + at));
    hn::StoreU(hn::Mul(centered, factor), tag, result + at);
  });
  scalar_element_kernel().scale(values + i, means + i, by, count - i, result + i);
}

void rectify(float* values, std::size_t count) {
  const Lanes tag;
  const std::size_t i = for_vectors(count, [&](std::size_t at) HWY_ATTR {
    // Not Max, which differs between targets for NaN and for -0.
    const Vector value = hn::LoadU(tag, values + at);
    hn::StoreU(hn::IfThenZeroElse(hn::Le(value, hn::Zero(tag)), value), tag, values + at);
  });
  scalar_element_kernel().rectify(values + i, count - i);
}

void gate(float* slopes, const float* units, float factor, std::size_t count) {
  const Lanes tag;
  const Vector by = hn::Set(tag, factor);
  const std::size_t i = for_vectors(count, [&](std::size_t at) HWY_ATTR {
    const auto is_on = hn::Gt(hn::LoadU(tag, units + at), hn::Zero(tag));
    const Vector scaled = hn::Mul(hn::LoadU(tag, slopes + at), by);
    hn::StoreU(hn::IfThenElseZero(is_on, scaled), tag, slopes + at);
  });
  scalar_element_kernel().gate(slopes + i, units + i, factor, count - i);
}

void adam(const AdamState& state, const AdamRule& rule, std::size_t count) {
  const Lanes tag;
  const auto set = [&](float value) HWY_ATTR { return hn::Set(tag, value); };
  const std::size_t i = for_vectors(count, [&](std::size_t at) HWY_ATTR {
    const Vector gradient = hn::LoadU(tag, state.gradients + at);
    const Vector mean =
        hn::MulAdd(set(0.9F), hn::LoadU(tag, state.means + at), hn::Mul(set(0.1F), gradient));
    const Vector square = hn::MulAdd(set(0.999F), hn::LoadU(tag, state.squares + at),
                                     hn::Mul(hn::Mul(set(0.001F), gradient), gradient));
    const Vector size = hn::MulAdd(hn::Sqrt(square), set(rule.correction), set(1e-8F));
    const Vector step = hn::Div(hn::Mul(set(rule.rate), mean), size);
    hn::StoreU(mean, tag, state.means + at);
    hn::StoreU(square, tag, state.squares + at);
    hn::StoreU(hn::Sub(hn::Mul(set(rule.kept), hn::LoadU(tag, state.values + at)), step), tag,
               state.values + at);
  });
  const AdamState rest{state.values + i, state.gradients + i, state.means + i, state.squares + i};
  scalar_element_kernel().adam(rest, rule, count - i);
}

ElementKernel element_kernel() {
  return {hwy::TargetName(HWY_TARGET), scale, rectify, gate, adam};
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace noiseplus
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace noiseplus {

std::span<const ElementKernel> element_kernels() {
  static constexpr ElementKernel (*compiled[])() = {HWY_CHOOSE_TARGET_LIST(element_kernel)};
  static const std::vector<ElementKernel> kernels =
      supported_kernels(compiled, scalar_element_kernel());
  return kernels;
}

const ElementKernel& chosen_element_kernel() {
  return chosen_kernel(element_kernels());
}

}  // namespace noiseplus
#endif
