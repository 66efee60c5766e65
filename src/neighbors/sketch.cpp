#include "neighbors/sketch.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/eigen.h"
#include "core/principal.h"

namespace noiseplus {
namespace {

using Eigen::MatrixXd;

// Centered and scaled as the panels have it.
void read_row(const Points& points, const Centering& centering, std::uint32_t row, float* buffer,
              double* target) {
  const float* const values = points.values(row, buffer);
  const double factor = points.factor(row);
  for (std::size_t c = 0; c < points.columns(); ++c) {
    target[c] = centering.apply(values[c] * factor, c);
  }
}

struct Sample {
  RowMajor values;   // less their columns' means
  double zeros = 0;  // share of values that were zero
};

// Rows at equal steps, fewer of long ones. Far-off values are cut, or they would be all that the
// directions show.
Sample sample_of(const Points& points, const Centering& centering,
                 std::span<const std::uint32_t> rows) {
  constexpr std::size_t max_values = 1U << 19;
  constexpr double cut = 16;
  const std::size_t wanted = std::clamp<std::size_t>(max_values / points.columns(), 64, 1024);
  const std::size_t size = std::min(wanted, rows.size());
  RowMajor values(index(size), index(points.columns()));
  std::vector<float> buffer(points.columns());
  for (std::size_t i = 0; i < size; ++i) {
    read_row(points, centering, rows[i * rows.size() / size], buffer.data(),
             values.row(index(i)).data());
  }
  const double zeros = (values.array() == 0).cast<double>().mean();
  values = values.cwiseMin(cut).cwiseMax(-cut);
  values.rowwise() -= values.colwise().mean();
  return {std::move(values), zeros};
}

// Directions along which rows are put in order. Columns are first divided by their deviations, but
// not by less than 0.3 of the largest: a rare indicator should weigh more than its variance does.
MatrixXd place_directions(RowMajor values, std::size_t count, ProgressMeter& meter) {
  const double rows = static_cast<double>(values.rows());
  const Eigen::VectorXd deviations = (values.colwise().squaredNorm() / rows).cwiseSqrt();
  if (deviations.maxCoeff() == 0) return {};
  const Eigen::VectorXd weights = deviations.cwiseMax(0.3 * deviations.maxCoeff()).cwiseInverse();
  values = values * weights.asDiagonal();
  const MatrixXd directions = principal_directions(values, count, meter);
  if (directions.cols() == 0) return {};
  return weights.asDiagonal() * directions;
}

}  // namespace

Sketches::Sketches(const Points& points, const Centering& centering,
                   std::span<const std::uint32_t> rows, ThreadPool& pool, ProgressMeter& meter)
    : rows_(rows.size()) {
  const std::size_t count = std::min(points.columns(), max_directions);
  const Sample sample = sample_of(points, centering, rows);
  const RowMajor basis = principal_directions(sample.values, count, meter);
  directions_ = static_cast<std::size_t>(basis.cols());
  if (directions_ == 0) return;
  coordinates_.resize(rows.size() * directions_);
  rests_.resize(rows.size() * lengths());
  RowMajor place_basis;
  if (sample.zeros > 0.5) place_basis = place_directions(sample.values, place_count(), meter);
  places_.resize(rows.size() * static_cast<std::size_t>(place_basis.cols()));

  // A few megabytes of doubles.
  const std::size_t at_once = std::clamp<std::size_t>((1U << 19) / points.columns(), 8, 256);
  pool.for_each(ceiling_of_quotient(rows.size(), at_once), [&](std::size_t chunk) {
    const std::size_t first = chunk * at_once;
    const std::size_t last = std::min(first + at_once, rows.size());
    RowMajor values(index(last - first), index(points.columns()));
    std::vector<float> buffer(points.columns());
    for (std::size_t i = first; i < last; ++i) {
      read_row(points, centering, rows[i], buffer.data(), values.row(index(i - first)).data());
    }
    const RowMajor along = product(values, basis);
    for (std::size_t i = first; i < last; ++i) {
      store(i, {along.row(index(i - first)).data(), directions_},
            values.row(index(i - first)).squaredNorm());
    }
    if (!places_.empty()) {
      const RowMajor places = product(values, place_basis);
      std::transform(places.data(), places.data() + places.size(),
                     places_.data() + first * place_count(),
                     [](double place) { return static_cast<float>(place); });
    }
    meter.step(0);
  });
}

void Sketches::store(std::size_t i, std::span<const double> along, double squared_norm) {
  double covered = 0;
  for (std::size_t c = 0; c < directions_; ++c) {
    coordinates_[i * directions_ + c] = static_cast<float>(along[c]);
    covered += along[c] * along[c];
    if (c + 1 != directions(c / step)) continue;
    const double rest = std::sqrt(std::max(0.0, squared_norm - covered));
    rests_[i * lengths() + c / step] = static_cast<float>(rest);
  }
}

void pack_sketches(const Sketches& sketches, std::span<const std::uint32_t> ids, std::size_t length,
                   std::size_t panel, Panels& panels) {
  const std::size_t directions = sketches.directions(length);
  float* const packed = panels.values(panel);
  std::fill_n(packed, (directions + 1) * panel_rows, 0.0F);
  double squared_norms[panel_rows];
  for (std::size_t lane = 0; lane < ids.size(); ++lane) {
    const std::span<const float> coordinates = sketches.coordinates(ids[lane]);
    const float rest = sketches.rest(ids[lane], length);
    double squares = static_cast<double>(rest) * rest;
    for (std::size_t c = 0; c < directions; ++c) {
      packed[c * panel_rows + lane] = coordinates[c];
      squares += static_cast<double>(coordinates[c]) * coordinates[c];
    }
    packed[directions * panel_rows + lane] = rest;
    squared_norms[lane] = squares;
  }
  panels.set_starts(panel, {squared_norms, ids.size()}, Sketches::storing_error);
}

}  // namespace noiseplus
