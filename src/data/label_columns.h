// The labels and groups of rows, from a table's columns or from files of their own. Internal to the
// data stage.
#pragma once

#include "noiseplus/data.h"

namespace noiseplus {

// Fills the dataset's labels and groups, as far as they are asked for, from the columns of `table`
// and from the files that the request names. Without a table, groups may be columns of the csv file
// of labels. Throws usage when the request does not say where they are.
// Returns the csv file of labels, where one was read.
std::optional<Table> read_labels_and_groups(const DataRequest& request, const Table* table,
                                            const Execution& execution, Dataset& dataset);

// Labels that lie in a file without columns.
void take_labels(const std::vector<std::string>& texts, const std::string& source,
                 const DataRequest& request, Dataset& dataset);

// Labels that are in memory, for so many rows; leaves out those without one, as make_dataset says.
void take_labels(Labels labels, std::size_t rows, const DataRequest& request, Dataset& dataset);

// A csv file beside the data, or the data: what separates its cells.
std::optional<char> delimiter_for(const DataRequest& request, Format format);

// Leaves the rows without a label out of labels and groups: sets dataset.row_ids and
// missing_labels, with a warning. Throws data when no row has one. REQUIRES: a label, and where
// there are groups a group, for each row; the code of a missing one is -1.
void drop_missing_labels(const DataRequest& request, Dataset& dataset);

// Throws data, naming the file to blame, unless there is one label and one group a row.
void check_labels_and_groups(const DataRequest& request, std::size_t rows, const Dataset& dataset);

}  // namespace noiseplus
