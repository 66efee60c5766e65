#include "shared_data/real_sets.h"

#include <algorithm>
#include <numeric>

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

RealSet kept(const RealSet& all, const std::vector<char>& keep, std::string name) {
  RealSet set;
  set.name = std::move(name);
  set.classes = all.classes;
  set.rows =
      Matrix(static_cast<std::size_t>(std::count(keep.begin(), keep.end(), 1)), all.rows.columns());
  for (std::size_t n = 0; n < keep.size(); ++n) {
    if (keep[n] == 0) continue;
    std::copy_n(all.rows.row(n), all.rows.columns(), set.rows.row(set.clean.size()));
    set.clean.push_back(all.clean[n]);
  }
  return set;
}

Dataset load_adult(bool by_sex) {
  DataRequest request;
  request.path = folder + "adult/adult.csv.gz";
  request.label = "income";
  if (by_sex) request.groups = {"sex"};
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

RealSet adult() {
  return set_of("Adult", load_adult(false));
}

RealSet adult_by_sex() {
  return set_of("Adult by sex", load_adult(true));
}

RealSet adult_balanced() {
  const RealSet all = adult();
  std::vector<std::uint32_t> order(all.clean.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [](std::uint32_t a, std::uint32_t b) {
    return hash(1, Stream::resample, a) < hash(1, Stream::resample, b);
  });
  const auto rarest =
      static_cast<std::size_t>(std::min(std::count(all.clean.begin(), all.clean.end(), 0),
                                        std::count(all.clean.begin(), all.clean.end(), 1)));
  std::vector<char> keep(all.clean.size());
  std::size_t taken[2] = {0, 0};
  for (const std::uint32_t n : order) {
    if (taken[all.clean[n]]++ < rarest) keep[n] = 1;
  }
  return kept(all, keep, "Adult balanced");
}

RealSet compas() {
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
  return set_of("COMPAS", load(request));
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
  RealSet set = fair_face();
  const auto white = static_cast<std::int32_t>(
      std::find(set.group_names.begin(), set.group_names.end(), "White") - set.group_names.begin());
  for (std::int32_t& group : set.groups) group = group == white ? 1 : 0;
  set.group_names = {"Other", "White"};
  return set;
}

RealSet mnist() {
  DataRequest request;
  request.path = folder + "mnist/train-images-idx3-ubyte.gz";
  request.labels_path = folder + "mnist/train-labels-idx1-ubyte.gz";
  return set_of("MNIST", load(request));
}

RealSet mnist_pair(int first, int second) {
  static const RealSet all = mnist();
  std::vector<char> keep(all.clean.size());
  for (std::size_t n = 0; n < keep.size(); ++n) {
    keep[n] = all.clean[n] == first || all.clean[n] == second ? 1 : 0;
  }
  RealSet set = kept(all, keep, "MNIST " + std::to_string(first) + "/" + std::to_string(second));
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
