#include "noise/sharing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace noiseplus {
namespace {

// A step of the sum over subsets moves sets between lists and calls back; a step of the walk adds 1
// to a counter. Measured.
constexpr double steps_of_a_subset = 8;
constexpr std::size_t lowest_hub_degree = 64;
constexpr std::size_t most_parts = 64;

// More than a quarter of the sets: of a set with m rows at most 4 m hubs are dense.
bool is_dense(std::size_t degree, std::size_t sets) {
  return degree > sets / 4;
}

// About how many steps it takes when rows of a higher degree than this are hubs.
double steps_with(std::size_t degree, const NeighbourGraph& graph, const Occurrences& occurrences) {
  double steps = 0;
  std::size_t dense_hubs = 0;
  for (std::size_t row = 0; row + 1 < occurrences.first.size(); ++row) {
    const std::size_t own = occurrences.degree(row);
    dense_hubs += own > degree && is_dense(own, graph.size()) ? 1 : 0;
  }
  steps += steps_of_a_subset * static_cast<double>(dense_hubs * graph.size());
  for (std::size_t t = 0; t < graph.size(); ++t) {
    int sparse_hubs = 0;
    double walked = 0;
    for_each_row(graph, t, [&](std::uint32_t row) {
      const std::size_t own = occurrences.degree(row);
      if (own <= degree) {
        walked += static_cast<double>(own);
      } else if (!is_dense(own, graph.size())) {
        ++sparse_hubs;
      }
    });
    steps += walked;
    if (sparse_hubs > 0) steps += steps_of_a_subset * std::ldexp(1.0, sparse_hubs);
  }
  return steps;
}

std::size_t choose_degree(const NeighbourGraph& graph, const Occurrences& occurrences) {
  std::size_t highest = 0;
  for (std::size_t row = 0; row + 1 < occurrences.first.size(); ++row) {
    highest = std::max(highest, occurrences.degree(row));
  }
  std::size_t best = highest;
  if (highest <= lowest_hub_degree) return best;
  double fewest = steps_with(best, graph, occurrences);
  for (std::size_t degree = lowest_hub_degree; degree < highest; degree *= 2) {
    const double steps = steps_with(degree, graph, occurrences);
    if (steps >= fewest / 2) continue;  // hubs must be worth the trouble
    fewest = steps;
    best = degree;
  }
  return best;
}

bool intersect(SetList a, SetList b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i] == b[j]) return true;
    (a[i] < b[j] ? i : j) += 1;
  }
  return false;
}

// Step 1: the products of all pairs that share a dense hub.
class DensePairs {
 public:
  DensePairs(const Hubs& hubs, std::size_t first, const Hubs::AddProduct& add)
      : hubs_(hubs), first_(first), add_(add) {}

  void sum(int sign, SetList sets) {
    sign_ = sign;
    within(sets, first_);
  }

 private:
  using Sets = std::vector<std::uint32_t>;
  static constexpr std::size_t few_pairs = 64;

  SetList dense(std::uint32_t set) const {
    const SetList all = hubs_.of(set);
    return all.subspan(
        static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), first_) - all.begin()));
  }

  bool has(std::uint32_t set, std::size_t hub) const {
    const SetList all = hubs_.of(set);
    return std::binary_search(all.begin(), all.end(), hub);
  }

  void split(SetList sets, std::size_t hub, Sets& with, Sets& without) const {
    for (const std::uint32_t set : sets) (has(set, hub) ? with : without).push_back(set);
  }

  void within(SetList sets, std::size_t hub) {
    if (sets.empty() || hub == hubs_.size()) return;
    Sets with, without;
    split(sets, hub, with, without);
    if (!with.empty()) add_(sign_, with, with);
    between(with, without, hub + 1);
    within(without, hub + 1);
  }

  // Pairs of one of x and one of y, which share no hub before this one.
  void between(SetList x, SetList y, std::size_t hub) {
    if (x.empty() || y.empty() || hub == hubs_.size()) return;
    if (x.size() * y.size() <= few_pairs) {
      compare(x, y);
      return;
    }
    Sets x_with, x_without, y_with, y_without;
    split(x, hub, x_with, x_without);
    split(y, hub, y_with, y_without);
    if (x_with.empty() || y_with.empty()) {
      between(x, y, hub + 1);
      return;
    }
    add_both(x_with, y_with);
    between(x_with, y_without, hub + 1);
    between(x_without, y, hub + 1);
  }

  void compare(SetList x, SetList y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (std::size_t j = 0; j < y.size(); ++j) {
        if (intersect(dense(x[i]), dense(y[j]))) add_both(x.subspan(i, 1), y.subspan(j, 1));
      }
    }
  }

  void add_both(SetList x, SetList y) {
    add_(sign_, x, y);
    add_(sign_, y, x);
  }

  const Hubs& hubs_;
  std::size_t first_;
  const Hubs::AddProduct& add_;
  int sign_ = 1;
};

// Step 2: 1 for every pair that shares a sparse hub is the sum over all non-empty sets of hubs A
// that both have, of (-1)^(|A| + 1).
class SparsePairs {
 public:
  SparsePairs(const Hubs& hubs, std::size_t sparse, const Hubs::AddProduct& add)
      : hubs_(hubs), sparse_(sparse), add_(add), dense_(hubs, sparse, add) {}

  // All A whose lowest hub is this.
  void sum(std::size_t hub) {
    const SetList sets = hubs_.sets(hub);
    std::vector<Member> members;
    members.reserve(sets.size());
    for (const std::uint32_t set : sets) {
      const SetList all = hubs_.of(set);
      const auto* const next = std::upper_bound(all.data(), all.data() + all.size(), hub);
      const auto* const end = std::lower_bound(next, all.data() + all.size(), sparse_);
      members.push_back({set, {next, static_cast<std::size_t>(end - next)}});
    }
    descend(members, 1);
  }

 private:
  struct Member {
    std::uint32_t set;
    SetList hubs_left;  // above those of A, ascending
  };

  // `members` are the sets that have all of A.
  void descend(std::vector<Member>& members, int sign) {
    // Where all have the same hubs left, the sum over their subsets is that of alternating signs.
    const bool are_alike = std::all_of(members.begin(), members.end(), [&](const Member& member) {
      return std::equal(member.hubs_left.begin(), member.hubs_left.end(),
                        members.front().hubs_left.begin(), members.front().hubs_left.end());
    });
    if (are_alike && !members.front().hubs_left.empty()) return;
    add_members(members, sign);
    if (are_alike) return;

    struct Entry {
      std::uint32_t hub;
      Member member;
    };
    std::vector<Entry> entries;
    for (const Member& member : members) {
      for (std::size_t i = 0; i < member.hubs_left.size(); ++i) {
        entries.push_back({member.hubs_left[i], {member.set, member.hubs_left.subspan(i + 1)}});
      }
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.hub < b.hub; });
    std::vector<Member> next;
    for (std::size_t begin = 0, end = 0; begin < entries.size(); begin = end) {
      next.clear();
      for (end = begin; end < entries.size() && entries[end].hub == entries[begin].hub; ++end) {
        next.push_back(entries[end].member);
      }
      descend(next, -sign);
    }
  }

  void add_members(const std::vector<Member>& members, int sign) {
    std::vector<std::uint32_t> sets;
    sets.reserve(members.size());
    for (const Member& member : members) sets.push_back(member.set);
    add_(sign, sets, sets);
    if (sparse_ < hubs_.size()) dense_.sum(-sign, sets);
  }

  const Hubs& hubs_;
  std::size_t sparse_;
  const Hubs::AddProduct& add_;
  DensePairs dense_;
};

}  // namespace

Occurrences Occurrences::find(const NeighbourGraph& graph, std::size_t rows) {
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

Hubs::Hubs(const NeighbourGraph& graph, const Occurrences& occurrences)
    : occurrences_(occurrences), first_(graph.size() + 1) {
  const std::size_t degree = choose_degree(graph, occurrences);
  const std::size_t rows = occurrences.first.size() - 1;
  for (std::size_t row = 0; row < rows; ++row) {
    if (occurrences.degree(row) > degree) rows_.push_back(static_cast<std::uint32_t>(row));
  }
  if (rows_.empty()) return;
  // Rare ones first: the lowest hub of a subset decides which part sums it, and so no part gets
  // most of the work.
  std::stable_sort(rows_.begin(), rows_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return occurrences.degree(a) < occurrences.degree(b);
  });
  sparse_ = static_cast<std::size_t>(std::count_if(rows_.begin(), rows_.end(), [&](auto row) {
    return !is_dense(occurrences.degree(row), graph.size());
  }));
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

std::size_t Hubs::parts() const {
  return empty() ? 0 : std::min(sparse_, most_parts) + 1;
}

void Hubs::sum_products(std::size_t part, const AddProduct& add) const {
  if (part + 1 < parts()) {
    SparsePairs pairs(*this, sparse_, add);
    for (std::size_t hub = part; hub < sparse_; hub += parts() - 1) pairs.sum(hub);
    return;
  }
  std::vector<std::uint32_t> all(first_.size() - 1);
  std::iota(all.begin(), all.end(), 0U);
  DensePairs(*this, sparse_, add).sum(1, all);
}

std::int64_t Hubs::common_pairs(std::size_t part) const {
  std::int64_t pairs = 0;
  std::vector<std::int64_t> common(size());
  for (std::size_t hub = part; hub < size(); hub += parts()) {
    std::fill(common.begin() + static_cast<std::ptrdiff_t>(hub), common.end(), 0);
    for (const std::uint32_t set : sets(hub)) {
      const SetList hubs = of(set);
      for (std::size_t i = hubs.size(); i-- > 0 && hubs[i] > hub;) ++common[hubs[i]];
    }
    for (std::size_t other = hub + 1; other < size(); ++other) {
      pairs += common[other] * common[other];
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
