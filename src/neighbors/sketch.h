// Short vectors whose distances never exceed those of the rows: what whole tiles are pruned by.
//
// A row's sketch is its coordinates along the first r principal directions of the data, and the
// length of the rest. With exactly orthonormal directions Q, |Q'A - Q'B|^2 + (|rest of A| - |rest
// of B|)^2 <= |A - B|^2, and a sketch is as long as its row. Where most of the variance lies in few
// directions, as it does in tables and embeddings, a handful of columns decides for most pairs.
//
// The error, for at most `max_columns` columns and `max_directions` directions. A: the stored
// floats of the row, whose norm is |A|. Dot products in double err by 65536 * 2^-53 = 7.3e-12
// of the lengths at most, each. Directions are orthonormal up to 1e-11 (checked) and the 2.4e-10
// that the check itself may err by, so that they are this near to exact ones. The squared length of
// the rest therefore errs by less than 9e-10 |A|^2 and the length itself by less than 3e-5 |A|;
// rounding to float adds 6e-8 |A|. Together a sketch is within
//     eta |A|, eta = 2^-15 = 3.1e-5,
// of the exact one. For two sketches at p = |a - b|, with D, A, B and u of bound.h,
//     sqrt(D) >= p - (eta + 2 u) (|A| + |B|),
// hence D >= p^2 - 5 eta (|a|^2 + |b|^2).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "neighbors/panels.h"
#include "neighbors/points.h"

namespace noiseplus {

class Sketches {
 public:
  static constexpr std::size_t max_columns = 65536;
  static constexpr std::size_t max_directions = 32;
  static constexpr double eta = 0x1.0p-15;
  static constexpr double storing_error = 5 * eta;

  // Of the given rows, in their order. Columns must be no more than max_columns.
  Sketches(const Points& points, const Centering& centering, std::span<const std::uint32_t> rows,
           ThreadPool& pool, ProgressMeter& meter);

  std::size_t size() const { return rows_; }

  // How many coordinates there are: at most min(columns, max_directions), fewer for few rows. 0 if
  // no orthonormal directions were found; there are then no sketches to prune by.
  std::size_t directions() const { return directions_; }

  // The coordinates along all directions, the most important first.
  std::span<const float> coordinates(std::size_t i) const {
    return {coordinates_.data() + i * directions_, directions_};
  }

  // Coordinates that serve to put rows in order only. Where most values are zero, as indicators
  // are, they weigh all columns alike, so that rows of a panel share their zeros; else they are the
  // first of coordinates().
  std::span<const float> places(std::size_t i) const {
    if (places_.empty()) return coordinates(i).first(place_count());
    return {places_.data() + i * place_count(), place_count()};
  }
  std::size_t place_count() const { return std::min(directions_, max_places); }

  // A sketch may use fewer directions: 8, 16, ... or all.
  std::size_t lengths() const { return ceiling_of_quotient(directions_, step); }
  std::size_t directions(std::size_t length) const {
    return std::min((length + 1) * step, directions_);
  }

  // How long the row's part is that the directions of this length leave over.
  float rest(std::size_t i, std::size_t length) const { return rests_[i * lengths() + length]; }

 private:
  static constexpr std::size_t step = 8;
  static constexpr std::size_t max_places = 16;

  void store(std::size_t i, std::span<const double> along, double squared_norm);

  std::size_t rows_;
  std::size_t directions_ = 0;
  std::vector<float> coordinates_;  // [rows][directions]
  std::vector<float> rests_;        // [rows][lengths]
  std::vector<float> places_;       // [rows][places], or empty
};

// Fills a panel of sketches.directions(length) + 1 columns with the sketches numbered `ids`, no
// more than panel_rows.
void pack_sketches(const Sketches& sketches, std::span<const std::uint32_t> ids, std::size_t length,
                   std::size_t panel, Panels& panels);

}  // namespace noiseplus
