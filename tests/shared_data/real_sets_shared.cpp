#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

const std::string folder = "../shared/data/";

RealSet named(RealSet set, const std::string& name) {
  set.name = name;
  return set;
}

RealSet table(const std::string& name, const std::string& file, const std::string& label,
              const std::vector<std::string>& groups) {
  DataRequest request;
  request.path = folder + file;
  request.label = label;
  request.groups = groups;
  return known_rows(name, load(request));
}

}  // namespace

RealSet adult() {
  return read_adult(folder + "adult");
}

RealSet adult_balanced() {
  return named(with_equal_classes(adult()), "Adult balanced");
}

RealSet adult_by_sex() {
  return named(adult(), "Adult by sex");
}

RealSet adult_by_sex_in_equal_cells() {
  return named(with_equal_cells(adult()), "Adult by sex, equal cells");
}

RealSet compas() {
  return read_compas(folder + "compas");
}

RealSet compas_by_race() {
  return named(one_group_or_other(compas(), "African-American"), "COMPAS by race");
}

RealSet german() {
  return table("German", "german/german.csv", "credit", {});
}

RealSet german_by_sex() {
  return table("German by sex", "german/german.csv", "credit", {"sex"});
}

RealSet credit() {
  return table("Credit", "credit/credit-card-clients.csv.gz", "default payment", {"SEX"});
}

RealSet bank() {
  return table("Bank", "bank/bank-full.csv.gz", "y", {"marital"});
}

Split fair_face() {
  return read_fairface(folder + "fairface");
}

Split fair_face_white_or_not() {
  Split faces = fair_face();
  return {one_group_or_other(std::move(faces.training), "White"),
          one_group_or_other(std::move(faces.test), "White")};
}

// Of whole numbers, so that distances tie as they always did here.
RealSet mnist() {
  DataRequest request;
  request.path = folder + "mnist/train-images-idx3-ubyte.gz";
  request.labels_path = folder + "mnist/train-labels-idx1-ubyte.gz";
  return known_rows("MNIST", load(request));
}

RealSet mnist_pair(int first, int second) {
  static const RealSet all = mnist();
  std::vector<std::uint32_t> which;
  for (std::uint32_t n = 0; n < all.clean.size(); ++n) {
    if (all.clean[n] == first || all.clean[n] == second) which.push_back(n);
  }
  RealSet set = chosen(all, which);
  set.name = "MNIST " + std::to_string(first) + "/" + std::to_string(second);
  for (std::int32_t& code : set.clean) code = code == second ? 1 : 0;
  set.classes = {std::to_string(first), std::to_string(second)};
  return set;
}

HumanLabels cifar10n() {
  return read_cifar10n(folder + "cifar10n");
}

}  // namespace noiseplus
