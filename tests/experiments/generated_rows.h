// Rows in tight clusters, each of one clean class, as the experiments take them.
#pragma once

#include "experiments/known_rows.h"

namespace noiseplus::testing_support {

inline KnownRows generated_rows(std::size_t rows, double prior, std::uint64_t seed = 0) {
  GeneratorOptions options;
  options.rows = rows;
  options.positive = prior;
  options.seed = seed;
  Generated data = generate(options);
  KnownRows set{"generated", std::move(data.features), std::move(data.codes), {"-", "+"}};
  NeighbourOptions search;
  search.k = 30;
  set.graph = find_neighbours(set.rows.view(), search);
  return set;
}

}  // namespace noiseplus::testing_support
