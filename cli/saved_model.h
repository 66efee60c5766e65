// What predict and evaluate do alike with the file of a model.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "noiseplus/learn.h"

namespace noiseplus::cli {

void add_thresholded(CLI::App& command, bool& thresholded);

// Throws usage when the model does not answer by lot and `thresholded` asks that it shall not.
SavedModel read_saved_model(const std::string& path, bool thresholded,
                            std::optional<std::uint64_t> max_unpacked, const Execution& execution);

// Whoever takes the most likely answers of a mixture must be told; `figures` compares them with
// what is expected of the lot.
std::string threshold_warning(const SavedModel& model, const std::string& figures);

// Data that are labeled too may be of classes that the model cannot know; whoever compares must be
// told.
void warn_of_unknown_labels(const SavedModel& model, Dataset& dataset);

// Rows of groups that were not there in training, or of none: a promise of fairness is not made to
// them. Groups are those of the table where it has their columns, else the dataset's where they are
// called alike; `groups_source` is the file of these, for messages.
void warn_of_unknown_groups(const SavedModel& model, Dataset& dataset,
                            const std::string& groups_source = "");

}  // namespace noiseplus::cli
