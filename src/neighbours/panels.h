// The centred, scaled and packed copy of the rows that the kernels read.
//
// Invariants:
//   1. A stored value is float(scale * (x - centre)), the subtraction in double, clipped to +-2^48.
//      scale is a power of two that brings the largest value of a typical row to about 1: values of
//      1e30 do not overflow when squared, and a few of them do not make all others underflow.
//   2. Panel p holds rows 32 p .. 32 p + 31 as [columns][base_lanes].
//   3. Lanes past the last row hold zeros and start from minus infinity: they reach no limit.
//   4. Centre, scale and clipping change which pairs the scores rule out, never the answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "neighbours/bound.h"
#include "neighbours/kernel.h"
#include "noiseplus/util.h"
#include "util/thread_pool.h"

namespace noiseplus {

inline std::size_t ceiling_of_quotient(std::size_t a, std::size_t b) {
  return (a + b - 1) / b;
}

// Floats at an aligned address, not initialised: who writes them first decides where they live.
class AlignedFloats {
 public:
  explicit AlignedFloats(std::size_t size)
      : values_(static_cast<float*>(
            ::operator new (size * sizeof(float), std::align_val_t{panel_alignment}))) {}
  float* data() { return values_.get(); }
  const float* data() const { return values_.get(); }

 private:
  struct Free {
    void operator()(float* p) const { ::operator delete (p, std::align_val_t{panel_alignment}); }
  };
  std::unique_ptr<float, Free> values_;
};

// Where the origin is moved to and how far values are shrunk, judged by a few hundred rows.
class Centring {
 public:
  // Throws data when a value is not finite. Steps the meter once for each panel.
  Centring(MatrixView rows, ThreadPool& pool, ProgressMeter& meter);

  double scale() const { return scale_; }
  float apply(float value, std::size_t column) const {
    const double scaled = (static_cast<double>(value) - centre_[column]) * scale_;
    return static_cast<float>(std::clamp(scaled, -largest_stored, largest_stored));
  }

 private:
  static constexpr double largest_stored = 0x1.0p48;
  std::vector<double> centre_;
  double scale_ = 1;
};

// Writes the rows `ids` (no more than lanes) as [columns][lanes], zeros in the remaining lanes, and
// the squared norms of what is stored.
void pack_rows(MatrixView rows, const Centring& centring, std::span<const std::uint32_t> ids,
               std::size_t lanes, float* panel, double* squared_norms);

class PackedBase {
 public:
  // Throws data when a value is not finite. Steps the meter twice for each panel.
  PackedBase(MatrixView rows, ThreadPool& pool, ProgressMeter& meter);

  static std::size_t panels_for(std::size_t rows) { return ceiling_of_quotient(rows, base_lanes); }

  std::size_t panels() const { return panels_for(rows_.rows); }
  const float* panel(std::size_t p) const {
    return values_.data() + p * base_lanes * rows_.columns;
  }
  const float* starts(std::size_t p) const { return starts_.data() + p * base_lanes; }
  const Centring& centring() const { return centring_; }
  const ScoreBound& bound() const { return bound_; }

 private:
  void pack_panel(std::size_t p);

  MatrixView rows_;
  Centring centring_;
  ScoreBound bound_;
  AlignedFloats values_;
  AlignedFloats starts_;
};

}  // namespace noiseplus
