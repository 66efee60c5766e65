// Sums over lanes that do not depend on how long the processor's vectors are: every target works on
// 16 lanes of float, one vector of AVX-512, two of AVX2, four of NEON, and folds them in one order.
// The scalar twins do the same with arrays. Included once for each target; see
// hwy/foreach_target.h.
#if defined(NOISEPLUS_LEARN_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef NOISEPLUS_LEARN_LANES_INL_H
#undef NOISEPLUS_LEARN_LANES_INL_H
#else
#define NOISEPLUS_LEARN_LANES_INL_H
#endif

#include <cstddef>

#include "hwy/highway.h"
#include "learn/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace noiseplus {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

namespace hn = hwy::HWY_NAMESPACE;
using Lanes = hn::CappedTag<float, virtual_lanes>;
using Vector = hn::Vec<Lanes>;

constexpr std::size_t lanes_of_vector = hn::MaxLanes(Lanes());
constexpr std::size_t parts = virtual_lanes / lanes_of_vector;  // vectors that are 16 lanes
static_assert(parts == 1 || parts == 2 || parts == 4);

struct Plus {
  template <typename V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::Add(a, b);
  }
};

// The first one where neither is larger; Highway's Max differs in that between targets.
struct Larger {
  template <typename V>
  HWY_INLINE V operator()(V a, V b) const {
    return hn::IfThenElse(hn::Gt(b, a), b, a);
  }
};

// Lane i with lane i + 8, then with i + 4, with i + 2, with i + 1.
template <typename V, typename Both>
HWY_INLINE float fold_vector(V values, Both both) {
  using D = hn::DFromV<V>;
  if constexpr (hn::MaxLanes(D()) > 4) {
    const hn::Half<D> half;
    return fold_vector(both(hn::LowerHalf(half, values), hn::UpperHalf(half, values)), both);
  } else {
    values = both(values, hn::Shuffle1032(values));
    return hn::GetLane(both(values, hn::Shuffle2301(values)));
  }
}

template <typename Both>
HWY_INLINE float fold(const Vector (&values)[parts], Both both) {
  if constexpr (parts == 4) {
    return fold_vector(both(both(values[0], values[2]), both(values[1], values[3])), both);
  } else if constexpr (parts == 2) {
    return fold_vector(both(values[0], values[1]), both);
  } else {
    return fold_vector(values[0], both);
  }
}

#endif
}  // namespace HWY_NAMESPACE
}  // namespace noiseplus
HWY_AFTER_NAMESPACE();

#endif
