// Centered, scaled and packed copies of rows, as the kernels read them.
//
// Invariants:
//   1. A stored value is float(scale * (x - center)), the subtraction in double, clipped to +-2^48.
//      scale is a power of two that brings the largest value of a typical row to about 1: values of
//      1e30 do not overflow when squared, and a few of them do not make all others underflow.
//   2. A panel holds 48 rows as [columns][panel_rows].
//   3. Lanes without a row hold zeros and start from minus infinity: they reach no limit.
//   4. A column of a panel that is not marked as used holds zeros only.
//   5. Center, scale and clipping change which pairs the scores rule out, never the answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "neighbors/kernel.h"
#include "neighbors/points.h"
#include "noiseplus/core.h"

namespace noiseplus {

// Floats at an aligned address, not initialized: who writes them first decides where they live.
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
class Centering {
 public:
  Centering(const Points& points, ThreadPool& pool, ProgressMeter& meter);

  double scale() const { return scale_; }

  // The stored value of a coordinate, which is a row's value times its factor: see Points.
  float apply(double coordinate, std::size_t column) const {
    return clip(static_cast<float>((coordinate - centre_[column]) * scale_));
  }

  // The same for `count` values of a row from first_column on.
  void apply(const float* values, double factor, std::size_t first_column, std::size_t count,
             float* stored) const;

 private:
  static float clip(float value) {
    constexpr float largest_stored = 0x1.0p48F;
    value = value > largest_stored ? largest_stored : value;
    return value < -largest_stored ? -largest_stored : value;
  }

  std::vector<double> centre_;
  double scale_ = 1;
};

// Some panels of one width.
class Panels {
 public:
  Panels(std::size_t panels, std::size_t columns)
      : columns_(columns),
        words_(ceiling_of_quotient(columns, 64)),
        values_(panels * panel_rows * columns),
        starts_(panels * panel_rows),
        used_(panels * words_) {}

  std::size_t columns() const { return columns_; }
  float* values(std::size_t panel) { return values_.data() + panel * panel_rows * columns_; }
  const float* values(std::size_t panel) const {
    return values_.data() + panel * panel_rows * columns_;
  }
  float* starts(std::size_t panel) { return starts_.data() + panel * panel_rows; }
  const float* starts(std::size_t panel) const { return starts_.data() + panel * panel_rows; }

  // Sets the starts of a panel from the squared norms of what it stores in its first lanes.
  void set_starts(std::size_t panel, std::span<const double> squared_norms, double storing_error);

  // Columns of a panel that are not zero throughout, as bits.
  std::span<std::uint64_t> used_columns(std::size_t panel) {
    return {used_.data() + panel * words_, words_};
  }
  std::span<const std::uint64_t> used_columns(std::size_t panel) const {
    return {used_.data() + panel * words_, words_};
  }

  // One side of a tile.
  TileSide side(std::size_t panel, const float* limits) const {
    return {values(panel), starts(panel), limits};
  }

 private:
  std::size_t columns_;
  std::size_t words_;
  AlignedFloats values_;
  AlignedFloats starts_;
  std::vector<std::uint64_t> used_;
};

// The columns that two panels both use.
class CommonColumns {
 public:
  CommonColumns(const Panels& panels, std::size_t panel, std::size_t other);

  std::size_t count() const { return count_; }

  // Tile::offsets of them, in the buffer; null when they are all columns there are.
  const std::uint32_t* offsets(std::vector<std::uint32_t>& buffer) const;

 private:
  std::span<const std::uint64_t> used_, other_used_;
  std::size_t columns_;
  std::size_t count_ = 0;
};

// Fills a panel with the rows `ids`, no more than panel_rows.
void pack_rows(const Points& points, const Centering& centering, std::span<const std::uint32_t> ids,
               std::size_t panel, Panels& panels);

}  // namespace noiseplus
