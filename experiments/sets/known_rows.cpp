#include "experiments/sets/known_rows.h"

#include <algorithm>
#include <numeric>

#include "learn/held_out.h"

namespace noiseplus {
namespace {

// What the rows are divided into, so that as many of each part can be drawn.
struct Parts {
  std::vector<std::size_t> of_row;
  std::vector<std::string> names;
};

std::vector<std::uint32_t> shuffled_rows(std::size_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [](std::uint32_t a, std::uint32_t b) {
    return hash(1, Stream::resample, a) < hash(1, Stream::resample, b);
  });
  return order;
}

std::size_t rows_of_smallest(const Parts& parts, const std::string& set_name) {
  std::vector<std::size_t> rows(parts.names.size());
  for (const std::size_t part : parts.of_row) ++rows[part];
  const auto smallest = std::min_element(rows.begin(), rows.end());
  if (*smallest > 0) return *smallest;
  const std::string& name = parts.names[static_cast<std::size_t>(smallest - rows.begin())];
  throw Error(ErrorKind::impossible,
              set_name + ": no rows of " + name + ", so that as many of each part would be none");
}

KnownRows with_equal_parts(const KnownRows& all, const Parts& parts) {
  const std::size_t wanted = rows_of_smallest(parts, all.name);
  std::vector<std::size_t> taken(parts.names.size());
  std::vector<std::uint32_t> which;
  for (const std::uint32_t n : shuffled_rows(parts.of_row.size())) {
    if (taken[parts.of_row[n]]++ < wanted) which.push_back(n);
  }
  std::sort(which.begin(), which.end());
  return chosen(all, which);
}

// How many rows of each clean class have each label; row = clean class.
std::vector<std::size_t> count_labels(std::span<const std::int32_t> clean,
                                      std::span<const std::int32_t> noisy, std::size_t classes) {
  std::vector<std::size_t> counts(classes * classes);
  for (std::size_t n = 0; n < clean.size(); ++n) {
    ++counts[static_cast<std::size_t>(clean[n]) * classes + static_cast<std::size_t>(noisy[n])];
  }
  return counts;
}

std::size_t rows_of_class(std::span<const std::size_t> counts, std::size_t c, std::size_t classes) {
  const auto row = counts.subspan(c * classes, classes);
  return std::accumulate(row.begin(), row.end(), std::size_t{0});
}

double ratio(std::size_t part, std::size_t all) {
  return static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

KnownRows known_rows(std::string name, const Dataset& dataset) {
  KnownRows set;
  set.name = std::move(name);
  Matrix buffer;
  const MatrixView rows = dataset.features.view().floats(buffer);
  set.rows = Matrix(rows.rows, rows.columns);
  std::copy_n(rows.data, rows.rows * rows.columns, set.rows.row(0));
  set.clean = dataset.labels.codes;
  set.classes = dataset.labels.classes;
  set.groups = dataset.groups.codes;
  set.group_names = dataset.groups.classes;
  return set;
}

Dataset make_dataset(const KnownRows& set, std::vector<std::int32_t> codes) {
  Dataset dataset;
  dataset.features = Features(Matrix(set.rows));
  dataset.labels = {std::move(codes), set.classes, set.classes};
  dataset.label_name = "y";
  dataset.groups = {set.groups, set.group_names, set.group_names};
  dataset.group_name = "z";
  return dataset;
}

void find_graph(KnownRows& set, std::uint64_t seed, const Execution& execution) {
  NeighborOptions options;
  options.k = 30;
  options.seed = seed;
  set.graph = find_neighbors(set.rows.view(), options, execution);
}

KnownRows chosen(const KnownRows& all, std::span<const std::uint32_t> which) {
  KnownRows set;
  set.name = all.name;
  set.classes = all.classes;
  set.group_names = all.group_names;
  set.rows = gather(all.rows.view(), which);
  for (const std::uint32_t n : which) {
    set.clean.push_back(all.clean[n]);
    if (!all.groups.empty()) set.groups.push_back(all.groups[n]);
  }
  return set;
}

KnownRows with_equal_classes(const KnownRows& all) {
  return with_equal_parts(all, {{all.clean.begin(), all.clean.end()}, all.classes});
}

KnownRows with_equal_cells(const KnownRows& all) {
  Parts cells;
  for (const std::string& group : all.group_names) {
    for (const std::string& name : all.classes) cells.names.push_back(name + " in " + group);
  }
  for (std::size_t n = 0; n < all.clean.size(); ++n) {
    const auto group = static_cast<std::size_t>(all.groups[n]);
    cells.of_row.push_back(group * all.classes.size() + static_cast<std::size_t>(all.clean[n]));
  }
  return with_equal_parts(all, cells);
}

KnownRows one_group_or_other(KnownRows set, const std::string& group) {
  const auto found = std::find(set.group_names.begin(), set.group_names.end(), group);
  if (found == set.group_names.end()) {
    throw Error(ErrorKind::data, set.name + ": no rows of the group '" + group + "'");
  }
  const auto code = static_cast<std::int32_t>(found - set.group_names.begin());
  const std::string other = "Other";
  const std::int32_t own = group < other ? 0 : 1;
  for (std::int32_t& of_row : set.groups) of_row = of_row == code ? own : 1 - own;
  set.group_names = {std::min(group, other), std::max(group, other)};
  return set;
}

RowSplit split_rows(std::size_t rows, std::uint64_t seed) {
  RowSplit split;
  split.test = sample_rows(rows, rows / 5, seed, Stream::split);
  auto test = split.test.begin();
  for (std::uint32_t n = 0; n < rows; ++n) {
    if (test != split.test.end() && *test == n) {
      ++test;
    } else {
      split.training.push_back(n);
    }
  }
  return split;
}

Split split_at_random(const KnownRows& all, std::uint64_t seed) {
  const RowSplit split = split_rows(all.clean.size(), seed);
  return {chosen(all, split.training), chosen(all, split.test)};
}

std::vector<double> transition_of(TwoRates rates) {
  return {1 - rates.negative, rates.negative, rates.positive, 1 - rates.positive};
}

std::vector<std::int32_t> with_noise(const std::vector<std::int32_t>& clean, TwoRates rates,
                                     std::uint64_t seed) {
  return draw_labels(clean, 2, transition_of(rates), seed, Stream::corrupt);
}

std::vector<std::int32_t> with_group_noise(const KnownRows& set, const std::vector<double>& rates,
                                           std::uint64_t seed) {
  std::vector<double> matrices;
  for (const double rate : rates) {
    const std::vector<double> matrix = symmetric_transition(2, rate);
    matrices.insert(matrices.end(), matrix.begin(), matrix.end());
  }
  return draw_labels(set.clean, set.groups, 2, matrices, seed, Stream::corrupt);
}

std::vector<double> true_transition(std::span<const std::int32_t> clean,
                                    std::span<const std::int32_t> noisy, std::size_t classes) {
  const std::vector<std::size_t> counts = count_labels(clean, noisy, classes);
  std::vector<double> transition(classes * classes);
  for (std::size_t c = 0; c < classes; ++c) {
    const std::size_t rows = rows_of_class(counts, c, classes);
    for (std::size_t given = 0; given < classes; ++given) {
      const std::size_t cell = c * classes + given;
      transition[cell] = rows == 0 ? (given == c ? 1 : 0) : ratio(counts[cell], rows);
    }
  }
  return transition;
}

std::vector<double> true_rates(std::span<const std::int32_t> clean,
                               std::span<const std::int32_t> noisy, std::size_t classes) {
  const std::vector<std::size_t> counts = count_labels(clean, noisy, classes);
  std::vector<double> rates(classes);
  for (std::size_t c = 0; c < classes; ++c) {
    const std::size_t rows = rows_of_class(counts, c, classes);
    if (rows > 0) rates[c] = ratio(rows - counts[c * classes + c], rows);
  }
  return rates;
}

}  // namespace noiseplus
