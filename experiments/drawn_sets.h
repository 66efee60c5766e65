// The data sets as the tables use them: where they are, how they are split for each seed, and what
// is to be said of them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "experiments/methods/fair_case.h"
#include "experiments/sets/prepare.h"

namespace noiseplus {

// DIR/adult, DIR/compas, DIR/fairface, DIR/mnist, DIR/cifar10n (of cifar10 too), DIR/clothing1m.
struct SetFolders {
  std::string data;
  // Other features: of cifar10 and cifar10n an npy file, of clothing1m a folder.
  std::map<std::string, std::string> features = {};
};

// Throws io when that cannot be found out.
bool is_there(const SetFolders& folders, const std::string& dataset);

// "DIR/adult, from the UCI Machine Learning Repository": for messages.
std::string where_to_get(const SetFolders& folders, const std::string& dataset);

// A data set as one table uses it.
struct PreparedSet {
  std::string table, dataset;
  std::string description;                // "23,374 rows, as many of each class; ..."
  std::uint64_t fingerprint = 0;          // of its rows and labels
  KnownRows all;                          // where it is split at random ...
  std::shared_ptr<Split> published = {};  // ... and where it is split as published; then none
  std::vector<GivenCodes> given = {};     // people's labels of `all`, or of the training rows
};

// Throws as the preparers do.
PreparedSet prepare(const std::string& table, const std::string& dataset, const SetFolders& folders,
                    const Execution& execution = {});

// Rows of one seed, with the neighbors that the table needs: ties are broken by the seed.
struct DrawnSet {
  std::shared_ptr<const Split> rows;
  std::shared_ptr<const FairSet> groups = {};                   // table 4
  std::map<std::string, std::vector<std::int32_t>> given = {};  // of the training rows
};

// Takes the place of the draw before: of rows that are split as published only one has its graph.
DrawnSet draw(const PreparedSet& set, std::uint64_t seed, const Execution& execution = {});

}  // namespace noiseplus
