#include "learn/binned_rows.h"

#include <algorithm>

#include "core/half.h"

namespace noiseplus {
namespace {

constexpr std::size_t max_sampled_rows = std::size_t{1} << 16;
constexpr std::size_t max_open_bundles = 32;

float value_at(RowsView rows, std::size_t row, std::size_t column) {
  const std::size_t i = row * rows.columns + column;
  if (rows.type == ValueType::float32) return static_cast<const float*>(rows.data)[i];
  return widen_half(static_cast<const std::uint16_t*>(rows.data)[i]);
}

struct ValueCount {
  float value = 0;
  std::size_t count = 0;
};

// Few distinct values, as most columns of a table have, are counted without sorting all of them.
bool count_few(std::span<const float> values, std::vector<ValueCount>& counts) {
  constexpr std::size_t few = 8;
  for (const float value : values) {
    std::size_t k = 0;
    while (k < counts.size() && counts[k].value != value) ++k;
    if (k == counts.size()) {
      if (k == few) return false;
      counts.push_back({value, 0});
    }
    ++counts[k].count;
  }
  std::sort(counts.begin(), counts.end(),
            [](const ValueCount& a, const ValueCount& b) { return a.value < b.value; });
  return true;
}

std::vector<ValueCount> distinct_values(std::vector<float>& values) {
  std::vector<ValueCount> counts;
  if (count_few(values, counts)) return counts;
  counts.clear();
  std::sort(values.begin(), values.end());
  for (const float value : values) {
    if (counts.empty() || counts.back().value != value) counts.push_back({value, 0});
    ++counts.back().count;
  }
  return counts;
}

// One column while the others are binned.
struct RawColumn {
  std::vector<std::uint8_t> bins;  // of each row as it is stored; empty where all have the same
  std::vector<float> ends;
  std::size_t bin_count = 1;
  std::size_t common_bin = 0;
  std::size_t uncommon_rows = 0;  // those in other bins
};

RawColumn bin_column(RowsView rows, std::size_t column, std::span<const std::uint32_t> place,
                     std::vector<float> ends) {
  RawColumn result;
  if (ends.empty()) return result;
  result.bin_count = ends.size() + 1;
  result.bins.resize(rows.rows);
  std::vector<std::size_t> counts(result.bin_count);
  for (std::size_t n = 0; n < rows.rows; ++n) {
    const float value = value_at(rows, n, column);
    const auto bin =
        static_cast<std::size_t>(std::lower_bound(ends.begin(), ends.end(), value) - ends.begin());
    result.bins[place[n]] = static_cast<std::uint8_t>(bin);
    ++counts[bin];
  }
  result.common_bin =
      static_cast<std::size_t>(std::max_element(counts.begin(), counts.end()) - counts.begin());
  result.uncommon_rows = rows.rows - counts[result.common_bin];
  result.ends = std::move(ends);
  return result;
}

std::vector<RawColumn> bin_columns(RowsView rows, std::span<const std::uint32_t> place,
                                   std::size_t max_bins, std::uint64_t seed, ThreadPool& pool,
                                   ProgressMeter& meter) {
  const std::vector<std::uint32_t> sample =
      sample_rows(rows.rows, max_sampled_rows, seed, Stream::trees);
  std::vector<RawColumn> columns(rows.columns);
  pool.for_each(rows.columns, [&](std::size_t column) {
    std::vector<float> values(sample.size());
    for (std::size_t i = 0; i < sample.size(); ++i) values[i] = value_at(rows, sample[i], column);
    columns[column] = bin_column(rows, column, place, bin_ends(values, max_bins));
    meter.step();
  });
  return columns;
}

// Columns that no row uses two of.
struct Bundle {
  std::vector<std::size_t> columns;
  std::size_t codes = 1;            // the first: all columns have their common bin
  std::size_t rows = 0;             // that have another code
  std::vector<std::uint64_t> used;  // one bit per row
};

std::vector<std::uint64_t> uncommon_rows_of(const RawColumn& column) {
  std::vector<std::uint64_t> bits((column.bins.size() + 63) / 64);
  for (std::size_t i = 0; i < column.bins.size(); ++i) {
    const std::uint64_t is_uncommon = column.bins[i] != column.common_bin ? 1 : 0;
    bits[i / 64] |= is_uncommon << (i % 64);
  }
  return bits;
}

bool can_join(const Bundle& bundle, const RawColumn& column,
              const std::vector<std::uint64_t>& uncommon) {
  if (bundle.rows + column.uncommon_rows > column.bins.size()) return false;
  if (bundle.codes + column.bin_count - 1 > max_codes) return false;
  for (std::size_t i = 0; i < uncommon.size(); ++i) {
    if ((bundle.used[i] & uncommon[i]) != 0) return false;
  }
  return true;
}

// A column joins the first bundle it fits. Only the latest ones are tried: one-hot columns of one
// origin are neighbors, and trying all would be quadratic in the columns.
std::vector<Bundle> bundle_columns(const std::vector<RawColumn>& columns) {
  std::vector<Bundle> bundles;
  std::vector<std::size_t> open;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const RawColumn& column = columns[c];
    if (column.bins.empty()) continue;
    if (2 * column.uncommon_rows > column.bins.size()) {
      bundles.push_back({{c}, column.bin_count, 0, {}});
      continue;
    }
    std::vector<std::uint64_t> uncommon = uncommon_rows_of(column);
    const auto found = std::find_if(open.begin(), open.end(), [&](std::size_t b) {
      return can_join(bundles[b], column, uncommon);
    });
    if (found == open.end()) {
      if (open.size() == max_open_bundles) {
        bundles[open.front()].used = {};
        open.erase(open.begin());
      }
      open.push_back(bundles.size());
      bundles.push_back({{c}, column.bin_count, column.uncommon_rows, std::move(uncommon)});
      continue;
    }
    Bundle& bundle = bundles[*found];
    bundle.columns.push_back(c);
    bundle.codes += column.bin_count - 1;
    bundle.rows += column.uncommon_rows;
    for (std::size_t i = 0; i < uncommon.size(); ++i) bundle.used[i] |= uncommon[i];
  }
  return bundles;
}

// Adds the codes of one column to the words of its bundle. Codes of other columns of the bundle are
// 0 wherever this one's is not.
void add_codes(const RawColumn& raw, const BinnedColumn& column, std::uint64_t* words) {
  std::uint64_t word_of_bin[max_codes] = {};
  const std::size_t shift = 8 * (column.bundle % panel_width);
  for (std::size_t bin = 0; bin < column.bins; ++bin) {
    if (bin != column.common_bin) word_of_bin[bin] = std::uint64_t{column.code_of(bin)} << shift;
  }
  for (std::size_t i = 0; i < raw.bins.size(); ++i) words[i] |= word_of_bin[raw.bins[i]];
}

}  // namespace

std::vector<float> bin_ends(std::vector<float>& values, std::size_t max_bins) {
  const std::vector<ValueCount> counts = distinct_values(values);
  std::vector<float> ends;
  std::size_t rows_left = values.size();
  std::size_t rows_in_bin = 0;
  for (std::size_t k = 0; k + 1 < counts.size(); ++k) {
    rows_in_bin += counts[k].count;
    const std::size_t bins_left = max_bins - ends.size();
    const std::size_t values_left = counts.size() - 1 - k;
    if (bins_left == 1) break;
    // Full, counting half of the next value, or the next value fills a bin alone, or there is a bin
    // for each value left.
    const std::size_t next = counts[k + 1].count;
    const bool is_full = (rows_in_bin + next / 2) * bins_left >= rows_left;
    const bool next_fills_one = next * bins_left >= rows_left;
    if (!is_full && !next_fills_one && values_left > bins_left - 1) continue;
    ends.push_back(counts[k].value);
    rows_left -= rows_in_bin;
    rows_in_bin = 0;
  }
  return ends;
}

BinnedRows bin_rows(RowsView rows, std::span<const std::uint32_t> place, std::size_t max_bins,
                    std::uint64_t seed, ThreadPool& pool, ProgressMeter& meter) {
  std::vector<RawColumn> raw = bin_columns(rows, place, max_bins, seed, pool, meter);
  const std::vector<Bundle> bundles = bundle_columns(raw);
  BinnedRows result;
  result.rows = rows.rows;
  for (std::size_t b = 0; b < bundles.size(); ++b) {
    const bool is_shared = bundles[b].columns.size() > 1;
    std::size_t next_code = is_shared ? 1 : 0;
    for (const std::size_t c : bundles[b].columns) {
      const std::size_t common = is_shared ? raw[c].common_bin : BinnedColumn::no_bin;
      result.columns.push_back({b, raw[c].bin_count, common, next_code, c, std::move(raw[c].ends)});
      next_code += raw[c].bin_count - 1;
    }
    result.codes.push_back(bundles[b].codes);
  }
  const std::size_t panels = ceiling_of_quotient(bundles.size(), panel_width);
  result.words.resize(panels * rows.rows);
  pool.for_each(panels, [&](std::size_t p) {
    for (std::size_t k = 0; k < result.columns.size(); ++k) {
      if (result.columns[k].bundle / panel_width != p) continue;
      RawColumn& column = raw[result.columns[k].origin];
      add_codes(column, result.columns[k], result.words.data() + p * rows.rows);
      column = {};
    }
  });
  return result;
}

}  // namespace noiseplus
