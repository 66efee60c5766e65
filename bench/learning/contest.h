// Our side of the contest of trainers: each function times one kind of work on rows in memory and
// describes it as JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "noiseplus/learn.h"

namespace noiseplus::bench {

using Json = nlohmann::ordered_json;

struct LabeledRows {
  Matrix rows;
  std::vector<std::int32_t> codes;
  std::size_t classes = 0;

  GivenLabels labels() const { return {codes, classes}; }
};

// npy files: n x d floats, and n codes.
LabeledRows read_labeled_rows(const std::string& rows_path, const std::string& codes_path);

struct Timing {
  std::size_t runs = 3;
  double enough_seconds = 60;  // no further run after these
  unsigned threads = 2;
};

// `coefficients_path`, unless empty, gets the weights and below them the biases of the last run,
// one column an output (npy): the judge works out the objective of every contestant in the same
// way.
Json time_linear(const LabeledRows& data, const LinearOptions& options, const Timing& timing,
                 const std::string& coefficients_path);

// From rows and labels to the transition matrix.
Json time_confident(const LabeledRows& data, const FoldOptions& options, const Timing& timing);

// `test` may have no rows.
Json time_mlp(const LabeledRows& data, const LabeledRows& test, const MlpOptions& options,
              const Timing& timing);

// Out-of-fold probabilities by boosted trees. `scores_path`, unless empty, gets them (npy, n x 2).
Json time_trees(const LabeledRows& data, const FoldOptions& folds, const TreeOptions& options,
                const Timing& timing, const std::string& scores_path);

// One model of boosted trees with the forward loss, and, as "predict_seconds", its answers for the
// same rows. `scores_path` as above; an empty transition means plain cross entropy.
Json time_tree_model(const LabeledRows& data, const std::vector<double>& transition,
                     const TreeOptions& options, const Timing& timing,
                     const std::string& scores_path);

// A table's features as `noiseplus train` would see them, and its labels, as npy files.
void encode_table(const std::string& path, const std::string& label, const std::string& rows_path,
                  const std::string& codes_path);

}  // namespace noiseplus::bench
