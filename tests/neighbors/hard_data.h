// Kinds of data that are hard for a search, each for one reason or another.
#pragma once

#include <cmath>
#include <cstdint>

#include "noiseplus/core.h"

namespace noiseplus {

// Gives the value of (row, column).
struct Kind {
  const char* name;
  float (*value)(std::uint64_t seed, std::size_t row, std::size_t column);
};

inline float gaussian(std::uint64_t seed, std::size_t row, std::size_t column) {
  return static_cast<float>(normal(seed, Stream::generate, row, column));
}

inline float few_integers(std::uint64_t seed, std::size_t row, std::size_t column) {
  return static_cast<float>(hash(seed, Stream::generate, row, column) % 3);
}

inline constexpr Kind kinds[] = {
    {"gaussian", gaussian},
    {"integers with ties", few_integers},
    {"duplicates",
     [](auto seed, auto row, auto column) { return gaussian(seed, row % 7, column); }},
    {"duplicates with a few others",
     [](auto seed, auto row, auto column) {
       return gaussian(seed, row % 3 == 0 ? row : row % 5, column);
     }},
    {"all equal", [](auto seed, auto, auto column) { return gaussian(seed, 0, column); }},
    {"all zero", [](auto, auto, auto) { return 0.0F; }},
    {"huge offset",
     [](auto seed, auto row, auto column) { return 1e6F + gaussian(seed, row, column); }},
    {"offset of another sign in each column",
     [](auto seed, auto row, auto column) {
       return (column % 2 ? 3e5F : -7e4F) + few_integers(seed, row, column);
     }},
    {"mostly constant columns",
     [](auto seed, auto row, auto column) {
       return column % 4 ? 17.25F : gaussian(seed, row, column);
     }},
    {"1e30", [](auto seed, auto row, auto column) { return 1e30F * gaussian(seed, row, column); }},
    {"near the largest float",
     [](auto seed, auto row, auto column) {
       return 3e38F * (few_integers(seed, row, column) - 1);
     }},
    {"1e-30",
     [](auto seed, auto row, auto column) { return 1e-30F * gaussian(seed, row, column); }},
    {"denormals",
     [](auto seed, auto row, auto column) { return 1e-43F * few_integers(seed, row, column); }},
    {"1e30 and 1e-30 mixed",
     [](auto seed, auto row, auto column) {
       return (row % 4 == 1 ? 1e30F : 1e-30F) * gaussian(seed, row, column);
     }},
    {"columns of very different scale",
     [](auto seed, auto row, auto column) {
       return std::pow(10.0F, static_cast<float>(column % 12) * 3 - 15) *
              gaussian(seed, row, column);
     }},
    {"one far row", [](auto seed, auto row,
                       auto column) { return row == 2 ? 1e20F : gaussian(seed, row, column); }},
    {"a mark for missing values",
     [](auto seed, auto row, auto column) {
       return (row + column) % 11 ? gaussian(seed, row, column) : -3.4e38F;
     }},
    {"tight clusters far apart",
     [](auto seed, auto row, auto column) {
       return 100 * gaussian(seed, row % 6, column) + 1e-3F * gaussian(seed + 1, row, column);
     }},
    {"few directions",
     [](auto seed, auto row, auto column) {
       return gaussian(seed, row, 0) * gaussian(seed, 1000000, column) +
              gaussian(seed, row, 1) * gaussian(seed, 1000001, column) +
              1e-2F * gaussian(seed + 1, row, column);
     }},
    {"sorted",
     [](auto seed, auto row, auto column) {
       return static_cast<float>(row) + 1e-3F * gaussian(seed, row, column);
     }},
};

inline Matrix make(const Kind& kind, std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Matrix matrix(rows, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns; ++c) matrix.row(i)[c] = kind.value(seed, i, c);
  }
  return matrix;
}

}  // namespace noiseplus
