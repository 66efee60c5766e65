#include "neighbors/points.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace noiseplus {
namespace {

// By the bits, without a branch: the exponents of NaN and infinity are all ones.
bool are_finite(const float* values, std::size_t count) {
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < count; ++i) {
    largest = std::max(largest, std::bit_cast<std::uint32_t>(values[i]) & 0x7f800000U);
  }
  return largest != 0x7f800000U;
}

double total(const double (&sums)[8]) {
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

// Adds term(column) of columns first .. last - 1 to the partial sums; first is a multiple of 8.
template <typename Term>
void add_squares(std::size_t first, std::size_t last, double (&sums)[8], Term term) {
  const std::size_t whole = first + (last - first) / 8 * 8;
  for (; first < whole; first += 8) {
    for (std::size_t lane = 0; lane < 8; ++lane) {
      const double value = term(first + lane);
      sums[lane] += value * value;
    }
  }
  for (std::size_t c = whole; c < last; ++c) {
    const double value = term(c);
    sums[c - whole] += value * value;
  }
}

// Partial sums only grow, and so does any rounding of their total: once it is past give_up, the
// final one is.
template <typename Term>
double sum_of_squares(std::size_t columns, double give_up, Term term) {
  constexpr std::size_t columns_between_looks = 64;
  double sums[8] = {};
  for (std::size_t first = 0; first < columns; first += columns_between_looks) {
    add_squares(first, std::min(first + columns_between_looks, columns), sums, term);
    if (total(sums) > give_up) return std::numeric_limits<double>::infinity();
  }
  return total(sums);
}

}  // namespace

Points::Points(RowsView rows, Metric metric, ThreadPool& pool, ProgressMeter& meter) : rows_(rows) {
  if (metric == Metric::cosine) factors_.resize(rows.rows);
  std::atomic<std::size_t> first_refused = rows.rows;
  pool.for_each((rows.rows + rows_at_once - 1) / rows_at_once, [&](std::size_t chunk) {
    std::vector<float> buffer(rows.columns);
    const std::size_t first = chunk * rows_at_once;
    const std::size_t last = std::min(first + rows_at_once, rows.rows);
    std::size_t row = first;
    while (row < last && accept(row, buffer.data())) ++row;
    if (row < last) {
      std::size_t known = first_refused;
      while (row < known && !first_refused.compare_exchange_weak(known, row)) {
      }
    }
    meter.step();
  });
  if (first_refused < rows.rows) throw_refused(first_refused);
}

// Notes the factor of a row; false when the row cannot be used.
bool Points::accept(std::size_t row, float* buffer) {
  const float* const values = rows_.row(row, buffer);
  if (!are_finite(values, rows_.columns)) return false;
  if (factors_.empty()) return true;
  const double squares =
      sum_of_squares(rows_.columns, std::numeric_limits<double>::infinity(),
                     [values](std::size_t c) { return static_cast<double>(values[c]); });
  factors_[row] = 1 / std::sqrt(squares);
  return squares > 0;
}

void Points::throw_refused(std::size_t row) const {
  std::vector<float> buffer(rows_.columns);
  const float* const values = rows_.row(row, buffer.data());
  const float* const end = values + rows_.columns;
  const float* const found =
      std::find_if(values, end, [](float value) { return !std::isfinite(value); });
  if (found == end) {
    throw Error(ErrorKind::data, "row " + std::to_string(row) +
                                     " (from 0) is all zeros and has no direction; leave it out "
                                     "or use the Euclidean metric");
  }
  throw Error(ErrorKind::data, "row " + std::to_string(row) + ", column " +
                                   std::to_string(found - values) +
                                   " (from 0) is not a finite number; distances need finite "
                                   "values: fill it in or leave the row out");
}

double Points::distance(std::uint32_t a, std::uint32_t b, double give_up, Scratch& scratch) const {
  const float* const first = values(a, scratch.first.data());
  const float* const second = values(b, scratch.second.data());
  if (factors_.empty()) {
    return sum_of_squares(columns(), give_up, [first, second](std::size_t c) {
      return static_cast<double>(first[c]) - static_cast<double>(second[c]);
    });
  }
  const double first_factor = factors_[a];
  const double second_factor = factors_[b];
  return sum_of_squares(columns(), give_up, [=](std::size_t c) {
    return static_cast<double>(first[c]) * first_factor -
           static_cast<double>(second[c]) * second_factor;
  });
}

bool Points::are_equal(std::uint32_t a, std::uint32_t b, Scratch& scratch) const {
  const float* const first = values(a, scratch.first.data());
  return std::equal(first, first + columns(), values(b, scratch.second.data()));
}

// Four lanes of multiply and fold, so that the multiplications overlap.
std::uint64_t Points::content_hash(std::uint32_t row, Scratch& scratch) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  constexpr std::size_t columns_at_once = 8;
  std::uint64_t lanes[4] = {1, 2, 3, 4};
  const auto mix = [&lanes](const float* from) {
    float plain[columns_at_once];
    for (std::size_t i = 0; i < columns_at_once; ++i) plain[i] = from[i] + 0.0F;  // -0 becomes 0
    std::uint64_t words[4];
    std::memcpy(words, plain, sizeof words);
    for (std::size_t lane = 0; lane < 4; ++lane) {
      lanes[lane] = (lanes[lane] ^ words[lane]) * odd;
      lanes[lane] ^= lanes[lane] >> 29;
    }
  };
  const float* const from = values(row, scratch.first.data());
  const std::size_t whole = columns() / columns_at_once * columns_at_once;
  for (std::size_t c = 0; c < whole; c += columns_at_once) mix(from + c);
  float rest[columns_at_once] = {};
  std::copy(from + whole, from + columns(), rest);
  mix(rest);
  std::uint64_t result = 0;
  for (const std::uint64_t lane : lanes) {
    result = (result ^ lane) * odd;
    result ^= result >> 31;
  }
  return result;
}

}  // namespace noiseplus
