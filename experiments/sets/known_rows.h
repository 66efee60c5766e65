// Rows whose clean labels are known, so that noise can be put in and models be judged.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "noiseplus/data.h"
#include "noiseplus/neighbors.h"

namespace noiseplus {

struct KnownRows {
  std::string name;
  Matrix rows;
  std::vector<std::int32_t> clean;
  std::vector<std::string> classes;
  std::vector<std::int32_t> groups = {};  // one a row, or empty
  std::vector<std::string> group_names = {};
  NeighborGraph graph = {};  // 30 of each row, once find_graph was called
};

// The rows of data whose labels are clean.
KnownRows known_rows(std::string name, const Dataset& dataset);

// These rows and groups with other labels, as the library takes them.
Dataset make_dataset(const KnownRows& set, std::vector<std::int32_t> codes);

// Neighbors do not change when labels do: they are found once for all noise.
void find_graph(KnownRows& set, std::uint64_t seed = 0, const Execution& execution = {});

// These rows only, in this order. Without a graph.
KnownRows chosen(const KnownRows& all, std::span<const std::uint32_t> which);

// The same number of rows of each class, or of each class in each group, drawn at random: all rows
// of the smallest part. Throws impossible when a part has no rows.
KnownRows with_equal_classes(const KnownRows& all);
KnownRows with_equal_cells(const KnownRows& all);

// Two groups in place of many: this one, and all others as "Other". In the order of their names.
// Throws data when there is no such group.
KnownRows one_group_or_other(KnownRows set, const std::string& group);

// Which rows to learn from and which to test on; both in increasing order.
struct RowSplit {
  std::vector<std::uint32_t> training, test;
};

// A fifth of the rows, drawn by the seed, is for the test.
RowSplit split_rows(std::size_t rows, std::uint64_t seed);

struct Split {
  KnownRows training, test;
};

Split split_at_random(const KnownRows& all, std::uint64_t seed);

// ------------------------------------------------------------------------------------------ noise

// e-, e+ of two classes.
struct TwoRates {
  double negative = 0, positive = 0;
};

// As a transition matrix, row = clean class.
std::vector<double> transition_of(TwoRates rates);

std::vector<std::int32_t> with_noise(const std::vector<std::int32_t>& clean, TwoRates rates,
                                     std::uint64_t seed);

// Two classes; labels of each group are turned around at its rate.
std::vector<std::int32_t> with_group_noise(const KnownRows& set, const std::vector<double>& rates,
                                           std::uint64_t seed);

// What is true of these labels: K x K, row = clean class; a class without rows keeps its labels.
std::vector<double> true_transition(std::span<const std::int32_t> clean,
                                    std::span<const std::int32_t> noisy, std::size_t classes);
// Share of each class's rows that are labeled otherwise.
std::vector<double> true_rates(std::span<const std::int32_t> clean,
                               std::span<const std::int32_t> noisy, std::size_t classes);

}  // namespace noiseplus
