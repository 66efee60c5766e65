#include "fair/multipliers.h"

#include "core/portable_math.h"

namespace noiseplus {
namespace {

// Prices are of the order of a tenth where a constraint costs accuracy, and begin well below.
constexpr double first = 0.02;
constexpr double highest_sum = 10;
constexpr double rate = 2;

}  // namespace

Multipliers::Multipliers(std::size_t excesses) : logs_(2 * excesses, portable::log(first)) {}

std::vector<double> Multipliers::prices() const {
  std::vector<double> prices(logs_.size() / 2);
  for (std::size_t i = 0; i < prices.size(); ++i) {
    prices[i] = portable::exp(logs_[2 * i]) - portable::exp(logs_[2 * i + 1]);
  }
  return prices;
}

void Multipliers::answer(const std::vector<double>& excess, double tolerance) {
  double sum = 0;
  for (std::size_t i = 0; i < excess.size(); ++i) {
    logs_[2 * i] += rate * (excess[i] - tolerance);
    logs_[2 * i + 1] += rate * (-excess[i] - tolerance);
    sum += portable::exp(logs_[2 * i]) + portable::exp(logs_[2 * i + 1]);
  }
  if (sum <= highest_sum) return;
  for (double& log : logs_) log += portable::log(highest_sum / sum);
}

}  // namespace noiseplus
