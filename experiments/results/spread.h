// Several measurements of one number.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

namespace noiseplus {

struct Spread {
  std::vector<double> values;

  double mean() const {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  }

  // Of the sample; 0 of one value.
  double deviation() const {
    if (values.size() < 2) return 0;
    double sum = 0;
    for (const double value : values) sum += (value - mean()) * (value - mean());
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
  }
};

}  // namespace noiseplus
