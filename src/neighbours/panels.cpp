#include "neighbours/panels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "neighbours/bound.h"

namespace noiseplus {
namespace {

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Rows at equal steps through the matrix, from which centre and scale are judged.
Matrix sample_of(const Points& points) {
  Matrix sample(std::min<std::size_t>(points.rows(), 255), points.columns());
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    const auto row = static_cast<std::uint32_t>(i * points.rows() / sample.rows());
    std::copy_n(points.values(row, sample.row(i)), sample.columns(), sample.row(i));
    if (points.factor(row) == 1) continue;
    for (std::size_t c = 0; c < sample.columns(); ++c) {
      sample.row(i)[c] = static_cast<float>(sample.row(i)[c] * points.factor(row));
    }
  }
  return sample;
}

// Unlike means, medians stay among the bulk of the rows when a few are far off, and the bulk is
// where small norms make sharp bounds.
std::vector<double> column_medians(const Matrix& sample, ThreadPool& pool, ProgressMeter& meter) {
  constexpr std::size_t columns_at_once = 64;
  std::vector<double> result(sample.columns());
  pool.for_each(ceiling_of_quotient(result.size(), columns_at_once), [&](std::size_t chunk) {
    const std::size_t last = std::min((chunk + 1) * columns_at_once, result.size());
    std::vector<double> values(sample.rows());
    for (std::size_t c = chunk * columns_at_once; c < last; ++c) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = sample.row(i)[c];
      result[c] = median(values);
    }
    meter.step(0);
  });
  return result;
}

// The largest distance to the centre in any column, for the median of those rows that have one.
double typical_magnitude(const Matrix& sample, std::span<const double> centre) {
  std::vector<double> magnitudes;
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    double largest = 0;
    for (std::size_t c = 0; c < centre.size(); ++c) {
      largest = std::max(largest, std::abs(sample.row(i)[c] - centre[c]));
    }
    if (largest > 0) magnitudes.push_back(largest);
  }
  return magnitudes.empty() ? 0 : median(magnitudes);
}

}  // namespace

Centring::Centring(const Points& points, ThreadPool& pool, ProgressMeter& meter) {
  const Matrix sample = sample_of(points);
  centre_ = column_medians(sample, pool, meter);
  int exponent = 0;
  std::frexp(typical_magnitude(sample, centre_), &exponent);
  scale_ = std::ldexp(1.0, -exponent);
}

void Panels::set_starts(std::size_t panel, std::span<const double> squared_norms,
                        double storing_error) {
  float* const starts = this->starts(panel);
  for (std::size_t lane = 0; lane < squared_norms.size(); ++lane) {
    starts[lane] = score_start(squared_norms[lane], columns_, storing_error);
  }
  std::fill(starts + squared_norms.size(), starts + panel_rows,
            -std::numeric_limits<float>::infinity());
}

void pack_rows(const Points& points, const Centring& centring, std::span<const std::uint32_t> ids,
               std::size_t panel, Panels& panels) {
  // Eight rows, which share the lines written to, and few columns, so that these stay in the cache.
  constexpr std::size_t rows_at_once = 8;
  constexpr std::size_t columns_at_once = 32;
  const std::size_t columns = points.columns();
  float* const packed = panels.values(panel);
  std::fill_n(packed, columns * panel_rows, 0.0F);
  double squared_norms[panel_rows] = {};
  std::vector<Points::Scratch> scratch(rows_at_once, Points::Scratch(points));
  for (std::size_t first = 0; first < ids.size(); first += rows_at_once) {
    const std::size_t last = std::min(first + rows_at_once, ids.size());
    const float* rows[rows_at_once];
    for (std::size_t lane = first; lane < last; ++lane) {
      rows[lane - first] = points.values(ids[lane], scratch[lane - first].first.data());
    }
    for (std::size_t column = 0; column < columns; column += columns_at_once) {
      const std::size_t end = std::min(column + columns_at_once, columns);
      for (std::size_t lane = first; lane < last; ++lane) {
        const double factor = points.factor(ids[lane]);
        double squares = 0;
        for (std::size_t c = column; c < end; ++c) {
          const float value = centring.apply(rows[lane - first][c] * factor, c);
          packed[c * panel_rows + lane] = value;
          squares += static_cast<double>(value) * value;
        }
        squared_norms[lane] += squares;
      }
    }
  }
  panels.set_starts(panel, {squared_norms, ids.size()}, 0);

  const std::span<std::uint64_t> used = panels.used_columns(panel);
  std::ranges::fill(used, 0);
  for (std::size_t c = 0; c < columns; ++c) {
    const float* const column = packed + c * panel_rows;
    bool is_used = false;
    for (std::size_t lane = 0; lane < panel_rows; ++lane) is_used |= column[lane] != 0;
    used[c / 64] |= static_cast<std::uint64_t>(is_used) << c % 64;
  }
}

CommonColumns::CommonColumns(const Panels& panels, std::size_t panel, std::size_t other)
    : used_(panels.used_columns(panel)),
      other_used_(panels.used_columns(other)),
      columns_(panels.columns()) {
  for (std::size_t word = 0; word < used_.size(); ++word) {
    count_ += static_cast<std::size_t>(std::popcount(used_[word] & other_used_[word]));
  }
}

const std::uint32_t* CommonColumns::offsets(std::vector<std::uint32_t>& buffer) const {
  if (count_ == columns_) return nullptr;
  buffer.resize(columns_);
  std::size_t next = 0;
  for (std::size_t word = 0; word < used_.size(); ++word) {
    for (std::uint64_t both = used_[word] & other_used_[word]; both != 0; both &= both - 1) {
      const std::size_t column = word * 64 + static_cast<std::size_t>(std::countr_zero(both));
      buffer[next++] = static_cast<std::uint32_t>(column * panel_rows);
    }
  }
  return buffer.data();
}

}  // namespace noiseplus
