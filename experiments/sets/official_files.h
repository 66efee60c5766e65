// Files that somebody else publishes: where they are, and what is said when one is missing or not
// what it should be. Internal to the preparation of data sets.
#pragma once

#include "experiments/sets/known_rows.h"

namespace noiseplus {

// The first of these files that is in the folder, as named or with ".gz" at its end. Throws io;
// `advice` says where it is to be had.
std::string find_file(const std::string& folder, const std::vector<std::string>& names,
                      const std::string& advice);

// As load; a column that is not there is a fault of the file, so it throws data and never usage.
Dataset load_file(const DataRequest& request, const Execution& execution);

// The column of that name. Throws data when there is none.
const Column& column_of(const Table& table, const std::string& name);

// As relabel, for classes that are known without a model.
Labels in_classes(Labels labels, const std::vector<std::string>& classes,
                  const std::string& source);

// Two files of arrays as one split. Labels and groups of the test are of the classes and the groups
// of training. Throws data when they are not, or when the columns are not as many.
Split load_split(const std::string& name, const DataRequest& training, const DataRequest& test,
                 const Execution& execution);

}  // namespace noiseplus
