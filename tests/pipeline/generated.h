// Clusterable data with known noise, as an audit reads them.
#pragma once

#include <utility>

#include "noiseplus/data.h"
#include "support.h"

namespace noiseplus::testing_support {

inline Dataset generated(double prior, double e_positive, double e_negative,
                         std::size_t rows = 4000, std::uint64_t seed = 0) {
  GeneratorOptions options;
  options.rows = rows;
  options.positive = prior;
  options.seed = seed;
  Generated data = generate(options);
  Dataset dataset;
  dataset.labels.codes = with_noise(data.codes, e_positive, e_negative, seed + 8);
  dataset.labels.classes = dataset.labels.spellings = {"no", "yes"};
  dataset.label_name = "y";
  dataset.features = Features(std::move(data.features));
  return dataset;
}

}  // namespace noiseplus::testing_support
