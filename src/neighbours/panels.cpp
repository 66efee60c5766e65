#include "neighbours/panels.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>

namespace noiseplus {
namespace {

// By the bits, without a branch: the exponents of NaN and infinity are all ones.
bool are_finite(std::span<const float> values) {
  std::uint32_t largest = 0;
  for (const float value : values) {
    largest = std::max(largest, std::bit_cast<std::uint32_t>(value) & 0x7f800000U);
  }
  return largest != 0x7f800000U;
}

[[noreturn]] void throw_not_finite(MatrixView rows) {
  const std::span<const float> values(rows.data, rows.rows * rows.columns);
  const auto found =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  const auto place = static_cast<std::size_t>(found - values.begin());
  throw Error(ErrorKind::data, "row " + std::to_string(place / rows.columns) + ", column " +
                                   std::to_string(place % rows.columns) +
                                   " (from 0) is not a finite number; distances need finite "
                                   "values: fill it in or leave the row out");
}

void check_finite(MatrixView rows, ThreadPool& pool, ProgressMeter& meter) {
  std::atomic<bool> all_are_finite = true;
  pool.for_each(PackedBase::panels_for(rows.rows), [&](std::size_t p) {
    const std::size_t first = p * base_lanes;
    const std::size_t count = std::min(base_lanes, rows.rows - first);
    if (!are_finite({rows.row(first), count * rows.columns})) all_are_finite = false;
    meter.step();
  });
  if (!all_are_finite) throw_not_finite(rows);
}

// Rows at equal steps through the matrix, from which centre and scale are judged.
std::vector<const float*> sample_of(MatrixView rows) {
  std::vector<const float*> sample(std::min<std::size_t>(rows.rows, 255));
  for (std::size_t i = 0; i < sample.size(); ++i) {
    sample[i] = rows.row(i * rows.rows / sample.size());
  }
  return sample;
}

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Unlike means, medians stay among the bulk of the rows when a few are far off, and the bulk is
// where small norms make sharp bounds.
std::vector<double> column_medians(std::span<const float* const> sample, std::size_t columns,
                                   ThreadPool& pool, ProgressMeter& meter) {
  constexpr std::size_t columns_at_once = 64;
  std::vector<double> result(columns);
  pool.for_each(ceiling_of_quotient(columns, columns_at_once), [&](std::size_t chunk) {
    const std::size_t last = std::min((chunk + 1) * columns_at_once, columns);
    std::vector<double> values(sample.size());
    for (std::size_t c = chunk * columns_at_once; c < last; ++c) {
      for (std::size_t i = 0; i < sample.size(); ++i) values[i] = sample[i][c];
      result[c] = median(values);
    }
    meter.step(0);
  });
  return result;
}

// The largest distance to the centre in any column, for the median of those rows that have one.
double typical_magnitude(std::span<const float* const> sample, std::span<const double> centre) {
  std::vector<double> magnitudes;
  for (const float* const row : sample) {
    double largest = 0;
    for (std::size_t c = 0; c < centre.size(); ++c) {
      largest = std::max(largest, std::abs(row[c] - centre[c]));
    }
    if (largest > 0) magnitudes.push_back(largest);
  }
  return magnitudes.empty() ? 0 : median(magnitudes);
}

}  // namespace

Centring::Centring(MatrixView rows, ThreadPool& pool, ProgressMeter& meter) {
  check_finite(rows, pool, meter);
  const std::vector<const float*> sample = sample_of(rows);
  centre_ = column_medians(sample, rows.columns, pool, meter);
  int exponent = 0;
  std::frexp(typical_magnitude(sample, centre_), &exponent);
  scale_ = std::ldexp(1.0, -exponent);
}

void pack_rows(MatrixView rows, const Centring& centring, std::span<const std::uint32_t> ids,
               std::size_t lanes, float* panel, double* squared_norms) {
  // A few columns at a time, so that the lines written to stay in the cache.
  constexpr std::size_t columns_at_once = 16;
  std::fill_n(squared_norms, lanes, 0.0);
  for (std::size_t first = 0; first < rows.columns; first += columns_at_once) {
    const std::size_t last = std::min(first + columns_at_once, rows.columns);
    for (std::size_t lane = 0; lane < ids.size(); ++lane) {
      const float* const row = rows.row(ids[lane]);
      for (std::size_t c = first; c < last; ++c) {
        const float value = centring.apply(row[c], c);
        panel[c * lanes + lane] = value;
        squared_norms[lane] += static_cast<double>(value) * value;
      }
    }
    for (std::size_t c = first; c < last; ++c) {
      std::fill(panel + c * lanes + ids.size(), panel + (c + 1) * lanes, 0.0F);
    }
  }
}

PackedBase::PackedBase(MatrixView rows, ThreadPool& pool, ProgressMeter& meter)
    : rows_(rows),
      centring_(rows, pool, meter),
      bound_(rows.columns, centring_.scale()),
      values_(panels() * base_lanes * rows.columns),
      starts_(panels() * base_lanes) {
  pool.for_each(panels(), [&](std::size_t p) {
    pack_panel(p);
    meter.step();
  });
}

void PackedBase::pack_panel(std::size_t p) {
  const std::size_t first = p * base_lanes;
  const std::size_t count = std::min(base_lanes, rows_.rows - first);
  std::uint32_t ids[base_lanes];
  for (std::size_t i = 0; i < count; ++i) ids[i] = static_cast<std::uint32_t>(first + i);
  double squared_norms[base_lanes];
  float* const panel = values_.data() + first * rows_.columns;
  pack_rows(rows_, centring_, {ids, count}, base_lanes, panel, squared_norms);
  float* const starts = starts_.data() + first;
  for (std::size_t i = 0; i < count; ++i) starts[i] = bound_.start(squared_norms[i]);
  std::fill(starts + count, starts + base_lanes, -std::numeric_limits<float>::infinity());
}

}  // namespace noiseplus
