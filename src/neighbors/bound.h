// Which pairs a float score may rule out: the proven bound between scores and exact distances.
//
// Notation. x: a row; y = scale * (x - center), exactly, each value then clipped to +-2^48; A, B:
// the stored floats of y for the two rows; N_A = |A|^2; d columns, fewer than 2^26;
// b = ceil(d / 96), at most so many sums, of at most L = min(d, 512) products each; u = 2^-24 and
// gamma_m = m u / (1 - m u); t = 2^-126, what a result can lose to underflow even where denormals
// are flushed; D = scale^2 * (true squared distance).
//
//   1. Clipping moves no two values apart, so D >= |y_A - y_B|^2.
//   2. Storing: one rounding to float after a subtraction in double and an exact scaling by a
//      power of two, so |A_i - y_i| <= 1.25 u |A_i| + 2 t. By (p - q)^2 >= p^2 - 2 p q,
//      (|A| + |B|)^2 <= 2 (N_A + N_B) and 8 t sqrt(d) |A| <= u N_A + 16 t^2 d / u,
//          D >= |A - B|^2 - 6 u (N_A + N_B) - d t.
//   3. Score: S starts from -h_A - h_B, one rounding. A product meets at most L roundings inside
//      its sum and b outside, and so does the start, which the first sum begins with; no more than
//      2 d + b operations underflow. With sum |A_i B_i| <= (N_A + N_B) / 2,
//          |S - (A.B - h_A - h_B)|
//              <= gamma_{L+b} (N_A + N_B) / 2 + gamma_{L+b+1} (h_A + h_B) + 6 d t.
//      Columns that are zero in one of the rows may be left out: they add nothing.
//   4. Exact distances take at most d / 8 + 10 roundings in double: a pair whose computed distance
//      is no more than K has D <= K' = scale^2 K (1 + (d + 16) 2^-52).
//   5. With |A - B|^2 = N_A + N_B - 2 A.B, any g >= gamma_{L+b} + gamma_{L+b+1} + 6 u and any
//      h <= (1 - g) N / 2, such a pair has
//          S >= -K' / 2 - 7 d t.
//      g = gamma_{2L+2b+9} is enough (gamma_i + gamma_j <= gamma_{i+j}), with 2 u to spare for the
//      rounding of the norms; 8 (d + 1) t instead of 7 d t covers a limit that is flushed.
//
// So the one comparison S < limit(K) proves that the computed distance of the pair is more than K:
// the limit is a row's own, whichever side of the tile it is on.
//
// The other way round, a score bounds the distance from above, unless a value was clipped. By the
// same steps, with |A - B| <= (|A| + |B|) and h > (1 - g) N / 2 (1 - 2 u),
//          D <= |A - B|^2 + 7 u (N_A + N_B) + d t <= -2 S + (2 g + 4 u) (N_A + N_B) + 14 d t,
// and the computed distance is at most 1 + (d + 16) 2^-52 times as much over scale^2. N is at most
// 2 h / (1 - g), up to 3 u. So k pairs of a row imply a limit for all others before any distance is
// measured.
//
// Sketches (sketch.h) are scored the same way. They are vectors of fewer columns with
// D >= |A - B|^2 - e (N_A + N_B), where A and B are sketches and e is much more than 6 u: g grows
// by e, and nothing else changes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>

namespace noiseplus {

class ScoreBound {
 public:
  // `columns` of the rows themselves.
  ScoreBound(std::size_t columns, double scale);

  // What the scores of a row must reach to matter when its kth neighbor is at kth_distance.
  float limit(double kth_distance) const;

  // limit() of a distance that is surely no less than that of a pair with this score, whose scores
  // started from the sum of these starts.
  float implied_limit(float score, float starts) const {
    // A clipped value alone makes a squared norm of 2^96, half of which is the start.
    if (starts <= -0x1.0p94F) return std::numeric_limits<float>::lowest();
    return std::min(score + uncertain_ * starts, 0.0F) * implied_stretch_ - implied_absolute_;
  }

  // At least scale^2 times any distance that matters to a row with this limit; negative when none
  // does.
  static double reach(float limit) { return -2.0 * static_cast<double>(limit); }

 private:
  double half_stretched_;  // K' / (2 K)
  double absolute_;
  // For implied_limit, whose four operations in float may each be off by u: the uncertainty is
  // raised by 8 u and the stretch by 6 u.
  float uncertain_;  // of a score, in starts
  float implied_stretch_;
  float implied_absolute_;
};

// -h: what the scores of a row of this squared norm start from. `columns` are those scored, and
// storing_error is e of the comment above, 0 for the rows themselves.
float score_start(double squared_norm, std::size_t columns, double storing_error);

}  // namespace noiseplus
