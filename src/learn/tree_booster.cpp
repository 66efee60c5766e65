#include "learn/tree_booster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/checks.h"

namespace noiseplus {
namespace {

constexpr std::size_t trees_per_draw = 4;  // with 16 bits each

}  // namespace

void check_tree_options(const TreeOptions& options) {
  check_number(options.trees, 1, 100000, "trees");
  check_number(options.max_depth, 1, 64, "max_depth");
  check_number(options.max_leaves, 2, 65536, "max_leaves");
  check_that(options.min_rows_in_leaf >= 1, "min_rows_in_leaf must be at least 1");
  check_number(options.learning_rate, 1e-9, 1, "learning_rate");
  check_number(options.ridge, 0, 1e9, "ridge");
  check_number(options.row_share, 1e-4, 1, "row_share");
  check_number(options.column_share, 1e-9, 1, "column_share");
  check_that(options.max_bins >= 2 && options.max_bins <= max_codes,
             "max_bins must be from 2 to 256");
}

TreeBooster::TreeBooster(const TreeProblem& problem, std::size_t fold, std::size_t held_begin,
                         std::size_t held_end, ThreadPool* pool)
    : problem_(problem),
      fold_(fold),
      held_begin_(held_begin),
      held_end_(held_end),
      pool_(pool),
      gradients_(problem),
      packed_(problem.binned.rows * problem.offsets.size()),
      draws_(problem.binned.rows),
      drawn_(problem.binned.rows),
      others_(problem.binned.rows),
      drawn_room_(problem.binned.rows),
      others_room_(problem.binned.rows) {
  scores_.reserve(packed_.size());
  for (const double offset : problem.offsets) scores_.insert(scores_.end(), rows(), offset);
}

void TreeBooster::for_parts(std::size_t count,
                            const std::function<void(std::size_t, std::size_t)>& task) {
  const std::size_t parts = pool_ == nullptr ? 1 : ceiling_of_quotient(count, rows_of_a_part);
  if (parts <= 1) return task(0, count);
  pool_->for_each(parts, [&](std::size_t part) {
    task(part * rows_of_a_part, std::min(count, (part + 1) * rows_of_a_part));
  });
}

std::vector<Tree> TreeBooster::add_trees(ProgressMeter& meter) {
  draw_rows();
  for_parts(drawn_.size(), [&](std::size_t begin, std::size_t end) {
    gradients_.pack(scores_, std::span(drawn_).subspan(begin, end - begin), packed_);
  });
  std::vector<Tree> trees;
  for (std::size_t output = 0; output < problem_.offsets.size(); ++output) {
    trees.push_back(add_tree(output));
    meter.step();
  }
  ++tree_;
  return trees;
}

Tree TreeBooster::add_tree(std::size_t output) {
  draw_columns(output);
  packed_of_output_ = std::span(packed_).subspan(output * rows(), rows());
  double* const scores = scores_.data() + output * rows();
  Tree tree;
  std::vector<Leaf> leaves = grow(tree);
  for (Leaf& leaf : leaves) {
    tree.leaves.push_back(problem_.options.learning_rate * value_of(leaf));
    if (!leaf.histogram.empty()) spare_.push_back(std::move(leaf.histogram));
  }
  const auto add_to_rows_of = [&](std::size_t l) {
    const Leaf& leaf = leaves[l];
    const double step = tree.leaves[l];
    for (std::size_t i = leaf.drawn.begin; i < leaf.drawn.end; ++i) scores[drawn_[i]] += step;
    for (std::size_t i = leaf.others.begin; i < leaf.others.end; ++i) scores[others_[i]] += step;
  };
  if (pool_ != nullptr && rows() > rows_of_a_part) {
    pool_->for_each(leaves.size(), add_to_rows_of);
  } else {
    for (std::size_t l = 0; l < leaves.size(); ++l) add_to_rows_of(l);
  }
  return tree;
}

void TreeBooster::draw_rows() {
  const std::size_t part = tree_ % trees_per_draw;
  if (part == 0) {
    const std::size_t draws_of_a_fold =
        static_cast<std::size_t>(problem_.options.trees) / trees_per_draw + 1;
    const std::size_t draw = fold_ * draws_of_a_fold + tree_ / trees_per_draw;
    for_parts(draws_.size(), [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        draws_[i] = hash(problem_.seed, Stream::trees, problem_.row_ids[i], 2 * draw);
      }
    });
  }
  const auto bound = static_cast<std::uint64_t>(std::lround(problem_.options.row_share * 65536));
  drawn_.resize(rows());
  others_.resize(rows());
  std::size_t drawn = 0, others = 0;
  for (std::size_t i = 0; i < rows(); ++i) {
    const bool is_held = i >= held_begin_ && i < held_end_;
    const bool is_drawn =
        (draws_[i] >> 16 * part & 65535U) < bound && !is_held && problem_.weights[i] > 0;
    drawn_[drawn] = static_cast<std::uint32_t>(i);
    others_[others] = static_cast<std::uint32_t>(i);
    drawn += is_drawn ? 1 : 0;
    others += is_drawn ? 0 : 1;
  }
  drawn_.resize(drawn);
  others_.resize(others);
}

// As many columns as the share says, those with the smallest hashes.
void TreeBooster::draw_columns(std::size_t output) {
  const BinnedRows& binned = problem_.binned;
  const std::size_t all = binned.columns.size();
  const auto wanted = static_cast<std::size_t>(
      std::lround(problem_.options.column_share * static_cast<double>(all)));
  const std::size_t round = fold_ * static_cast<std::size_t>(problem_.options.trees) + tree_;
  const std::size_t draw = round * problem_.offsets.size() + output;
  std::vector<std::uint64_t> keys(all);
  for (std::size_t c = 0; c < all; ++c) {
    keys[c] = hash(problem_.seed, Stream::trees, c, 2 * draw + 1);
  }
  columns_.resize(all);
  std::iota(columns_.begin(), columns_.end(), std::size_t{0});
  std::sort(columns_.begin(), columns_.end(), [&](std::size_t a, std::size_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  });
  columns_.resize(std::min(all, std::max<std::size_t>(wanted, 1)));
  std::sort(columns_.begin(), columns_.end());
  offsets_.assign(binned.bundles(), absent_bundle);
  histogram_size_ = 0;
  for (const std::size_t c : columns_) {
    const std::size_t bundle = binned.columns[c].bundle;
    if (offsets_[bundle] != absent_bundle) continue;
    offsets_[bundle] = histogram_size_;
    histogram_size_ += binned.codes[bundle];
  }
}

GradientSums TreeBooster::sum_gradients(Range drawn) const {
  GradientSums sums;
  for (std::size_t i = drawn.begin; i < drawn.end; ++i) {
    sums += TreeGradients::unpack(packed_of_output_[drawn_[i]]);
  }
  return sums;
}

std::vector<TreeBooster::Leaf> TreeBooster::grow(Tree& tree) {
  const auto max_leaves = static_cast<std::size_t>(problem_.options.max_leaves);
  std::vector<Leaf> leaves(1);
  Leaf& root = leaves.front();
  root.drawn = {0, drawn_.size()};
  root.others = {0, others_.size()};
  root.sums = sum_gradients(root.drawn);
  if (can_split(root)) {
    root.histogram = fill_histogram(root.drawn);
    find_split(root);
  }
  while (leaves.size() < max_leaves) {
    const auto best =
        std::max_element(leaves.begin(), leaves.end(),
                         [](const Leaf& a, const Leaf& b) { return a.best.gain < b.best.gain; });
    if (!(best->best.gain > 0)) break;
    record(tree, *best, static_cast<std::size_t>(best - leaves.begin()), leaves.size());
    Leaf right = split(*best, leaves.size() + 1 < max_leaves);
    right.parent = best->parent = tree.splits.size() - 1;
    leaves.push_back(std::move(right));
  }
  return leaves;
}

// Splits leaf number `left`, whose right side becomes leaf number `right`.
void TreeBooster::record(Tree& tree, const Leaf& leaf, std::size_t left, std::size_t right) const {
  const std::int32_t name_of_leaf = ~static_cast<std::int32_t>(left);
  if (!tree.splits.empty()) {
    TreeSplit& parent = tree.splits[leaf.parent];
    (parent.left == name_of_leaf ? parent.left : parent.right) =
        static_cast<std::int32_t>(tree.splits.size());
  }
  const BinnedColumn& column = problem_.binned.columns[leaf.best.column];
  tree.splits.push_back({static_cast<std::uint32_t>(column.origin), column.ends[leaf.best.bin],
                         name_of_leaf, ~static_cast<std::int32_t>(right)});
}

bool TreeBooster::can_split(const Leaf& leaf) const {
  const std::size_t min_rows = problem_.options.min_rows_in_leaf;
  return leaf.depth < problem_.options.max_depth && !columns_.empty() &&
         leaf.drawn.size() / 2 >= min_rows;
}

// The leaf keeps the left rows; the result has the right ones.
TreeBooster::Leaf TreeBooster::split(Leaf& leaf, bool grows_on) {
  const Split made = leaf.best;
  Leaf right;
  const auto partition_side = [&](std::size_t side) {
    if (side == 0) {
      right.drawn = partition(drawn_, drawn_room_, leaf.drawn, made);
    } else {
      right.others = partition(others_, others_room_, leaf.others, made);
    }
  };
  if (pool_ != nullptr && leaf.others.size() > rows_of_a_part) {
    pool_->for_each(2, partition_side);
  } else {
    partition_side(0);
    partition_side(1);
  }
  right.sums = leaf.sums - made.left;
  leaf.sums = made.left;
  right.depth = ++leaf.depth;
  leaf.best = {};
  const bool splits_left = grows_on && can_split(leaf), splits_right = grows_on && can_split(right);
  if (!splits_left && !splits_right) return right;
  Leaf& smaller = leaf.drawn.size() <= right.drawn.size() ? leaf : right;
  Leaf& larger = &smaller == &leaf ? right : leaf;
  std::vector<GradientSums> whole = std::move(leaf.histogram);
  smaller.histogram = fill_histogram(smaller.drawn);
  for (std::size_t k = 0; k < whole.size(); ++k) whole[k] = whole[k] - smaller.histogram[k];
  larger.histogram = std::move(whole);
  if (splits_left) find_split(leaf);
  if (splits_right) find_split(right);
  return right;
}

// Keeps the rows that go left in `range`, in their order, and returns where the others are.
TreeBooster::Range TreeBooster::partition(std::vector<std::uint32_t>& rows,
                                          std::vector<std::uint32_t>& room, Range& range,
                                          const Split& split) const {
  const BinnedColumn& column = problem_.binned.columns[split.column];
  // Codes of other columns of the bundle mean this one's common bin.
  std::array<std::uint8_t, max_codes> goes_left;
  goes_left.fill(column.common_bin <= split.bin ? 1 : 0);
  for (std::size_t bin = 0; bin < column.bins; ++bin) {
    if (bin != column.common_bin) goes_left[column.code_of(bin)] = bin <= split.bin ? 1 : 0;
  }
  const std::uint64_t* const words = problem_.binned.panel(column.bundle / panel_width);
  const std::size_t shift = 8 * (column.bundle % panel_width);
  std::size_t left = range.begin, right = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const std::uint32_t row = rows[i];
    const std::size_t is_left = goes_left[words[row] >> shift & 255U];
    rows[left] = row;
    room[right] = row;
    left += is_left;
    right += 1 - is_left;
  }
  std::copy_n(room.begin(), right, rows.begin() + static_cast<std::ptrdiff_t>(left));
  const Range result{left, range.end};
  range.end = left;
  return result;
}

double TreeBooster::value_of(const Leaf& leaf) const {
  const double divisor = static_cast<double>(leaf.sums.curvature) * gradients_.curvature_unit() +
                         problem_.options.ridge;
  const double gradient = static_cast<double>(leaf.sums.gradient) * gradients_.gradient_unit();
  return divisor > 0 ? -gradient / divisor : 0;
}

}  // namespace noiseplus
