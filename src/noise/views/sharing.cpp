#include "noise/views/sharing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "noise/views/hub_pairs.h"

namespace noiseplus {
namespace {

constexpr std::size_t lowest_hub_degree = 64;
constexpr std::size_t max_sparse_parts = 64, max_dense_parts = 16;
constexpr std::size_t sets_of_a_dense_part = 256;
// Looking up the hubs of a set that a walk has found, in steps of the walk per hub.
constexpr double steps_of_a_lookup = .5;
// Every subset of sparse hubs is split by the dense ones too, a few of them at least.
constexpr double splits_of_a_subset = 4;

std::size_t dense_parts_of(std::size_t sets) {
  return std::clamp<std::size_t>(sets / sets_of_a_dense_part, 1, max_dense_parts);
}

std::vector<std::uint32_t> sets_of_part(std::size_t part, std::size_t parts, std::size_t sets) {
  std::vector<std::uint32_t> own;
  for (std::size_t t = part; t < sets; t += parts) own.push_back(static_cast<std::uint32_t>(t));
  return own;
}

std::vector<std::uint32_t> all_sets(std::size_t sets) {
  return sets_of_part(0, 1, sets);
}

// The rows of a higher degree, the most frequent first.
std::vector<std::uint32_t> rows_above(std::size_t degree, const Occurrences& occurrences) {
  std::vector<std::uint32_t> rows;
  for (std::size_t row = 0; row + 1 < occurrences.first.size(); ++row) {
    if (occurrences.degree(row) > degree) rows.push_back(static_cast<std::uint32_t>(row));
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return occurrences.degree(a) > occurrences.degree(b);
  });
  return rows;
}

DenseMasks make_masks(std::size_t sets, std::span<const std::uint32_t> rows,
                      const Occurrences& occurrences) {
  std::vector<SetList> dense;
  for (const std::uint32_t row : rows) dense.push_back(occurrences.of(row));
  return {sets, dense};
}

// Steps of all dense parts, by those of one of them; infinite beyond `max_steps`.
double find_dense_steps(std::size_t degree, std::size_t sets, const Occurrences& occurrences,
                        double max_steps) {
  const std::vector<std::uint32_t> rows = rows_above(degree, occurrences);
  if (rows.empty()) return 0;
  const DenseMasks masks = make_masks(sets, rows, occurrences);
  const auto parts = static_cast<double>(dense_parts_of(sets));
  const Hubs::AddProduct ignore = [](int, SetList, SetList) {};
  DensePairs pairs(masks, ignore);
  pairs.sum(1, sets_of_part(0, dense_parts_of(sets), sets), all_sets(sets), max_steps / parts);
  const double steps = parts * pairs.steps();
  return steps > max_steps ? std::numeric_limits<double>::infinity() : steps;
}

// About how many steps the walk and the sparse hubs take.
double find_other_steps(std::size_t sparse_degree, std::size_t dense_degree,
                        const NeighborGraph& graph, const Occurrences& occurrences) {
  double steps = 0;
  for (std::size_t t = 0; t < graph.size(); ++t) {
    int sparse = 0, dense = 0;
    double walked = 0;
    for_each_row(graph, t, [&](std::uint32_t row) {
      const std::size_t own = occurrences.degree(row);
      if (own <= sparse_degree) {
        walked += static_cast<double>(own);
      } else {
        ++(own > dense_degree ? dense : sparse);
      }
    });
    steps += walked * (1 + steps_of_a_lookup * (sparse + dense));
    if (sparse == 0) continue;
    steps += Hubs::steps_of_a_subset * std::ldexp(dense > 0 ? splits_of_a_subset : 1, sparse);
  }
  return steps;
}

}  // namespace

Occurrences Occurrences::find(const NeighborGraph& graph, std::size_t rows) {
  Occurrences occurrences;
  occurrences.first.assign(rows + 1, 0);
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for_each_row(graph, t, [&](std::uint32_t row) { ++occurrences.first[row + 1]; });
  }
  std::partial_sum(occurrences.first.begin(), occurrences.first.end(), occurrences.first.begin());
  occurrences.sets.resize(occurrences.first.back());
  std::vector<std::size_t> next(occurrences.first.begin(), occurrences.first.end() - 1);
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for_each_row(graph, t, [&](std::uint32_t row) {
      occurrences.sets[next[row]++] = static_cast<std::uint32_t>(t);
    });
  }
  return occurrences;
}

std::size_t Occurrences::distinct_rows() const {
  std::size_t rows = 0;
  for (std::size_t r = 0; r + 1 < first.size(); ++r) rows += first[r + 1] > first[r] ? 1 : 0;
  return rows;
}

Hubs::Hubs(const NeighborGraph& graph, const Occurrences& occurrences)
    : occurrences_(occurrences), first_(graph.size() + 1), masks_(std::make_unique<DenseMasks>()) {
  const Degrees degrees = choose_degrees(graph);
  const std::size_t rows = occurrences.first.size() - 1;
  rows_ = rows_above(degrees.sparse, occurrences);
  if (rows_.empty()) return;
  const std::size_t dense = rows_above(degrees.dense, occurrences).size();
  *masks_ = make_masks(graph.size(), std::span(rows_).first(dense), occurrences);
  sparse_ = rows_.size() - dense;
  // Rare ones first: the lowest hub of a subset decides which part sums it, and so no part gets
  // most of the work.
  std::reverse(rows_.begin(), rows_.end());
  is_hub_.resize(rows);
  std::vector<std::uint32_t> number(rows);
  for (std::size_t hub = 0; hub < rows_.size(); ++hub) {
    is_hub_[rows_[hub]] = 1;
    number[rows_[hub]] = static_cast<std::uint32_t>(hub);
  }
  for (std::size_t t = 0; t < graph.size(); ++t) {
    for_each_row(graph, t, [&](std::uint32_t row) {
      if (is_hub_[row] != 0) of_sets_.push_back(number[row]);
    });
    std::sort(of_sets_.begin() + static_cast<std::ptrdiff_t>(first_[t]), of_sets_.end());
    first_[t + 1] = of_sets_.size();
  }
}

Hubs::~Hubs() = default;

Hubs::Degrees Hubs::choose_degrees(const NeighborGraph& graph) const {
  std::size_t highest = 0;
  for (std::size_t row = 0; row + 1 < occurrences_.first.size(); ++row) {
    highest = std::max(highest, occurrences_.degree(row));
  }
  Degrees best{highest, highest};
  if (highest <= lowest_hub_degree) return best;
  // Hubs must be worth the trouble.
  double fewest = find_other_steps(highest, highest, graph, occurrences_) / 2;
  for (const std::size_t sets_per_occurrence : {4, 8, 16}) {
    const std::size_t dense = std::max(graph.size() / sets_per_occurrence, lowest_hub_degree);
    const double dense_steps = find_dense_steps(dense, graph.size(), occurrences_, fewest);
    for (std::size_t degree = lowest_hub_degree;; degree = std::min(2 * degree, dense)) {
      const double steps = dense_steps + find_other_steps(degree, dense, graph, occurrences_);
      if (steps < fewest) {
        fewest = steps;
        best = {degree, dense};
      }
      if (degree == dense) break;
    }
  }
  return best;
}

std::size_t Hubs::sparse_parts() const {
  return std::min(sparse_, max_sparse_parts);
}

std::size_t Hubs::dense_parts() const {
  return sparse_ < size() ? dense_parts_of(first_.size() - 1) : 0;
}

double Hubs::sum_products(std::size_t part, const AddProduct& add) const {
  if (part < sparse_parts()) {
    SparsePairs pairs(*this, sparse_, *masks_, add);
    for (std::size_t hub = part; hub < sparse_; hub += sparse_parts()) pairs.sum(hub);
    return pairs.steps();
  }
  const std::size_t sets = first_.size() - 1;
  DensePairs pairs(*masks_, add);
  pairs.sum(1, sets_of_part(part - sparse_parts(), dense_parts(), sets), all_sets(sets));
  return pairs.steps();
}

std::int64_t Hubs::common_pairs(std::size_t part) const {
  std::int64_t pairs = 0;
  std::vector<std::int64_t> common(size());
  std::vector<std::uint32_t> others;
  for (std::size_t hub = part; hub < size(); hub += parts()) {
    others.clear();
    for (const std::uint32_t set : sets(hub)) {
      const SetList hubs = of(set);
      for (std::size_t i = hubs.size(); i-- > 0 && hubs[i] > hub;) {
        if (common[hubs[i]]++ == 0) others.push_back(hubs[i]);
      }
    }
    for (const std::uint32_t other : others) {
      pairs += common[other] * common[other];
      common[other] = 0;
    }
  }
  return pairs;
}

std::span<const std::uint32_t> SharingSets::of(std::size_t set) {
  sharing_.clear();
  for_each_row(graph_, set, [&](std::uint32_t row) {
    if (hubs_.is_hub(row)) return;
    for (const std::uint32_t other : occurrences_.of(row)) {
      if (rows_shared_[other]++ == 0) sharing_.push_back(other);
    }
  });
  for (const std::uint32_t hub : hubs_.of(set)) is_own_hub_[hub] = 1;
  common_row_pairs_ = 0;
  std::size_t kept = 0;
  for (const std::uint32_t other : sharing_) {
    const std::int64_t rows = rows_shared_[other];
    const std::int64_t hubs = count_common_hubs(other);
    common_row_pairs_ += rows * (rows - 1) / 2 + rows * hubs;
    rows_shared_[other] = 0;
    if (hubs == 0) sharing_[kept++] = other;
  }
  sharing_.resize(kept);
  for (const std::uint32_t hub : hubs_.of(set)) is_own_hub_[hub] = 0;
  return sharing_;
}

std::int64_t SharingSets::count_common_hubs(std::size_t other) const {
  std::int64_t common = 0;
  for (const std::uint32_t hub : hubs_.of(other)) common += is_own_hub_[hub];
  return common;
}

}  // namespace noiseplus
