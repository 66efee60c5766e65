// Every kernel against sums in double, and the bound that lets its scores rule pairs out.
#include "neighbors/kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>
#include <string>

#include "neighbors/bound.h"
#include "neighbors/limits.h"
#include "neighbors/panels.h"
#include "neighbors/points.h"

namespace noiseplus {
namespace {

TEST(NeighborKernel, NamesAndCodeDiffer) {
  std::set<std::string> names;
  std::set<ScoreTile> functions;
  for (const Kernel& kernel : available_kernels()) {
    names.insert(kernel.name);
    functions.insert(kernel.score_tile);
  }
  EXPECT_EQ(names.size(), available_kernels().size());
  EXPECT_EQ(functions.size(), available_kernels().size());
  EXPECT_STREQ(available_kernels().back().name, "SCALAR");
#if defined(__x86_64__) && defined(__GNUC__)
  EXPECT_EQ(names.contains("AVX2"),
            __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"));
  EXPECT_EQ(names.contains("AVX3"), __builtin_cpu_supports("avx512bw") &&
                                        __builtin_cpu_supports("avx512dq") &&
                                        __builtin_cpu_supports("avx512vl"));
  EXPECT_EQ(names.contains("SSE4"), !!__builtin_cpu_supports("sse4.2"));
#endif
}

// Small integers, whose sums are exact in any order: scores and hits must be exactly right.
TEST(NeighborKernel, ScoresAndHitsAreRight) {
  for (const std::size_t columns :
       {0U, 1U, 2U, 13U, 95U, 96U, 97U, 192U, 193U, 512U, 513U, 1500U}) {
    const auto small = [columns](std::uint64_t row, std::uint64_t draw) {
      return static_cast<float>(hash(columns, Stream::generate, row, draw) % 7) - 3;
    };
    Panels panels(2, columns);
    PanelLimits limits[2];
    for (std::size_t side = 0; side < 2; ++side) {
      for (std::size_t i = 0; i < columns * panel_rows; ++i) {
        panels.values(side)[i] = small(side, i);
      }
      for (std::size_t i = 0; i < panel_rows; ++i) {
        panels.starts(side)[i] = small(2 + side, i);
        limits[side].limits[i] =
            i % 9 == 5 ? INFINITY
                       : std::sqrt(static_cast<float>(columns)) * (2 + small(4 + side, i)) + 1;
      }
    }
    const Tile tile{panels.side(0, limits[0].limits), panels.side(1, limits[1].limits), columns};
    for (const Kernel& kernel : available_kernels()) {
      for (const std::uint32_t strips : {all_strips, 0U, 0b100101U}) {
        SCOPED_TRACE(std::string(kernel.name) + " " + std::to_string(columns));
        TileHits hits;
        const std::uint64_t rows_hit = kernel.score_tile(tile, strips, hits);
        std::size_t expected_hits = 0;
        for (std::size_t a = 0; a < panel_rows; ++a) {
          std::uint64_t lanes = 0;
          for (std::size_t b = 0; b < panel_rows && (strips >> (a / strip_rows) & 1); ++b) {
            float score = panels.starts(0)[a] + panels.starts(1)[b];
            for (std::size_t c = 0; c < columns; ++c) {
              score += panels.values(0)[c * panel_rows + a] * panels.values(1)[c * panel_rows + b];
            }
            if (score < std::min(limits[0].limits[a], limits[1].limits[b])) continue;
            lanes |= std::uint64_t{1} << b;
            ++expected_hits;
            EXPECT_EQ(hits.scores[a][b], score);
          }
          EXPECT_EQ(rows_hit >> a & 1, lanes != 0);
          if (lanes != 0) {
            EXPECT_EQ(hits.lanes[a], lanes);
          }
        }
        EXPECT_EQ(rows_hit >> panel_rows, 0U);
        EXPECT_EQ(expected_hits > 0, strips != 0);
      }
    }
  }
}

// The same where the columns to be scored are listed; the others hold what would spoil any sum.
TEST(NeighborKernel, OnlyListedColumnsAreScored) {
  for (const std::size_t listed : {0U, 1U, 50U, 96U, 97U, 200U, 513U, 1000U}) {
    const std::size_t columns = 2 * listed + 3;
    const auto small = [listed](std::uint64_t row, std::uint64_t draw) {
      return static_cast<float>(hash(listed, Stream::generate, row, draw) % 7) - 3;
    };
    std::vector<std::uint32_t> offsets;
    Panels panels(2, columns);
    for (std::size_t side = 0; side < 2; ++side) {
      std::fill_n(panels.values(side), columns * panel_rows, NAN);
      std::fill_n(panels.starts(side), panel_rows, 1.0F);
    }
    for (std::size_t i = 0; i < listed; ++i) {
      const std::size_t column = 2 * i + (i % 3 == 0 ? 1 : 0);
      offsets.push_back(static_cast<std::uint32_t>(column * panel_rows));
      for (std::size_t side = 0; side < 2; ++side) {
        for (std::size_t row = 0; row < panel_rows; ++row) {
          panels.values(side)[offsets[i] + row] = small(side, i * panel_rows + row);
        }
      }
    }
    offsets.push_back(0);  // so that there is an address even for no columns
    PanelLimits open;
    std::fill_n(open.limits, panel_rows, std::numeric_limits<float>::lowest());
    const Tile tile{panels.side(0, open.limits), panels.side(1, open.limits), listed,
                    offsets.data()};
    for (const Kernel& kernel : available_kernels()) {
      SCOPED_TRACE(std::string(kernel.name) + " " + std::to_string(listed));
      TileHits hits;
      EXPECT_EQ(kernel.score_tile(tile, all_strips, hits), (std::uint64_t{1} << panel_rows) - 1);
      for (std::size_t a = 0; a < panel_rows; ++a) {
        EXPECT_EQ(hits.lanes[a], (std::uint64_t{1} << panel_rows) - 1);
        for (std::size_t b = 0; b < panel_rows; ++b) {
          float score = 2;
          for (std::size_t i = 0; i < listed; ++i) {
            score += panels.values(0)[offsets[i] + a] * panels.values(1)[offsets[i] + b];
          }
          EXPECT_EQ(hits.scores[a][b], score);
        }
      }
    }
  }
}

// The columns at which the kernel begins a sum, as told by rounding: 2^24 + 1 is 2^24, so
// 2^24 + 1 + 1 is 2^24 within one sum, and 2^24 + (1 + 1) is more. Does not see sums of one column.
std::vector<std::size_t> first_columns_of_sums(const Kernel& kernel, std::size_t columns) {
  Panels panels(2, columns);
  PanelLimits open;
  std::fill_n(open.limits, panel_rows, std::numeric_limits<float>::lowest());
  for (std::size_t side = 0; side < 2; ++side) {
    std::fill_n(panels.values(side), columns * panel_rows, static_cast<float>(side));
    std::fill_n(panels.starts(side), panel_rows, 0.0F);
  }
  std::vector<std::size_t> found = {0};
  for (std::size_t first = 1; first + 1 < columns; first += panel_rows) {
    const std::size_t rows = std::min(panel_rows, columns - 1 - first);
    const auto value = [&](std::size_t column, std::size_t row) -> float& {
      return panels.values(0)[column * panel_rows + row];
    };
    for (std::size_t row = 0; row < rows; ++row) {
      value(first + row - 1, row) = 0x1p24F;
      value(first + row, row) = value(first + row + 1, row) = 1;
    }
    TileHits hits;
    kernel.score_tile({panels.side(0, open.limits), panels.side(1, open.limits), columns},
                      all_strips, hits);
    for (std::size_t row = 0; row < rows; ++row) {
      for (std::size_t b = 1; b < panel_rows; ++b) {
        EXPECT_EQ(hits.scores[row][b], hits.scores[row][0]);
      }
      if (hits.scores[row][0] > 0x1p24F) found.push_back(first + row);
      value(first + row - 1, row) = value(first + row, row) = value(first + row + 1, row) = 0;
    }
  }
  return found;
}

// What the bound rests on: sums are short, and there are few of them.
TEST(NeighborKernel, SumsAreAsShortAndAsFewAsTheBoundSays) {
  for (const std::size_t columns : {3U, 96U, 97U, 400U, 512U, 700U, 1538U}) {
    for (const Kernel& kernel : available_kernels()) {
      SCOPED_TRACE(std::string(kernel.name) + " " + std::to_string(columns));
      const std::vector<std::size_t> first = first_columns_of_sums(kernel, columns);
      EXPECT_LE(first.size(), (columns + min_columns_per_sum - 1) / min_columns_per_sum);
      EXPECT_GE(first.size(), (columns + max_columns_per_sum - 1) / max_columns_per_sum);
      for (std::size_t i = 0; i < first.size(); ++i) {
        const std::size_t next = i + 1 < first.size() ? first[i + 1] : columns;
        EXPECT_LE(next - first[i], max_columns_per_sum);
      }
    }
  }
}

// A pair whose own distance is the kth is the closest call there is: its score must reach the
// limit. Returns how much further away a pair would have to be to be ruled out, the worst of all
// pairs, relative to the norms.
double check_bound(MatrixView rows, const Kernel& kernel) {
  ThreadPool pool(1);
  const Execution execution;
  ProgressMeter meter(execution, "neighbors", 1);
  const Points points(rows, Metric::euclidean, pool, meter);
  Points::Scratch scratch(points);
  const Centering centering(points, pool, meter);
  const ScoreBound bound(rows.columns, centering.scale());
  std::vector<std::uint32_t> ids(rows.rows);
  std::iota(ids.begin(), ids.end(), 0U);
  const std::size_t count = (rows.rows + panel_rows - 1) / panel_rows;
  Panels panels(count, rows.columns);
  for (std::size_t p = 0; p < count; ++p) {
    const std::size_t first = p * panel_rows;
    pack_rows(points, centering,
              std::span(ids).subspan(first, std::min(panel_rows, ids.size() - first)), p, panels);
  }
  PanelLimits open;
  std::fill_n(open.limits, panel_rows, std::numeric_limits<float>::lowest());
  double slack = 0;
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t q = 0; q < count; ++q) {
      TileHits hits;
      kernel.score_tile({panels.side(p, open.limits), panels.side(q, open.limits), rows.columns},
                        all_strips, hits);
      for (std::size_t i = 0; i < panel_rows * panel_rows; ++i) {
        const std::size_t a = i / panel_rows, b = i % panel_rows;
        const std::size_t row = p * panel_rows + a, other = q * panel_rows + b;
        if (row >= rows.rows || other >= rows.rows) continue;
        const float limit = bound.limit(points.distance(ids[row], ids[other], INFINITY, scratch));
        EXPECT_GE(hits.scores[a][b], limit) << kernel.name << " " << rows.columns << " columns";
        const double norms = -2.0 * panels.starts(p)[a] - 2.0 * panels.starts(q)[b];
        if (norms > 0) slack = std::max(slack, 2 * (hits.scores[a][b] - limit) / norms);
      }
    }
  }
  return slack;
}

TEST(NeighborKernel, TheBoundHoldsAndIsSharp) {
  for (const std::size_t columns : {1U, 2U, 16U, 100U, 512U, 700U, 2000U}) {
    for (const double offset : {0.0, 1e3}) {
      for (const double size : {1.0, 1e-25, 1e30}) {
        Matrix matrix(50, columns);
        for (std::size_t i = 0; i < 50; ++i) {
          // Half of the rows are nearly equal, where rounding is all there is.
          const double spread = i % 2 ? 1 : 1e-4;
          for (std::size_t c = 0; c < columns; ++c) {
            const double value = offset + 1 + spread * normal(columns, Stream::generate, i, c);
            matrix.row(i)[c] = static_cast<float>(size * value);
          }
        }
        for (const Kernel& kernel : available_kernels()) {
          const std::size_t sums = columns / min_columns_per_sum;
          const auto roundings =
              static_cast<double>(std::min(columns, max_columns_per_sum) + sums + 20);
          EXPECT_LT(check_bound(matrix.view(), kernel), 4 * roundings * 0x1.0p-24);
        }
      }
    }
  }
}

// Most rows set the scale; the others are so small that their products underflow in part.
TEST(NeighborKernel, TheBoundHoldsWhereProductsUnderflow) {
  for (const double size : {1e-18, 1e-19, 1e-20, 1e-21, 1e-22, 1e-23, 1e-38, 1e-42}) {
    for (const std::size_t columns : {1U, 3U, 40U}) {
      Matrix matrix(60, columns);
      for (std::size_t i = 0; i < 60; ++i) {
        for (std::size_t c = 0; c < columns; ++c) {
          const double value = normal(columns, Stream::generate, i, c);
          matrix.row(i)[c] = static_cast<float>((i % 3 ? 1 : size) * value);
        }
      }
      for (const Kernel& kernel : available_kernels()) check_bound(matrix.view(), kernel);
    }
  }
}

// Some values are clipped when stored, those of some rows all to the same place.
TEST(NeighborKernel, TheBoundHoldsWhereValuesAreClipped) {
  for (const std::size_t columns : {1U, 3U, 40U}) {
    Matrix matrix(60, columns);
    for (std::size_t i = 0; i < 60; ++i) {
      for (std::size_t c = 0; c < columns; ++c) {
        const double value = normal(columns, Stream::generate, i, c);
        const bool is_far = i % 4 == 0 && (i % 8 == 0 || c == 0);
        matrix.row(i)[c] = static_cast<float>(is_far ? 1e38 * std::tanh(value) : value);
      }
    }
    for (const Kernel& kernel : available_kernels()) check_bound(matrix.view(), kernel);
  }
}

}  // namespace
}  // namespace noiseplus
