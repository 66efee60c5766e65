#include <cmath>

#include "learn/elementwise.h"

namespace noiseplus {
namespace {

void scale(const float* values, const float* means, float by, std::size_t count, float* result) {
  for (std::size_t i = 0; i < count; ++i) result[i] = (values[i] - means[i]) * by;
}

void rectify(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = values[i] <= 0 ? 0 : values[i];
}

void gate(float* slopes, const float* units, float factor, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) slopes[i] = units[i] > 0 ? slopes[i] * factor : 0;
}

void adam(const AdamState& state, const AdamRule& rule, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float gradient = state.gradients[i];
    state.means[i] = std::fma(0.9F, state.means[i], 0.1F * gradient);
    state.squares[i] = std::fma(0.999F, state.squares[i], 0.001F * gradient * gradient);
    const float size = std::fma(std::sqrt(state.squares[i]), rule.correction, 1e-8F);
    state.values[i] = rule.kept * state.values[i] - rule.rate * state.means[i] / size;
  }
}

}  // namespace

ElementKernel scalar_element_kernel() {
  return {"SCALAR", scale, rectify, gate, adam};
}

}  // namespace noiseplus
