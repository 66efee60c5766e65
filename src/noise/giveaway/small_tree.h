// A decision tree on few rows, small enough to be told in words. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"

namespace noiseplus {

// Some rows of a data set, column by column, with their labels.
struct ColumnSample {
  std::size_t rows = 0, classes = 0;
  std::vector<std::vector<float>> columns;  // of the matrix, a value per row, never NaN
  std::vector<std::int32_t> labels;         // a label per row, below `classes`
};

struct SmallTreeOptions {
  // Changes the answer.
  int max_depth = 3;
  // A split stays only if it saves this many errors for each leaf that it adds.
  double min_saved_errors = 1;
};

// Splits by Gini's impurity, then prunes. Ties go to the lowest column and the lowest threshold, so
// that a tree depends on its rows alone.
class SmallTree {
 public:
  struct Node {
    std::int32_t label = 0;              // most frequent among its rows
    std::int32_t column = -1;            // position in ColumnSample::columns; -1: a leaf
    float threshold = 0;                 // rows with a value above go right
    std::int32_t left = -1, right = -1;  // positions in nodes()
    std::size_t rows = 0, errors = 0;    // of the rows it was grown from
  };

  // Grown from the rows with is_used[n] != 0, on the listed columns. REQUIRES: at least one of
  // each.
  static SmallTree grow(const ColumnSample& sample, std::span<const char> is_used,
                        std::span<const std::size_t> columns, const SmallTreeOptions& options,
                        ThreadPool& pool);

  // The first is the root; those that were pruned are still there, out of reach.
  const std::vector<Node>& nodes() const { return nodes_; }
  std::int32_t predict(const ColumnSample& sample, std::size_t row) const;
  // The node where the row ends.
  std::size_t leaf_of(const ColumnSample& sample, std::size_t row) const;
  std::size_t leaves(std::size_t node = 0) const;
  // Errors on the rows it was grown from.
  std::size_t errors(std::size_t node = 0) const;

 private:
  void prune(std::size_t node, double min_saved_errors);

  std::vector<Node> nodes_;
};

}  // namespace noiseplus
