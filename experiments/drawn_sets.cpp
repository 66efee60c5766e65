#include "experiments/drawn_sets.h"

#include <fmt/format.h>

#include <filesystem>

#include "experiments/methods/cells.h"
#include "experiments/methods/human_noise.h"

namespace noiseplus {
namespace {

// cifar10 and cifar10n are the same images.
std::string folder_of(const SetFolders& folders, const std::string& dataset) {
  return folders.data + '/' + (dataset == "cifar10" ? "cifar10n" : dataset);
}

std::string own_features(const SetFolders& folders, const std::string& dataset) {
  const auto found = folders.features.find(dataset);
  return found == folders.features.end() ? "" : found->second;
}

std::string source_of(const std::string& dataset) {
  if (dataset == "adult") return "the UCI Machine Learning Repository";
  if (dataset == "compas") return "ProPublica's compas-analysis";
  if (dataset == "fairface") return "FairFace, with features of its images";
  if (dataset == "mnist") return "the MNIST database";
  if (dataset == "clothing1m") return "the authors of Clothing1M, with features of its images";
  return "CIFAR-10N, with features of its images";
}

std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::string described(const PreparedSet& set, const std::string& note) {
  const Matrix& rows = set.published ? set.published->training.rows : set.all.rows;
  std::string text = with_commas(rows.rows()) + " rows";
  text += set.published ? fmt::format(" to learn from and {} to test on, as published",
                                      with_commas(set.published->test.rows.rows()))
                        : ", a fifth of them, drawn by the seed, to test on";
  if (!note.empty()) text += "; " + note;
  return text + fmt::format("; {} columns.", rows.columns());
}

std::uint64_t fingerprint_of(const PreparedSet& set) {
  std::uint64_t print = fingerprint(set.published ? set.published->training : set.all);
  if (set.published) {
    print = fingerprint(print, std::to_string(fingerprint(set.published->test)));
  }
  for (const GivenCodes& given : set.given) print = fingerprint(print, given.codes);
  return print;
}

// Two groups in place of the seven races, in the table of groups.
Split white_or_not(Split all) {
  return {one_group_or_other(std::move(all.training), "White"),
          one_group_or_other(std::move(all.test), "White")};
}

// Two digits that look alike.
KnownRows threes_and_eights(const KnownRows& all) {
  constexpr std::int32_t first = 3, second = 8;
  std::vector<std::uint32_t> which;
  for (std::size_t n = 0; n < all.clean.size(); ++n) {
    if (all.clean[n] == first || all.clean[n] == second) {
      which.push_back(static_cast<std::uint32_t>(n));
    }
  }
  KnownRows pair = chosen(all, which);
  for (std::int32_t& code : pair.clean) code = code == second ? 1 : 0;
  pair.classes = {"3", "8"};
  return pair;
}

// Reads the rows; the figure has two classes, equally frequent as the paper's theorem asks. Returns
// what is to be said of them beyond their number.
std::string read_rows(PreparedSet& set, const SetFolders& folders, const Execution& execution) {
  const std::string folder = folder_of(folders, set.dataset);
  const std::string own = own_features(folders, set.dataset);
  if (set.dataset == "adult") {
    const KnownRows adult = read_adult(folder, execution);
    const bool by_cell = set.table == "table4";
    set.all = by_cell ? with_equal_cells(adult) : with_equal_classes(adult);
    return by_cell ? "as many of each class in each group (sex)" : "as many of each class";
  }
  if (set.dataset == "compas") {
    set.all = one_group_or_other(read_compas(folder, execution), "African-American");
    return set.table == "table4" ? "groups: African-American or not" : "";
  }
  if (set.dataset == "fairface") {
    Split faces = white_or_not(read_fairface(folder, execution));
    if (set.table == "figure-gap") faces.training = with_equal_classes(faces.training);
    set.published = std::make_shared<Split>(std::move(faces));
    return set.table == "table4" ? "groups: White or not" : "";
  }
  if (set.dataset == "mnist") {
    Split mnist = read_mnist(folder, execution);
    if (set.table == "figure-gap") {
      mnist = {with_equal_classes(threes_and_eights(mnist.training)), {}};
    }
    set.published = std::make_shared<Split>(std::move(mnist));
    return "";
  }
  if (set.dataset == "clothing1m") {
    set.published = std::make_shared<Split>(read_embeddings(own.empty() ? folder : own, execution));
    set.given = {{"given", set.published->training.clean}};
    return "";
  }
  HumanLabels human = read_cifar10n(folder, own, execution);
  set.all = std::move(human.rows);
  set.given = std::move(human.given);
  return own.empty() ? "features are class probabilities of a Swin network" : "features as given";
}

// Of the rows of the split: somebody's labels.
std::vector<std::int32_t> codes_of(std::span<const std::int32_t> all,
                                   std::span<const std::uint32_t> which) {
  std::vector<std::int32_t> codes;
  codes.reserve(which.size());
  for (const std::uint32_t n : which) codes.push_back(all[n]);
  return codes;
}

}  // namespace

bool is_there(const SetFolders& folders, const std::string& dataset) {
  if (dataset == "clothing1m" && folders.features.contains(dataset)) return true;
  const std::string folder = folder_of(folders, dataset);
  std::error_code error;
  const auto type = std::filesystem::status(folder, error).type();
  if (type == std::filesystem::file_type::none) {
    throw Error(ErrorKind::io, folder + ": cannot look at it: " + error.message());
  }
  return type == std::filesystem::file_type::directory;
}

std::string where_to_get(const SetFolders& folders, const std::string& dataset) {
  return folder_of(folders, dataset) + ", from " + source_of(dataset);
}

PreparedSet prepare(const std::string& table, const std::string& dataset, const SetFolders& folders,
                    const Execution& execution) {
  PreparedSet set;
  set.table = table;
  set.dataset = dataset;
  const std::string note = read_rows(set, folders, execution);
  set.description = described(set, note);
  set.fingerprint = fingerprint_of(set);
  return set;
}

DrawnSet draw(const PreparedSet& set, std::uint64_t seed, const Execution& execution) {
  DrawnSet drawn;
  std::shared_ptr<Split> rows = set.published;
  if (rows) {
    for (const GivenCodes& given : set.given) drawn.given[given.name] = given.codes;
  } else {
    const RowSplit which = split_rows(set.all.clean.size(), seed);
    rows = std::make_shared<Split>(
        Split{chosen(set.all, which.training), chosen(set.all, which.test)});
    for (const GivenCodes& given : set.given) {
      drawn.given[given.name] = codes_of(given.codes, which.training);
    }
  }
  if (set.table == "table4") {
    drawn.groups = std::make_shared<const FairSet>(fair_set(*rows, seed, execution));
  } else if (rows->training.clean.size() <= rows_for_all_neighbors) {
    find_graph(rows->training, seed, execution);
  }
  drawn.rows = std::move(rows);
  return drawn;
}

}  // namespace noiseplus
