// Highway compiles this file once for each instruction set; see hwy/foreach_target.h.
#include "learn/row_losses.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/dispatch.h"
#include "core/kernel_choice.h"
#include "learn/scalar_lanes.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "learn/row_losses.cpp"
#include "hwy/foreach_target.h"  // must come before highway.h
#include "hwy/highway.h"
#include "learn/lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace noiseplus {
namespace HWY_NAMESPACE {
#if HWY_TARGET != HWY_SCALAR && HWY_TARGET != HWY_EMU128

#include "learn/loss_formulas.inc"

// Sums in 8 lanes of double: row i is in lane i % 8.
struct LossLanes {
  static constexpr std::size_t count = 8;
  static constexpr hn::Half<Lanes> half = {};
  static constexpr hn::Rebind<double, hn::Half<Lanes>> wide = {};
  static constexpr std::size_t vectors = count / hn::MaxLanes(wide);
  hn::Vec<hn::Rebind<double, hn::Half<Lanes>>> sums[vectors];

  HWY_INLINE LossLanes() {
    for (auto& sum : sums) sum = hn::Zero(wide);
  }

  // The losses of 16 rows.
  HWY_INLINE void add(const Vector (&losses)[parts]) {
    if constexpr (parts == 1) {
      sums[0] = hn::Add(sums[0], hn::Add(hn::PromoteTo(wide, hn::LowerHalf(half, losses[0])),
                                         hn::PromoteTo(wide, hn::UpperHalf(half, losses[0]))));
    } else {
      HWY_UNROLL(2)
      for (std::size_t p = 0; p < parts / 2; ++p) {
        const Vector first = losses[p];
        const Vector second = losses[p + parts / 2];
        sums[2 * p] =
            hn::Add(sums[2 * p], hn::Add(hn::PromoteTo(wide, hn::LowerHalf(half, first)),
                                         hn::PromoteTo(wide, hn::LowerHalf(half, second))));
        sums[2 * p + 1] =
            hn::Add(sums[2 * p + 1], hn::Add(hn::PromoteTo(wide, hn::UpperHalf(half, first)),
                                             hn::PromoteTo(wide, hn::UpperHalf(half, second))));
      }
    }
  }

  double total() const {
    double lanes[count];
    for (std::size_t v = 0; v < vectors; ++v) {
      hn::StoreU(sums[v], wide, lanes + v * hn::MaxLanes(wide));
    }
    return sum_lanes(lanes);
  }
};

// 16 rows.
HWY_INLINE void logistic_block(float* logits, const float* weights, float limit,
                               LossLanes& losses) {
  const Lanes tag;
  Vector of_rows[parts];
  HWY_UNROLL(4)
  for (std::size_t p = 0; p < parts; ++p) {
    const std::size_t at = p * lanes_of_vector;
    Vector w0;
    Vector w1;
    hn::LoadInterleaved2(tag, weights + 2 * at, w0, w1);
    Vector slope;
    of_rows[p] =
        logistic_losses(tag, hn::LoadU(tag, logits + at), w0, w1, hn::Set(tag, limit), slope);
    hn::StoreU(slope, tag, logits + at);
  }
  losses.add(of_rows);
}

double logistic(const RowLosses& rows) {
  LossLanes losses;
  std::size_t i = 0;
  for (; i + virtual_lanes <= rows.count; i += virtual_lanes) {
    logistic_block(rows.logits + i, rows.weights + 2 * i, rows.limit, losses);
  }
  if (i < rows.count) {
    float logits[virtual_lanes] = {};
    float weights[2 * virtual_lanes] = {};  // those behind the end are 0, and so are their losses
    std::copy_n(rows.logits + i, rows.count - i, logits);
    std::copy_n(rows.weights + 2 * i, 2 * (rows.count - i), weights);
    logistic_block(logits, weights, rows.limit, losses);
    std::copy_n(logits, rows.count - i, rows.logits + i);
  }
  return losses.total();
}

// The weights of rows of more than two classes, 0 behind the last class.
class RowWeights {
 public:
  HWY_INLINE explicit RowWeights(const RowLosses& rows)
      : rows_(rows),
        vectors_((rows.classes + lanes_of_vector - 1) / lanes_of_vector),
        last_mask_(hn::FirstN(Lanes(), rows.classes - (vectors_ - 1) * lanes_of_vector)),
        last_row_(vectors_ * lanes_of_vector) {}

  std::size_t vectors() const { return vectors_; }
  hn::Mask<Lanes> last_mask() const { return last_mask_; }

  // Where vectors of the row can be read: in place, unless they would end behind the last row.
  const float* row(std::size_t i) {
    const float* const own = rows_.weights + i * rows_.classes;
    if ((rows_.count - i) * rows_.classes >= last_row_.size()) return own;
    std::copy_n(own, rows_.classes, last_row_.data());
    return last_row_.data();
  }

 private:
  const RowLosses& rows_;
  std::size_t vectors_;
  hn::Mask<Lanes> last_mask_;
  std::vector<float> last_row_;
};

// Calls each(v, p) for all vectors v of a row, where p says which of the `parts` it belongs to.
template <typename Each>
HWY_INLINE void for_vectors(std::size_t vectors, const Each& each) {
  for (std::size_t first = 0; first < vectors; first += parts) {
    HWY_UNROLL(4)
    for (std::size_t p = 0; p < parts; ++p) {
      if (p == 0 || first + p < vectors) each(first + p, p);
    }
  }
}

HWY_INLINE void fill(Vector (&values)[parts], float value) {
  for (Vector& part : values) part = hn::Set(Lanes(), value);
}

// Class c is in lane c % 16. Lanes behind the last class get the weight 0 and a logit that adds
// nothing.
double softmax(const RowLosses& rows) {
  const Lanes tag;
  constexpr std::size_t width = lanes_of_vector;
  const Vector limit = hn::Set(tag, rows.limit);
  RowWeights weights(rows);
  const std::size_t vectors = weights.vectors();
  // What a lane behind the last class has instead.
  const auto others = [&](std::size_t v, Vector values, Vector other) HWY_ATTR {
    return v + 1 < vectors ? values : hn::IfThenElse(weights.last_mask(), values, other);
  };
  const Vector no_logit = hn::Set(tag, -std::numeric_limits<float>::infinity());
  const Vector zero = hn::Zero(tag);
  std::vector<float> chances(vectors * width);
  double sum = 0;
  for (std::size_t i = 0; i < rows.count; ++i) {
    float* const z = rows.logits + i * rows.stride;
    const float* const row_weights = weights.row(i);
    Vector lanes[parts];
    fill(lanes, std::numeric_limits<float>::lowest());
    for_vectors(vectors, [&](std::size_t v, std::size_t p) HWY_ATTR {
      lanes[p] = Larger()(lanes[p], others(v, hn::LoadU(tag, z + v * width), no_logit));
    });
    const Vector largest = hn::Set(tag, fold(lanes, Larger()));
    fill(lanes, 0);
    for_vectors(vectors, [&](std::size_t v, std::size_t p) HWY_ATTR {
      const Vector logit = others(v, hn::LoadU(tag, z + v * width), no_logit);
      const Vector chance = exp_of_negative(tag, hn::Sub(logit, largest));
      hn::StoreU(chance, tag, chances.data() + v * width);
      lanes[p] = hn::Add(lanes[p], chance);
    });
    const Vector total = hn::Set(tag, fold(lanes, Plus()));
    // log_total - z as (largest - z) + log(total): large logits cancel first.
    const Vector log_total = log_of(tag, total);
    Vector loss[parts];
    fill(loss, 0);
    fill(lanes, 0);
    for_vectors(vectors, [&](std::size_t v, std::size_t p) HWY_ATTR {
      const Vector w = others(v, hn::LoadU(tag, row_weights + v * width), zero);
      const Vector of_class = hn::Add(hn::Sub(largest, hn::LoadU(tag, z + v * width)), log_total);
      loss[p] = hn::MulAdd(w, limited(tag, w, of_class, limit), loss[p]);
      const Vector pulls = pulling(tag, w, of_class, limit);
      lanes[p] = hn::Add(lanes[p], pulls);
      hn::StoreU(pulls, tag, z + v * width);
    });
    sum += static_cast<double>(fold(loss, Plus()));
    const Vector scale = hn::Div(hn::Set(tag, fold(lanes, Plus())), total);
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

const LossKernel& chosen_loss_kernel() {
  return chosen_kernel(loss_kernels());
}

}  // namespace noiseplus
#endif
