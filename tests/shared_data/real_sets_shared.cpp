#include "shared_data/real_sets.h"

#include <algorithm>
#include <numeric>

#include "learn/held_out.h"

namespace noiseplus {
namespace {

const std::string folder = "../shared/data/";

RealSet set_of(std::string name, Dataset dataset) {
  RealSet set;
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

RealSet chosen(const RealSet& all, const std::vector<std::uint32_t>& which, std::string name) {
  RealSet set;
  set.name = std::move(name);
  set.classes = all.classes;
  set.group_names = all.group_names;
  set.rows = gather(all.rows.view(), which);
  for (const std::uint32_t n : which) {
    set.clean.push_back(all.clean[n]);
    if (!all.groups.empty()) set.groups.push_back(all.groups[n]);
  }
  return set;
}

// The same number of rows of each part, drawn at random: all of the smallest.
RealSet in_equal_parts(const RealSet& all, const std::vector<std::size_t>& part_of_row,
                       std::string name) {
  std::vector<std::uint32_t> order(part_of_row.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [](std::uint32_t a, std::uint32_t b) {
    return hash(1, Stream::resample, a) < hash(1, Stream::resample, b);
  });
  std::vector<std::size_t> rows(*std::max_element(part_of_row.begin(), part_of_row.end()) + 1);
  for (const std::size_t part : part_of_row) ++rows[part];
  const std::size_t rarest = *std::min_element(rows.begin(), rows.end());
  std::vector<std::size_t> taken(rows.size());
  std::vector<std::uint32_t> which;
  for (const std::uint32_t n : order) {
    if (taken[part_of_row[n]]++ < rarest) which.push_back(n);
  }
  std::sort(which.begin(), which.end());
  return chosen(all, which, std::move(name));
}

// Two groups: this one, and all others, in the order of their names.
RealSet one_or_other(RealSet set, const std::string& group) {
  const auto code = static_cast<std::int32_t>(
      std::find(set.group_names.begin(), set.group_names.end(), group) - set.group_names.begin());
  const std::int32_t own = group < "Other" ? 0 : 1;
  for (std::int32_t& of_row : set.groups) of_row = of_row == code ? own : 1 - own;
  set.group_names = {std::min<std::string>(group, "Other"), std::max<std::string>(group, "Other")};
  return set;
}

Dataset load_adult(bool by_sex) {
  DataRequest request;
  request.path = folder + "adult/adult.csv.gz";
  request.label = "income";
  if (by_sex) request.groups = {"sex"};
  return load(request);
}

Dataset load_compas(bool by_race) {
  DataRequest request;
  request.path = folder + "compas/compas-scores-two-years.csv.gz";
  request.label = "two_year_recid";
  request.features = {"sex",
                      "age",
                      "age_cat",
                      "race",
                      "juv_fel_count",
                      "juv_misd_count",
                      "juv_other_count",
                      "priors_count",
                      "c_charge_degree"};
  if (by_race) request.groups = {"race"};
  return load(request);
}

Dataset load_fair_face(const std::string& part) {
  DataRequest request;
  request.path = folder + "fairface/" + part + "_features.npy";
  request.labels_path = folder + "fairface/" + part + "_labels.csv";
  request.label = "gender";
  request.groups_path = request.labels_path;
  request.groups = {"race"};
  return load(request);
}

}  // namespace

void find_graph(RealSet& set) {
  NeighbourOptions options;
  options.k = 30;
  set.graph = find_neighbours(set.rows.view(), options);
}

Split split_at_random(const RealSet& all, std::uint64_t seed) {
  std::vector<std::uint32_t> parts[2];
  for (std::size_t n = 0; n < all.clean.size(); ++n) {
    parts[uniform(seed, Stream::split, n) < .2 ? 1 : 0].push_back(static_cast<std::uint32_t>(n));
  }
  return {chosen(all, parts[0], all.name), chosen(all, parts[1], all.name)};
}

Dataset dataset_of(const RealSet& set, std::vector<std::int32_t> codes) {
  Dataset dataset;
  Matrix rows(set.rows.rows(), set.rows.columns());
  std::copy_n(set.rows.row(0), rows.rows() * rows.columns(), rows.row(0));
  dataset.features = Features(std::move(rows));
  dataset.labels = {std::move(codes), set.classes, set.classes};
  dataset.label_name = "y";
  dataset.groups = {set.groups, set.group_names, set.group_names};
  dataset.group_name = "z";
  return dataset;
}

RealSet adult() {
  return set_of("Adult", load_adult(false));
}

RealSet adult_by_sex() {
  return set_of("Adult by sex", load_adult(true));
}

RealSet adult_balanced() {
  const RealSet all = adult();
  return in_equal_parts(all, {all.clean.begin(), all.clean.end()}, "Adult balanced");
}

RealSet adult_by_sex_in_equal_cells() {
  const RealSet all = adult_by_sex();
  std::vector<std::size_t> cells;
  for (std::size_t n = 0; n < all.clean.size(); ++n) {
    cells.push_back(static_cast<std::size_t>(2 * all.groups[n] + all.clean[n]));
  }
  return in_equal_parts(all, cells, "Adult by sex, equal cells");
}

RealSet compas() {
  return set_of("COMPAS", load_compas(false));
}

RealSet compas_by_race() {
  return one_or_other(set_of("COMPAS by race", load_compas(true)), "African-American");
}

RealSet german() {
  DataRequest request;
  request.path = folder + "german/german.csv";
  request.label = "credit";
  return set_of("German", load(request));
}

RealSet fair_face() {
  return set_of("FairFace", load_fair_face("train"));
}

RealSet fair_face_validation() {
  return set_of("FairFace", load_fair_face("val"));
}

RealSet fair_face_white_or_not() {
  return one_or_other(fair_face(), "White");
}

RealSet fair_face_validation_white_or_not() {
  return one_or_other(fair_face_validation(), "White");
}

RealSet mnist() {
  DataRequest request;
  request.path = folder + "mnist/train-images-idx3-ubyte.gz";
  request.labels_path = folder + "mnist/train-labels-idx1-ubyte.gz";
  return set_of("MNIST", load(request));
}

RealSet mnist_pair(int first, int second) {
  static const RealSet all = mnist();
  std::vector<std::uint32_t> which;
  for (std::size_t n = 0; n < all.clean.size(); ++n) {
    if (all.clean[n] == first || all.clean[n] == second) {
      which.push_back(static_cast<std::uint32_t>(n));
    }
  }
  RealSet set = chosen(all, which, "MNIST " + std::to_string(first) + "/" + std::to_string(second));
  for (std::int32_t& code : set.clean) code = code == second ? 1 : 0;
  set.classes = {std::to_string(first), std::to_string(second)};
  return set;
}

RealSet cifar10n() {
  DataRequest request;
  request.path = folder + "cifar10n/aggre_swin_probabilities.npy";
  request.labels_path = folder + "cifar10n/cifar10n_labels.csv.gz";
  request.label = "clean_label";
  return set_of("CIFAR-10N", load(request));
}

std::vector<std::int32_t> cifar10n_human_labels() {
  DataRequest request;
  request.path = folder + "cifar10n/aggre_swin_probabilities.npy";
  request.labels_path = folder + "cifar10n/cifar10n_labels.csv.gz";
  request.label = "aggre_label";
  return load(request).labels.codes;
}

std::vector<std::int32_t> with_noise(const std::vector<std::int32_t>& clean, TwoRates rates,
                                     std::uint64_t seed) {
  const double matrix[] = {1 - rates.negative, rates.negative, rates.positive, 1 - rates.positive};
  return draw_labels(clean, 2, matrix, seed, Stream::corrupt);
}

std::vector<std::int32_t> with_group_noise(const RealSet& set, const std::vector<double>& rates,
                                           std::uint64_t seed) {
  std::vector<double> matrices;
  for (const double rate : rates) {
    const std::vector<double> matrix = symmetric_transition(2, rate);
    matrices.insert(matrices.end(), matrix.begin(), matrix.end());
  }
  return draw_labels(set.clean, set.groups, 2, matrices, seed, Stream::corrupt);
}

std::vector<double> true_rates(const std::vector<std::int32_t>& clean,
                               const std::vector<std::int32_t>& noisy, std::size_t classes) {
  std::vector<double> rows(classes), wrong(classes);
  for (std::size_t n = 0; n < clean.size(); ++n) {
    rows[static_cast<std::size_t>(clean[n])] += 1;
    wrong[static_cast<std::size_t>(clean[n])] += clean[n] != noisy[n] ? 1 : 0;
  }
  for (std::size_t c = 0; c < classes; ++c) wrong[c] /= rows[c];
  return wrong;
}

}  // namespace noiseplus
