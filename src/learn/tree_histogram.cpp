// The sums of gradients by bin, and the best split that they tell of.
#include <algorithm>
#include <array>

#include "learn/tree_booster.h"

namespace noiseplus {
namespace {

// Fewer columns are not worth a second thread.
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

}  // namespace noiseplus
