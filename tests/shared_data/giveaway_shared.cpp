#include <gtest/gtest.h>

#include "noiseplus/noise.h"
#include "shared_data/real_sets.h"

namespace noiseplus {
namespace {

const std::string data_folder = "../shared/data/";

// As given, and with 1 and 5 % noise: labels of real sets are no function of a few columns.
void expect_no_giveaway(Dataset dataset) {
  const std::vector<std::int32_t> given = dataset.labels.codes;
  const std::size_t classes = dataset.labels.classes.size();
  for (const double noise : {0.0, .01, .05}) {
    dataset.labels.codes =
        draw_labels(given, classes, symmetric_transition(classes, noise), 1, Stream::corrupt);
    const std::optional<Giveaway> found = find_giveaway(dataset);
    EXPECT_FALSE(found) << dataset.source << ", noise " << noise << ": " << found->columns.front();
  }
}

Dataset read(const std::string& path, const std::string& label, const std::string& labels = "") {
  DataRequest request;
  request.path = data_folder + path;
  request.label = label;
  if (!labels.empty()) request.labels_path = data_folder + labels;
  request.missing = {"?"};
  return load(request);
}

TEST(GiveawayShared, TablesGiveNothingAway) {
  expect_no_giveaway(read("adult/adult.csv.gz", "income"));
  expect_no_giveaway(read("bank/bank-full.csv.gz", "y"));
  expect_no_giveaway(read("compas/compas-scores-two-years.csv.gz", "two_year_recid"));
  expect_no_giveaway(read("credit/credit-card-clients.csv.gz", "default payment"));
  expect_no_giveaway(read("german/german.csv", "credit"));
}

TEST(GiveawayShared, ArraysGiveNothingAway) {
  expect_no_giveaway(read("fairface/train_features.npy", "gender", "fairface/train_labels.csv"));
  expect_no_giveaway(
      read("mnist/train-images-idx3-ubyte.gz", "", "mnist/train-labels-idx1-ubyte.gz"));
  for (const char* label : {"clean_label", "aggre_label"}) {
    expect_no_giveaway(
        read("cifar10n/aggre_swin_probabilities.npy", label, "cifar10n/cifar10n_labels.csv.gz"));
  }
}

}  // namespace
}  // namespace noiseplus
