// Rows whose values are replaced by small codes, for trees. Internal to the learn stage.
//
// A column's values fall into bins, in increasing order. Columns of which no row leaves the most
// frequent bin of two (one-hot columns) share a bundle: one code then tells the bins of all of them
// (exclusive feature bundling, Ke et al. 2017; here only where it is exact).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "noiseplus/core.h"

namespace noiseplus {

inline constexpr std::size_t max_codes = 256;  // of a bundle: a code has 8 bits
inline constexpr std::size_t panel_width = 8;  // bundles in a word of 64 bits

struct BinnedColumn {
  static constexpr std::size_t no_bin = max_codes;

  std::size_t bundle = 0;
  std::size_t bins = 0;
  // In a shared bundle: the bin that has no code of its own, because a row has it wherever another
  // column of the bundle, or none, has the code.
  std::size_t common_bin = no_bin;
  std::size_t first_code = 0;
  std::size_t origin = 0;   // position among the columns of the rows
  std::vector<float> ends;  // of all bins but the last: the largest value it takes

  // REQUIRES: bin < bins, bin != common_bin.
  std::size_t code_of(std::size_t bin) const {
    return first_code + bin - (bin > common_bin ? 1 : 0);
  }
};

struct BinnedRows {
  std::size_t rows = 0;
  std::vector<BinnedColumn> columns;  // those that vary
  std::vector<std::size_t> codes;     // how many each bundle has
  // Byte b % 8 of words[b / 8 * rows + i], from the lowest, is the code of bundle b in row i.
  std::vector<std::uint64_t> words;

  std::size_t bundles() const { return codes.size(); }
  const std::uint64_t* panel(std::size_t p) const { return words.data() + p * rows; }
};

// The upper ends of all bins but the last: every distinct value has a bin of its own where there
// are few enough, else bins hold about as many rows each. Sorts the values. REQUIRES: finite ones.
std::vector<float> bin_ends(std::vector<float>& values, std::size_t max_bins);

// Row n is stored as row place[n]. Bins come from 65,536 rows where there are more. One step of the
// meter per column. REQUIRES: finite values.
BinnedRows bin_rows(RowsView rows, std::span<const std::uint32_t> place, std::size_t max_bins,
                    std::uint64_t seed, ThreadPool& pool, ProgressMeter& meter);

}  // namespace noiseplus
