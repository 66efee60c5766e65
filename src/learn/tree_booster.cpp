#include "learn/tree_booster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/checks.h"

namespace noiseplus {
namespace {

constexpr std::size_t trees_per_draw = 4;  // with 16 bits each
constexpr std::size_t absent_bundle = static_cast<std::size_t>(-1);

// Fewer rows, or columns, are not worth a second thread.
constexpr std::size_t rows_of_a_part = 16384;
constexpr std::size_t columns_of_a_part = 32;

// The bundles of one panel that a tree needs.
struct PanelPart {
  const std::uint64_t* words = nullptr;
  std::size_t bundles = 0;
  std::array<unsigned, panel_width> shifts{};
  std::array<std::size_t, panel_width> starts{};  // of each bundle's codes in `sums`
};

template <std::size_t bundles>
void add_rows(const PanelPart& part, std::span<const std::uint32_t> rows,
              const std::uint64_t* packed, std::uint64_t* sums) {
  for (const std::uint32_t row : rows) {
    const std::uint64_t word = part.words[row];
    const std::uint64_t value = packed[row];
    for (std::size_t k = 0; k < bundles; ++k) {
      sums[part.starts[k] + (word >> part.shifts[k] & 255U)] += value;
    }
  }
}

using AddRows = void (*)(const PanelPart&, std::span<const std::uint32_t>, const std::uint64_t*,
                         std::uint64_t*);
constexpr AddRows add_rows_of[panel_width + 1] = {nullptr,     add_rows<1>, add_rows<2>,
                                                  add_rows<3>, add_rows<4>, add_rows<5>,
                                                  add_rows<6>, add_rows<7>, add_rows<8>};

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

std::vector<GradientSums> TreeBooster::empty_histogram() {
  std::vector<GradientSums> histogram;
  if (!spare_.empty()) {
    histogram = std::move(spare_.back());
    spare_.pop_back();
  }
  histogram.assign(histogram_size_, {});
  return histogram;
}

std::vector<GradientSums> TreeBooster::fill_histogram(Range drawn) {
  std::vector<GradientSums> histogram = empty_histogram();
  const std::size_t parts =
      pool_ == nullptr ? 1 : std::min<std::size_t>(pool_->size(), drawn.size() / rows_of_a_part);
  if (parts <= 1) {
    add_to_histogram(drawn, histogram);
    return histogram;
  }
  std::vector<std::vector<GradientSums>> of_parts;
  for (std::size_t part = 0; part < parts; ++part) of_parts.push_back(empty_histogram());
  pool_->for_each(parts, [&](std::size_t part) {
    const auto begin_of = [&](std::size_t p) { return drawn.begin + drawn.size() * p / parts; };
    add_to_histogram({begin_of(part), begin_of(part + 1)}, of_parts[part]);
  });
  for (std::vector<GradientSums>& part : of_parts) {
    for (std::size_t k = 0; k < histogram_size_; ++k) histogram[k] += part[k];
    spare_.push_back(std::move(part));
  }
  return histogram;
}

void TreeBooster::add_to_histogram(Range drawn, std::vector<GradientSums>& histogram) const {
  std::array<std::uint64_t, panel_width * max_codes> sums;
  const BinnedRows& binned = problem_.binned;
  for (std::size_t first = 0; first < binned.bundles(); first += panel_width) {
    PanelPart part{binned.panel(first / panel_width), 0, {}, {}};
    std::size_t sums_size = 0, offset = 0;
    for (std::size_t b = first; b < std::min(binned.bundles(), first + panel_width); ++b) {
      if (offsets_[b] == absent_bundle) continue;
      if (part.bundles == 0) offset = offsets_[b];
      part.shifts[part.bundles] = static_cast<unsigned>(8 * (b - first));
      part.starts[part.bundles++] = sums_size;
      sums_size += binned.codes[b];
    }
    if (part.bundles == 0) continue;
    for (std::size_t begin = drawn.begin; begin < drawn.end; begin += max_packed_rows) {
      std::fill_n(sums.begin(), sums_size, 0);
      const std::size_t count = std::min(max_packed_rows, drawn.end - begin);
      add_rows_of[part.bundles](part, std::span(drawn_).subspan(begin, count),
                                packed_of_output_.data(), sums.data());
      for (std::size_t k = 0; k < sums_size; ++k) {
        histogram[offset + k] += TreeGradients::unpack(sums[k]);
      }
    }
  }
}

// The first of the best in the order of the columns, however many threads look for it.
void TreeBooster::find_split(Leaf& leaf) {
  leaf.best = {};
  const std::size_t parts = ceiling_of_quotient(columns_.size(), columns_of_a_part);
  if (pool_ == nullptr || parts <= 1) {
    for (const std::size_t column : columns_) search_column(leaf, column, leaf.best);
    return;
  }
  std::vector<Split> found(parts);
  pool_->for_each(parts, [&](std::size_t part) {
    const std::size_t end = std::min(columns_.size(), (part + 1) * columns_of_a_part);
    for (std::size_t c = part * columns_of_a_part; c < end; ++c) {
      search_column(leaf, columns_[c], found[part]);
    }
  });
  for (const Split& split : found) {
    if (split.gain > leaf.best.gain) leaf.best = split;
  }
}

// Up to a factor, by how much a leaf with these sums lowers the loss.
double TreeBooster::gain(const GradientSums& sums) const {
  const auto gradient = static_cast<double>(sums.gradient);
  const double divisor =
      static_cast<double>(sums.curvature) + problem_.options.ridge / gradients_.curvature_unit();
  return divisor > 0 ? gradient * gradient / divisor : 0;
}

void TreeBooster::search_column(const Leaf& leaf, std::size_t column, Split& best) const {
  const BinnedColumn& binned = problem_.binned.columns[column];
  const GradientSums* const bins = leaf.histogram.data() + offsets_[binned.bundle];
  const auto min_rows = static_cast<std::int64_t>(problem_.options.min_rows_in_leaf);
  const double gain_of_leaf = gain(leaf.sums);
  GradientSums common = leaf.sums;
  if (binned.common_bin != BinnedColumn::no_bin) {
    for (std::size_t bin = 0; bin + 1 < binned.bins; ++bin) {
      common = common - bins[binned.first_code + bin];
    }
  }
  GradientSums left;
  for (std::size_t bin = 0; bin + 1 < binned.bins; ++bin) {
    left += bin == binned.common_bin ? common : bins[binned.code_of(bin)];
    if (left.rows < min_rows) continue;
    const GradientSums right = leaf.sums - left;
    if (right.rows < min_rows) break;
    const double gained = gain(left) + gain(right) - gain_of_leaf;
    if (gained > best.gain) best = {gained, column, bin, left};
  }
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
