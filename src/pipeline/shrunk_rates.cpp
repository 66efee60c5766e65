#include "pipeline/shrunk_rates.h"

#include <algorithm>

#include "core/intervals.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

constexpr double min_rate_error = 1e-3;  // no rate is known better, however narrow its interval

double rate_error(const EstimateWithInterval& rate) {
  const double half = std::max(rate.high - rate.value, (rate.high - rate.low) / 2);
  return std::max(half / usual_quantile, min_rate_error);
}

// Row `i` of T with another rate; errors keep their proportions.
void set_rate(std::span<double> row, std::size_t i, double rate) {
  const double old_rate = 1 - row[i];
  for (std::size_t j = 0; j < row.size(); ++j) {
    if (j == i) continue;
    row[j] = old_rate > 0 ? row[j] * rate / old_rate : rate / static_cast<double>(row.size() - 1);
  }
  row[i] = 1 - rate;
}

}  // namespace

NoiseEstimate shrink_rates(const NoiseEstimate& estimate, std::span<const std::int32_t> codes) {
  const std::size_t classes = estimate.noise.size();
  double weights = 0, squares = 0, mean = 0;
  for (const EstimateWithInterval& rate : estimate.noise) {
    const double weight = 1 / (rate_error(rate) * rate_error(rate));
    weights += weight;
    squares += weight * weight;
    mean += weight * rate.value;
  }
  mean /= weights;
  double spread = 0;
  for (const EstimateWithInterval& rate : estimate.noise) {
    const double off = (rate.value - mean) / rate_error(rate);
    spread += off * off;
  }
  const double between =
      std::max(spread - static_cast<double>(classes - 1), 0.0) / (weights - squares / weights);
  NoiseEstimate shrunk = estimate;
  for (std::size_t i = 0; i < classes; ++i) {
    const double error = rate_error(estimate.noise[i]);
    const double kept = between / (between + error * error);
    const double rate = mean + kept * (estimate.noise[i].value - mean);
    set_rate({shrunk.transition.data() + i * classes, classes}, i, std::clamp(rate, 0.0, 1.0));
  }
  const std::vector<double> prior = prior_behind(shrunk.transition, label_shares(codes, classes));
  if (prior.empty()) return estimate;
  shrunk.prior = prior;
  return shrunk;
}

Matrix posterior_behind(MatrixView probabilities, const NoiseEstimate& estimate) {
  // A class that noise alone explains keeps a little, in proportion, so that no two rows tie.
  constexpr double min_kept = .05, min_share = .01;
  const std::vector<double>& t = estimate.transition;
  const double kept = std::max(t[0] + t[3] - 1, min_kept);
  Matrix posterior(probabilities.rows, 2);
  for (std::size_t n = 0; n < probabilities.rows; ++n) {
    const auto p0 = static_cast<double>(probabilities.row(n)[0]);
    const auto p1 = static_cast<double>(probabilities.row(n)[1]);
    const double h0 = std::max((p0 - t[2]) / kept, min_share * p0);
    const double h1 = std::max((p1 - t[1]) / kept, min_share * p1);
    posterior.row(n)[0] = static_cast<float>(h0 / (h0 + h1));
    posterior.row(n)[1] = static_cast<float>(h1 / (h0 + h1));
  }
  return posterior;
}

}  // namespace noiseplus
