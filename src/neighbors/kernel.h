// The inner kernel of the search: scores of a tile of 48 x 48 rows, and which of them matter.
//
//   score(a, b) = (start(a) + start(b)) + sum over columns of a * b
//
// With starts of about minus half a row's squared norm, that is about minus half the squared
// distance. A pair is a hit when its score reaches the limit of either side, so one visit of a tile
// serves the rows of both.
//
// One kernel for each instruction set, and a scalar twin that is kept for ever; all of them read
// the same packed layout. Their scores differ by rounding only, within the bound in bound.h.
//
// Invariants every kernel keeps, on which that bound rests:
//   1. Products are summed in blocks of at most `max_columns_per_sum` columns: the first block from
//      the sum of the two starts, the others from zero, and added to it in order. There are at most
//      columns / min_columns_per_sum blocks, rounded up.
//   2. Each column costs at most one rounded multiplication and one rounded addition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace noiseplus {

// 48 = 3 vectors of 16 lanes: with 8 rows of the left side they fill 24 of 32 registers, and 8
// broadcasts and 3 loads feed 24 multiply-adds, which keeps both multipliers busy (measured: 94 to
// 99 % of the peak; docs/performance.md has the alternatives).
inline constexpr std::size_t panel_rows = 48;
inline constexpr std::size_t strip_rows = 8;
inline constexpr std::uint32_t all_strips = (1U << (panel_rows / strip_rows)) - 1;
inline constexpr std::size_t max_columns_per_sum = 512;
inline constexpr std::size_t min_columns_per_sum = 96;
inline constexpr std::size_t panel_alignment = 64;

struct TileSide {
  const float* values = nullptr;  // [columns][panel_rows], at a multiple of panel_alignment
  const float* starts = nullptr;  // [panel_rows], aligned like values
  const float* limits = nullptr;  // [panel_rows], aligned like values
};

// Memory that will be needed soon: each strip scored asks for the next `bytes_a_strip`.
struct Upcoming {
  const float* values = nullptr;
  std::size_t bytes_a_strip = 0;
};

// `columns` of them, all that there are; or, where `offsets` are given, those whose values start at
// these places of both sides: columns that are zero throughout either side need not be scored.
struct Tile {
  TileSide left, right;
  std::size_t columns = 0;
  const std::uint32_t* offsets = nullptr;
  Upcoming upcoming = {};
};

// Bit b of lanes[a] says that (a, b) is a hit; scores[a][b] is written for these at least.
struct TileHits {
  std::uint64_t lanes[panel_rows];
  alignas(panel_alignment) float scores[panel_rows][panel_rows];
};

// Bit s of `strips` says whether rows 8 s .. 8 s + 7 of the left side are scored at all. Returns
// the left rows that have a hit, as bits; lanes[a] is written for these.
using ScoreTile = std::uint64_t (*)(const Tile& tile, std::uint32_t strips, TileHits& hits);

struct Kernel {
  const char* name = "";  // of the instruction set the code was compiled for
  ScoreTile score_tile = nullptr;
};

// The kernels this processor can run, fastest first; the scalar twin is last and always there.
std::span<const Kernel> available_kernels();

std::uint64_t score_tile_scalar(const Tile& tile, std::uint32_t strips, TileHits& hits);

}  // namespace noiseplus
