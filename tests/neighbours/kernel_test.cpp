// Every kernel against sums in double, and the bound that lets its scores rule pairs out.
#include "neighbours/kernel.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "neighbours/nearest.h"
#include "neighbours/panels.h"

namespace noiseplus {
namespace {

TEST(NeighbourKernel, NamesAndCodeDiffer) {
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
TEST(NeighbourKernel, ScoresAndHitsAreRight) {
  for (const std::size_t columns : {0U, 1U, 2U, 13U, 512U, 513U, 1500U}) {
    const auto small = [columns](std::uint64_t row, std::uint64_t draw) {
      return static_cast<float>(hash(columns, Stream::generate, row, draw) % 7) - 3;
    };
    AlignedFloats anchors(columns * anchor_lanes), base(columns * base_lanes), starts(base_lanes);
    for (std::size_t i = 0; i < columns * anchor_lanes; ++i) anchors.data()[i] = small(1, i);
    for (std::size_t i = 0; i < columns * base_lanes; ++i) base.data()[i] = small(2, i);
    for (std::size_t i = 0; i < base_lanes; ++i) starts.data()[i] = small(3, i);
    float limits[anchor_lanes];
    for (std::size_t i = 0; i < anchor_lanes; ++i) {
      limits[i] = i == 5 ? INFINITY : std::sqrt(static_cast<float>(columns)) * small(4, i);
    }
    const Tile tile{anchors.data(), base.data(), starts.data(), limits, columns};
    for (const Kernel& kernel : available_kernels()) {
      SCOPED_TRACE(std::string(kernel.name) + " " + std::to_string(columns));
      TileHits hits;
      const std::uint32_t anchors_hit = kernel.score_tile(tile, hits);
      for (std::size_t a = 0; a < anchor_lanes; ++a) {
        std::uint32_t lanes = 0;
        for (std::size_t b = 0; b < base_lanes; ++b) {
          float score = starts.data()[b];
          for (std::size_t c = 0; c < columns; ++c) {
            score += anchors.data()[c * anchor_lanes + a] * base.data()[c * base_lanes + b];
          }
          if (score < limits[a]) continue;
          lanes |= 1U << b;
          EXPECT_EQ(hits.scores[a][b], score);
        }
        EXPECT_EQ(hits.lanes[a], lanes);
        EXPECT_EQ(anchors_hit >> a & 1, lanes != 0);
      }
      EXPECT_EQ(anchors_hit >> anchor_lanes, 0U);
    }
  }
}

// A pair whose own distance is the kth is the closest call there is: its score must reach the
// limit. Returns how much further away a pair would have to be to be ruled out, the worst of all
// pairs, relative to the norms.
double check_bound(MatrixView rows, const Kernel& kernel) {
  ThreadPool pool(1);
  const Execution execution;
  ProgressMeter meter(execution, "neighbours", 1);
  const PackedBase base(rows, pool, meter);
  std::vector<float> panel(anchor_lanes * rows.columns);
  double slack = 0;
  for (std::uint32_t anchor = 0; anchor < rows.rows; ++anchor) {
    double squared_norms[anchor_lanes];
    pack_rows(rows, base.centring(), {&anchor, 1}, anchor_lanes, panel.data(), squared_norms);
    float limits[anchor_lanes];
    std::fill_n(limits, anchor_lanes, std::numeric_limits<float>::lowest());
    for (std::size_t p = 0; p < base.panels(); ++p) {
      TileHits hits;
      kernel.score_tile({panel.data(), base.panel(p), base.starts(p), limits, rows.columns}, hits);
      for (std::size_t b = 0; b < base_lanes && p * base_lanes + b < rows.rows; ++b) {
        const double distance =
            squared_distance(rows.row(anchor), rows.row(p * base_lanes + b), rows.columns);
        const float limit = base.bound().limit(squared_norms[0], distance);
        EXPECT_GE(hits.scores[0][b], limit) << kernel.name << " " << rows.columns << " columns";
        const double norms = squared_norms[0] - 2.0 * base.starts(p)[b];
        if (norms > 0) slack = std::max(slack, 2 * (hits.scores[0][b] - limit) / norms);
      }
    }
  }
  return slack;
}

TEST(NeighbourKernel, TheBoundHoldsAndIsSharp) {
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
          const double roundings =
              static_cast<double>(std::min(columns, columns_per_sum)) + 20 + columns / 200.0;
          EXPECT_LT(check_bound(matrix.view(), kernel), 4 * roundings * 0x1.0p-24);
        }
      }
    }
  }
}

// Most rows set the scale; the others are so small that their products underflow in part.
TEST(NeighbourKernel, TheBoundHoldsWhereProductsUnderflow) {
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
TEST(NeighbourKernel, TheBoundHoldsWhereValuesAreClipped) {
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

TEST(NeighbourDistance, IsRightForAllLengths) {
  for (std::size_t columns = 0; columns < 70; ++columns) {
    std::vector<float> a(columns), b(columns);
    long double expected = 0;
    for (std::size_t c = 0; c < columns; ++c) {
      a[c] = static_cast<float>(normal(1, Stream::generate, 0, c));
      b[c] = static_cast<float>(normal(1, Stream::generate, 1, c));
      const long double difference = static_cast<long double>(a[c]) - b[c];
      expected += difference * difference;
    }
    EXPECT_NEAR(squared_distance(a.data(), b.data(), columns), static_cast<double>(expected),
                1e-14 * static_cast<double>(expected));
    EXPECT_EQ(squared_distance(a.data(), b.data(), columns),
              squared_distance(b.data(), a.data(), columns));
  }
}

// The documented order of summation, written out: another order gives other last bits.
TEST(NeighbourDistance, IsSummedInTheDocumentedOrder) {
  std::vector<float> a(29), zero(29);
  double sums[8] = {};
  for (std::size_t c = 0; c < a.size(); ++c) {
    a[c] = static_cast<float>(normal(2, Stream::generate, 0, c));
    sums[c % 8] += static_cast<double>(a[c]) * a[c];
  }
  EXPECT_EQ(
      squared_distance(a.data(), zero.data(), a.size()),
      ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7])));
}

}  // namespace
}  // namespace noiseplus
