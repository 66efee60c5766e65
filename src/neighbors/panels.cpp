#include "neighbors/panels.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "neighbors/bound.h"

namespace noiseplus {
namespace {

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Rows at equal steps through the matrix, from which center and scale are judged.
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

// The largest distance to the center in any column, for the median of those rows that have one.
double typical_magnitude(const Matrix& sample, std::span<const double> center) {
  std::vector<double> magnitudes;
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    double largest = 0;
    for (std::size_t c = 0; c < center.size(); ++c) {
      largest = std::max(largest, std::abs(sample.row(i)[c] - center[c]));
    }
    if (largest > 0) magnitudes.push_back(largest);
  }
  return magnitudes.empty() ? 0 : median(magnitudes);
}

}  // namespace

Centering::Centering(const Points& points, ThreadPool& pool, ProgressMeter& meter) {
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

// Two loops, for each of which the compiler finds vectors.
void Centering::apply(const float* values, double factor, std::size_t first_column,
                      std::size_t count, float* stored) const {
  const double* const center = centre_.data() + first_column;
  for (std::size_t i = 0; i < count; ++i) {
    stored[i] = static_cast<float>((values[i] * factor - center[i]) * scale_);
  }
  for (std::size_t i = 0; i < count; ++i) stored[i] = clip(stored[i]);
}

namespace {

// Four partial sums, because one would wait for each addition.
template <std::size_t count>
double sum_of_squares(const float (&values)[count]) {
  static_assert(count % 4 == 0);
  double sums[4] = {};
  for (std::size_t i = 0; i < count; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) {
      sums[lane] += static_cast<double>(values[i + lane]) * values[i + lane];
    }
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

void pack_rows(const Points& points, const Centering& centering, std::span<const std::uint32_t> ids,
               std::size_t panel, Panels& panels) {
  constexpr std::size_t rows_at_once = 8;
  constexpr std::size_t values_at_once = 32;
  const std::size_t columns = points.columns();
  float* const packed = panels.values(panel);
  double squared_norms[panel_rows] = {};
  std::vector<Points::Scratch> scratch(rows_at_once, Points::Scratch(points));
  for (std::size_t first = 0; first < panel_rows; first += rows_at_once) {
    const std::size_t count = std::min(rows_at_once, ids.size() - std::min(first, ids.size()));
    const float* rows[rows_at_once];
    for (std::size_t r = 0; r < count; ++r) {
      rows[r] = points.values(ids[first + r], scratch[r].first.data());
    }
    float stored[rows_at_once][values_at_once] = {};
    for (std::size_t column = 0; column < columns; column += values_at_once) {
      const std::size_t width = std::min(values_at_once, columns - column);
      for (std::size_t r = 0; r < count; ++r) {
        centering.apply(rows[r] + column, points.factor(ids[first + r]), column, width, stored[r]);
        std::fill(stored[r] + width, stored[r] + values_at_once, 0.0F);
        squared_norms[first + r] += sum_of_squares(stored[r]);
      }
      for (std::size_t c = 0; c < width; ++c) {
        float* const target = packed + (column + c) * panel_rows + first;
        for (std::size_t r = 0; r < rows_at_once; ++r) target[r] = stored[r][c];
      }
    }
  }
  panels.set_starts(panel, {squared_norms, ids.size()}, 0);

  const std::span<std::uint64_t> used = panels.used_columns(panel);
  std::ranges::fill(used, 0);
  for (std::size_t c = 0; c < columns; ++c) {
    const float* const column = packed + c * panel_rows;
    std::uint32_t bits = 0;
    for (std::size_t lane = 0; lane < panel_rows; ++lane) {
      bits |= std::bit_cast<std::uint32_t>(column[lane]) << 1;  // but for the sign
    }
    used[c / 64] |= static_cast<std::uint64_t>(bits != 0) << c % 64;
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
