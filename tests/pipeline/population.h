// Groups of known base rates and noise, to train fair models on.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "noiseplus/pipeline.h"
#include "support.h"

namespace noiseplus::testing_support {

struct GroupOf {
  std::string name;
  std::size_t rows;
  double base_rate, noise;
};

// Tight clusters of one class, which overlap along a line so that a linear model must err.
struct Population {
  Dataset dataset;
  std::vector<std::int32_t> clean;

  explicit Population(const std::vector<GroupOf>& of_groups) {
    std::size_t rows = 0;
    for (const GroupOf& group : of_groups) rows += group.rows;
    Matrix features(rows, 5);
    std::size_t n = 0;
    for (std::size_t z = 0; z < of_groups.size(); ++z) {
      const GroupOf& group = of_groups[z];
      const Generated data = generate({.rows = group.rows,
                                       .dimensions = 4,
                                       .rows_in_cluster = 25,
                                       .positive = group.base_rate,
                                       .separation = .5,
                                       .seed = z + 1});
      const std::vector<std::int32_t> noisy =
          with_noise(data.codes, group.noise, group.noise, z + 20);
      for (std::size_t i = 0; i < group.rows; ++i, ++n) {
        std::copy_n(data.features.row(i), 4, features.row(n));
        features.row(n)[4] = static_cast<float>(z);
        clean.push_back(data.codes[i]);
        dataset.labels.codes.push_back(noisy[i]);
        dataset.groups.codes.push_back(static_cast<std::int32_t>(z));
      }
      dataset.groups.classes.push_back(group.name);
    }
    dataset.groups.spellings = dataset.groups.classes;
    dataset.group_name = "side";
    dataset.labels.classes = dataset.labels.spellings = {"no", "yes"};
    dataset.label_name = "y";
    dataset.features = Features(std::move(features));
  }
};

inline double violation_by_clean_labels(const Population& population, const SavedModel& saved) {
  Labels labels = population.dataset.labels;
  labels.codes = population.clean;
  const Matrix shares = probabilities(saved, population.dataset.features.view());
  return evaluate(shares.view(), labels, 1, population.dataset.groups)
      .equalized_odds_violation->value;
}

}  // namespace noiseplus::testing_support
