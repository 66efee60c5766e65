// Boosted trees of two classes for one fold. Internal to the learn stage.
//
// Gradients are whole numbers, so sums over rows do not depend on their order, and the histogram of
// a leaf is exactly its parent's less its sibling's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/binned_rows.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// Of the rows of a leaf, or of those with one code.
struct GradientSums {
  std::int64_t gradient = 0, curvature = 0, rows = 0;

  GradientSums& operator+=(const GradientSums& other) {
    gradient += other.gradient;
    curvature += other.curvature;
    rows += other.rows;
    return *this;
  }
  friend GradientSums operator-(const GradientSums& a, const GradientSums& b) {
    return {a.gradient - b.gradient, a.curvature - b.curvature, a.rows - b.rows};
  }
};

// What every fold trains on. Rows are stored as in `binned`, those of a fold one after another.
struct TreeProblem {
  BinnedRows binned;
  std::vector<std::uint32_t> row_ids;  // as the caller numbers them: random draws belong to these
  std::vector<float> labels;           // 0 or 1
  std::vector<float> weights;          // mean 1 over all rows
  float max_weight = 1;
  double negative_noise = 0;  // P(label 1 | clean 0)
  double signal = 1;          // 1 - e+ - e-
  TreeOptions options;
  std::uint64_t seed = 0;
};

class TreeBooster {
 public:
  // Trains on all rows but [held_begin, held_end). The problem must outlive this.
  TreeBooster(const TreeProblem& problem, std::size_t fold, std::size_t held_begin,
              std::size_t held_end);

  void add_tree();

  // Raw scores of all rows.
  std::span<const double> scores() const { return scores_; }

 private:
  struct Split {
    double gain = 0;  // 0: none
    std::size_t column = 0;
    std::size_t bin = 0;  // the last that goes left
    GradientSums left;
  };
  struct Range {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
  };
  struct Leaf {
    Range drawn, others;  // parts of drawn_ and others_
    GradientSums sums;
    int depth = 0;
    std::vector<GradientSums> histogram;  // empty where the leaf cannot be split
    Split best;
  };

  void draw_rows();
  void draw_columns();
  void find_gradients();
  GradientSums sum_gradients(Range drawn) const;
  std::vector<Leaf> grow();
  bool can_split(const Leaf& leaf) const;
  std::vector<GradientSums> fill_histogram(Range drawn);
  void find_split(Leaf& leaf) const;
  void search_column(const Leaf& leaf, std::size_t column, Split& best) const;
  double gain(const GradientSums& sums) const;
  Leaf split(Leaf& leaf, bool grows_on);
  Range partition(std::vector<std::uint32_t>& rows, Range& range, const Split& split);
  double value_of(const Leaf& leaf) const;

  const TreeProblem& problem_;
  std::size_t fold_, held_begin_, held_end_;
  std::size_t tree_ = 0;
  double gradient_unit_, curvature_unit_;
  std::vector<double> scores_;
  std::vector<std::uint64_t> packed_;  // gradient, curvature and 1 of each row drawn
  std::vector<std::uint64_t> draws_;   // random bits of each row, for several trees
  std::vector<std::uint32_t> drawn_, others_, room_;
  std::vector<std::size_t> columns_;  // drawn for this tree
  std::vector<std::size_t> offsets_;  // of each bundle drawn, in a histogram
  std::size_t histogram_size_ = 0;
  std::vector<std::vector<GradientSums>> spare_;  // histograms to use again
};

}  // namespace noiseplus
