// The real data sets beside the project, with clean labels and the neighbours of their rows.
#pragma once

#include <string>
#include <vector>

#include "noiseplus/data.h"
#include "noiseplus/neighbours.h"
#include "noiseplus/noise.h"

namespace noiseplus {

// Rows whose clean label is known. Neighbours do not change when labels do: found once.
struct RealSet {
  std::string name;
  Matrix rows;
  std::vector<std::int32_t> clean;
  std::vector<std::string> classes;
  std::vector<std::int32_t> groups = {};
  std::vector<std::string> group_names = {};
  NeighbourGraph graph = {};  // 30 of each row
};

RealSet adult();
RealSet adult_balanced();  // as many rows of each class
RealSet compas();
RealSet german();
RealSet fair_face();  // gender; groups are races
RealSet fair_face_validation();
RealSet fair_face_white_or_not();
RealSet fair_face_validation_white_or_not();
RealSet adult_by_sex();
RealSet adult_by_sex_in_equal_cells();  // as many rows of each class in each group
RealSet compas_by_race();               // African-American or not
RealSet mnist_pair(int first, int second);
RealSet mnist();
RealSet cifar10n();  // Swin probabilities; clean labels
std::vector<std::int32_t> cifar10n_human_labels();

void find_graph(RealSet& set);

struct Split {
  RealSet training, test;
};

// A fifth of the rows, drawn by the seed, is for the test.
Split split_at_random(const RealSet& all, std::uint64_t seed);

// These rows and groups with other labels.
Dataset dataset_of(const RealSet& set, std::vector<std::int32_t> codes);

// e-, e+ of two classes.
struct TwoRates {
  double negative = 0, positive = 0;
};

// The eight settings of every table.
inline constexpr TwoRates eight_settings[] = {{0, .1},  {0, .2}, {.1, .2}, {.1, .3},
                                              {.2, .4}, {.2, 0}, {.3, .1}, {.4, .2}};

std::vector<std::int32_t> with_noise(const std::vector<std::int32_t>& clean, TwoRates rates,
                                     std::uint64_t seed);

// Labels of each group turned around at its rate.
std::vector<std::int32_t> with_group_noise(const RealSet& set, const std::vector<double>& rates,
                                           std::uint64_t seed);

// What is true of these labels: share of each class's rows that are labelled otherwise.
std::vector<double> true_rates(const std::vector<std::int32_t>& clean,
                               const std::vector<std::int32_t>& noisy, std::size_t classes);

}  // namespace noiseplus
