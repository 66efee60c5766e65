// Rows in tight clusters, each of one clean class, as the experiments take them.
#pragma once

#include "experiments/methods/gap_curve.h"
#include "experiments/results/spread.h"

namespace noiseplus::testing_support {

inline KnownRows generated_rows(std::size_t rows, double prior, std::uint64_t seed = 0) {
  GeneratorOptions options;
  options.rows = rows;
  options.positive = prior;
  options.seed = seed;
  Generated data = generate(options);
  KnownRows set{"generated", std::move(data.features), std::move(data.codes), {"-", "+"}};
  find_graph(set);
  return set;
}

// One curve a seed, to one entry an epsilon.
inline std::vector<MeanGap> over_seeds(const std::vector<std::vector<double>>& curves) {
  std::vector<MeanGap> means;
  for (std::size_t i = 0; i < curves[0].size(); ++i) {
    Spread spread;
    for (const std::vector<double>& curve : curves) spread.values.push_back(curve[i]);
    means.push_back({spread.mean(), spread.deviation()});
  }
  return means;
}

}  // namespace noiseplus::testing_support
