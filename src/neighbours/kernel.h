// The inner kernel of the search: scores of a tile of 12 anchors x 32 base rows, and which of them
// reach their anchor's limit.
//
//   score(a, b) = start(b) + sum over columns of a * b
//
// One kernel for each instruction set, and a scalar twin that is kept for ever; all of them read
// the same packed layout. Their scores differ by rounding only, within the bound in bound.h.
//
// Invariants every kernel keeps, on which that bound rests:
//   1. Products are summed in blocks of at most `columns_per_sum` columns, each from zero; the sums
//      are added, in order, to the start.
//   2. Each column costs at most one rounded multiplication and one rounded addition.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace noiseplus {

inline constexpr std::size_t anchor_lanes = 12;
inline constexpr std::size_t base_lanes = 32;
inline constexpr std::size_t columns_per_sum = 512;
inline constexpr std::size_t panel_alignment = 64;

struct Tile {
  const float* anchors = nullptr;  // [columns][anchor_lanes]
  const float* base = nullptr;     // [columns][base_lanes], at a multiple of panel_alignment
  const float* starts = nullptr;   // [base_lanes], aligned like base
  const float* limits = nullptr;   // [anchor_lanes]
  std::size_t columns = 0;
};

// Bit b of lanes[a] says that score(a, b) >= limits[a]; scores[a][b] is written for these at least.
struct TileHits {
  std::uint32_t lanes[anchor_lanes];
  alignas(panel_alignment) float scores[anchor_lanes][base_lanes];
};

// Returns the anchors that have a hit, as bits. lanes[a] is written for all anchors.
using ScoreTile = std::uint32_t (*)(const Tile& tile, TileHits& hits);

struct Kernel {
  const char* name = "";  // of the instruction set the code was compiled for
  ScoreTile score_tile = nullptr;
};

// The kernels this processor can run, fastest first; the scalar twin is last and always there.
std::span<const Kernel> available_kernels();

std::uint32_t score_tile_scalar(const Tile& tile, TileHits& hits);

}  // namespace noiseplus
