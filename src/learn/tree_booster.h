// Boosted trees trained on all rows but those of one fold. Internal to the learn stage.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "learn/binned_rows.h"
#include "learn/tree_gradients.h"
#include "noiseplus/learn.h"

namespace noiseplus {

// What every fold trains on. Rows are stored as in `binned`, those of a fold one after another.
struct TreeProblem : TreeLabels {
  BinnedRows binned;
  TreeOptions options;
  std::uint64_t seed = 0;
};

// Throws usage: an option is out of the range that its comment gives.
void check_tree_options(const TreeOptions& options);

class TreeBooster {
 public:
  // Trains on all rows but [held_begin, held_end). The problem and the pool must outlive this.
  // Without a pool all work is done by the calling thread.
  TreeBooster(const TreeProblem& problem, std::size_t fold, std::size_t held_begin,
              std::size_t held_end, ThreadPool* pool = nullptr);

  // Adds a tree for each output and returns them. One step of the meter per tree.
  std::vector<Tree> add_trees(ProgressMeter& meter);

  // Raw scores of all rows: that of output o and row i is at o * rows + i.
  std::span<const double> scores() const { return scores_; }

 private:
  // Fewer rows are not worth a second thread.
  static constexpr std::size_t rows_of_a_part = 16384;
  static constexpr std::size_t absent_bundle = static_cast<std::size_t>(-1);

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
    std::size_t parent = 0;  // split that it is a side of; means nothing for a whole tree
    std::vector<GradientSums> histogram;  // empty where the leaf cannot be split
    Split best;
  };

  std::size_t rows() const { return problem_.binned.rows; }
  // Calls task(begin, end) for parts of 0 .. count, in parallel where they are worth it.
  void for_parts(std::size_t count, const std::function<void(std::size_t, std::size_t)>& task);
  void draw_rows();
  void draw_columns(std::size_t output);
  Tree add_tree(std::size_t output);
  GradientSums sum_gradients(Range drawn) const;
  std::vector<Leaf> grow(Tree& tree);
  void record(Tree& tree, const Leaf& leaf, std::size_t left, std::size_t right) const;
  bool can_split(const Leaf& leaf) const;
  std::vector<GradientSums> empty_histogram();
  std::vector<GradientSums> fill_histogram(Range drawn);
  void add_to_histogram(Range drawn, std::vector<GradientSums>& histogram) const;
  void find_split(Leaf& leaf);
  void search_column(const Leaf& leaf, std::size_t column, Split& best) const;
  double gain(const GradientSums& sums) const;
  Leaf split(Leaf& leaf, bool grows_on);
  Range partition(std::vector<std::uint32_t>& rows, std::vector<std::uint32_t>& room, Range& range,
                  const Split& split) const;
  double value_of(const Leaf& leaf) const;

  const TreeProblem& problem_;
  std::size_t fold_, held_begin_, held_end_;
  std::size_t tree_ = 0;
  ThreadPool* pool_;
  TreeGradients gradients_;
  std::vector<double> scores_;
  std::vector<std::uint64_t> packed_;  // of each output and row drawn
  std::span<const std::uint64_t> packed_of_output_;
  std::vector<std::uint64_t> draws_;  // random bits of each row, for several trees
  std::vector<std::uint32_t> drawn_, others_, drawn_room_, others_room_;
  std::vector<std::size_t> columns_;  // drawn for this tree
  std::vector<std::size_t> offsets_;  // of each bundle drawn, in a histogram
  std::size_t histogram_size_ = 0;
  std::vector<std::vector<GradientSums>> spare_;  // histograms to use again
};

}  // namespace noiseplus
