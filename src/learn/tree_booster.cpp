#include "learn/tree_booster.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "util/portable_math.h"

namespace noiseplus {
namespace {

// A row's gradient and curvature are rounded to 13 bits and added in one word together with the
// count: count in bits 0-12, curvature in 13-37, gradient, which has a sign, above. No field
// overflows within 4096 rows.
constexpr double max_rounded = 8191;
constexpr std::size_t packed_rows = 4096;
constexpr int curvature_shift = 13, gradient_shift = 38;
constexpr std::uint64_t count_mask = (1U << curvature_shift) - 1;
constexpr std::uint64_t curvature_mask =
    (std::uint64_t{1} << (gradient_shift - curvature_shift)) - 1;

constexpr double curvature_floor = 1e-4;
constexpr double max_curvature = .25;  // of a row of weight 1; its gradient is within +-1
constexpr double probability_floor = 1e-6;
constexpr std::size_t trees_per_draw = 4;  // with 16 bits each
constexpr std::size_t absent_bundle = static_cast<std::size_t>(-1);

std::uint64_t rounded(double x) {
  constexpr double round_to_whole = 6755399441055744.0;  // 1.5 * 2^52: the sum has no fraction left
  return std::bit_cast<std::uint64_t>(x + round_to_whole) -
         std::bit_cast<std::uint64_t>(round_to_whole);
}

GradientSums unpacked(std::uint64_t word) {
  return {static_cast<std::int64_t>(word) >> gradient_shift,
          static_cast<std::int64_t>(word >> curvature_shift & curvature_mask),
          static_cast<std::int64_t>(word & count_mask)};
}

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

TreeBooster::TreeBooster(const TreeProblem& problem, std::size_t fold, std::size_t held_begin,
                         std::size_t held_end)
    : problem_(problem),
      fold_(fold),
      held_begin_(held_begin),
      held_end_(held_end),
      gradient_unit_(problem.max_weight / max_rounded),
      curvature_unit_(problem.max_weight * max_curvature / max_rounded),
      scores_(problem.binned.rows),
      packed_(problem.binned.rows),
      draws_(problem.binned.rows),
      drawn_(problem.binned.rows),
      others_(problem.binned.rows),
      room_(problem.binned.rows) {}

void TreeBooster::add_tree() {
  draw_rows();
  draw_columns();
  find_gradients();
  for (Leaf& leaf : grow()) {
    const double step = problem_.options.learning_rate * value_of(leaf);
    for (std::size_t i = leaf.drawn.begin; i < leaf.drawn.end; ++i) scores_[drawn_[i]] += step;
    for (std::size_t i = leaf.others.begin; i < leaf.others.end; ++i) scores_[others_[i]] += step;
    if (!leaf.histogram.empty()) spare_.push_back(std::move(leaf.histogram));
  }
  ++tree_;
}

void TreeBooster::draw_rows() {
  const std::size_t part = tree_ % trees_per_draw;
  if (part == 0) {
    const std::size_t draws_of_a_fold =
        static_cast<std::size_t>(problem_.options.trees) / trees_per_draw + 1;
    const std::size_t draw = fold_ * draws_of_a_fold + tree_ / trees_per_draw;
    for (std::size_t i = 0; i < draws_.size(); ++i) {
      draws_[i] = hash(problem_.seed, Stream::trees, problem_.row_ids[i], 2 * draw);
    }
  }
  const auto bound = static_cast<std::uint64_t>(std::lround(problem_.options.row_share * 65536));
  drawn_.resize(scores_.size());
  others_.resize(scores_.size());
  std::size_t drawn = 0, others = 0;
  for (std::size_t i = 0; i < scores_.size(); ++i) {
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
void TreeBooster::draw_columns() {
  const BinnedRows& binned = problem_.binned;
  const std::size_t all = binned.columns.size();
  const auto wanted = static_cast<std::size_t>(
      std::lround(problem_.options.column_share * static_cast<double>(all)));
  const std::size_t draw = fold_ * static_cast<std::size_t>(problem_.options.trees) + tree_;
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

// Gradient and expected curvature in f of -log P(label), where P(label 1) = v = e- + D sigmoid(f):
// v' (v - label) / (v (1 - v)) and v'^2 / (v (1 - v)).
void TreeBooster::find_gradients() {
  const double base = problem_.negative_noise, signal = problem_.signal;
  const double gradient_scale = 1 / gradient_unit_, curvature_scale = 1 / curvature_unit_;
  for (const std::uint32_t row : drawn_) {
    const double s = sigmoid(scores_[row]);
    const double v = std::clamp(base + signal * s, probability_floor, 1 - probability_floor);
    const double slope = signal * s * (1 - s);
    const double ratio = slope / (v * (1 - v));
    const double curvature = std::max(slope * ratio, curvature_floor);
    const double gradient = ratio * (v - problem_.labels[row]);
    const double weight = problem_.weights[row];
    packed_[row] = (rounded(gradient * weight * gradient_scale) << gradient_shift) +
                   (rounded(curvature * weight * curvature_scale) << curvature_shift) + 1;
  }
}

GradientSums TreeBooster::sum_gradients(Range drawn) const {
  GradientSums sums;
  for (std::size_t i = drawn.begin; i < drawn.end; ++i) sums += unpacked(packed_[drawn_[i]]);
  return sums;
}

std::vector<TreeBooster::Leaf> TreeBooster::grow() {
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
    Leaf right = split(*best, leaves.size() + 1 < max_leaves);
    leaves.push_back(std::move(right));
  }
  return leaves;
}

bool TreeBooster::can_split(const Leaf& leaf) const {
  const std::size_t min_rows = problem_.options.min_rows_in_leaf;
  return leaf.depth < problem_.options.max_depth && !columns_.empty() &&
         leaf.drawn.size() / 2 >= min_rows;
}

std::vector<GradientSums> TreeBooster::fill_histogram(Range drawn) {
  std::vector<GradientSums> histogram;
  if (!spare_.empty()) {
    histogram = std::move(spare_.back());
    spare_.pop_back();
  }
  histogram.assign(histogram_size_, {});
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
    for (std::size_t begin = drawn.begin; begin < drawn.end; begin += packed_rows) {
      std::fill_n(sums.begin(), sums_size, 0);
      const std::size_t count = std::min(packed_rows, drawn.end - begin);
      add_rows_of[part.bundles](part, std::span(drawn_).subspan(begin, count), packed_.data(),
                                sums.data());
      for (std::size_t k = 0; k < sums_size; ++k) histogram[offset + k] += unpacked(sums[k]);
    }
  }
  return histogram;
}

void TreeBooster::find_split(Leaf& leaf) const {
  leaf.best = {};
  for (const std::size_t column : columns_) search_column(leaf, column, leaf.best);
}

// Up to a factor, by how much a leaf with these sums lowers the loss.
double TreeBooster::gain(const GradientSums& sums) const {
  const auto gradient = static_cast<double>(sums.gradient);
  const double divisor =
      static_cast<double>(sums.curvature) + problem_.options.ridge / curvature_unit_;
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
  right.drawn = partition(drawn_, leaf.drawn, made);
  right.others = partition(others_, leaf.others, made);
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
TreeBooster::Range TreeBooster::partition(std::vector<std::uint32_t>& rows, Range& range,
                                          const Split& split) {
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
    room_[right] = row;
    left += is_left;
    right += 1 - is_left;
  }
  std::copy_n(room_.begin(), right, rows.begin() + static_cast<std::ptrdiff_t>(left));
  const Range result{left, range.end};
  range.end = left;
  return result;
}

double TreeBooster::value_of(const Leaf& leaf) const {
  const double divisor =
      static_cast<double>(leaf.sums.curvature) * curvature_unit_ + problem_.options.ridge;
  return divisor > 0 ? -static_cast<double>(leaf.sums.gradient) * gradient_unit_ / divisor : 0;
}

}  // namespace noiseplus
