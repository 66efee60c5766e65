#include "noise/views/hub_pairs.h"

#include <algorithm>
#include <utility>

namespace noiseplus {
namespace {

// In steps of a walk through the sets of a row, measured.
constexpr double steps_of_a_split = 1.5;  // of one set
constexpr double steps_of_a_word = .25;   // of two masks that are compared

bool share_a_bit(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
  std::uint64_t common = 0;
  for (std::size_t w = 0; w < words; ++w) common |= a[w] & b[w];
  return common != 0;
}

}  // namespace

DenseMasks::DenseMasks(std::size_t sets, const std::vector<SetList>& dense)
    : hubs_(dense.size()), words_((dense.size() + 63) / 64), masks_(sets * words_) {
  for (std::size_t hub = 0; hub < hubs_; ++hub) {
    for (const std::uint32_t set : dense[hub]) {
      masks_[set * words_ + hub / 64] |= std::uint64_t{1} << (hub % 64);
    }
  }
}

void DensePairs::sum(int sign, SetList x, SetList y, double max_steps) {
  sign_ = sign;
  max_steps_ = max_steps;
  x_.assign(x.begin(), x.end());
  y_.assign(y.begin(), y.end());
  split(x_, y_, 0);
}

// Not std::partition, whose order is that of the standard library at hand.
std::size_t DensePairs::move_to_front(Sets sets, std::size_t hub) {
  std::size_t with = 0;
  for (std::uint32_t& set : sets) {
    if (masks_.has(set, hub)) std::swap(set, sets[with++]);
  }
  steps_ += steps_of_a_split * static_cast<double>(sets.size());
  return with;
}

// Splitting halves of short lists costs more than it saves.
bool DensePairs::is_small(Sets x, Sets y, std::size_t hub) const {
  constexpr std::size_t max_ratio = 256, ratio_of_a_hub = 8;
  const std::size_t ratio = std::min(max_ratio, ratio_of_a_hub * (masks_.hubs() - hub));
  return x.size() * y.size() <= ratio * (x.size() + y.size());
}

// Pairs that share no hub before this one.
void DensePairs::split(Sets x, Sets y, std::size_t hub) {
  if (x.empty() || y.empty() || hub == masks_.hubs() || steps_ > max_steps_) return;
  if (is_small(x, y, hub)) {
    compare(x, y);
    return;
  }
  const std::size_t x_with = move_to_front(x, hub), y_with = move_to_front(y, hub);
  if (x_with == 0 || y_with == 0) {
    split(x, y, hub + 1);
    return;
  }
  add(sign_, x.first(x_with), y.first(y_with));
  // The shorter list is the one that is gone through twice.
  if (x.size() <= y.size()) {
    split(x.subspan(x_with), y.first(y_with), hub + 1);
    split(x, y.subspan(y_with), hub + 1);
  } else {
    split(x.first(x_with), y.subspan(y_with), hub + 1);
    split(x.subspan(x_with), y, hub + 1);
  }
}

void DensePairs::compare(Sets x, Sets y) {
  const std::size_t words = masks_.words();
  steps_ += steps_of_a_word * static_cast<double>(x.size() * y.size() * (words + 1));
  y_masks_.clear();
  for (const std::uint32_t set : y) {
    y_masks_.insert(y_masks_.end(), masks_.of(set), masks_.of(set) + words);
  }
  sharing_.resize(y.size());
  others_.resize(y.size());
  mostly_sharing_.clear();
  for (const std::uint32_t& set : x) {
    const std::uint64_t* const own = masks_.of(set);
    std::size_t sharing = 0, others = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      const bool shares = share_a_bit(own, y_masks_.data() + j * words, words);
      sharing_[sharing] = others_[others] = y[j];
      sharing += shares ? 1 : 0;
      others += shares ? 0 : 1;
    }
    if (sharing <= others) {
      add(sign_, {&set, 1}, {sharing_.data(), sharing});
    } else {
      mostly_sharing_.push_back(set);
      add(-sign_, {&set, 1}, {others_.data(), others});
    }
  }
  add(sign_, mostly_sharing_, y);
}

void DensePairs::add(int sign, SetList x, SetList y) {
  if (x.empty() || y.empty()) return;
  steps_ += static_cast<double>(x.size() + y.size());
  add_(sign, x, y);
}

void SparsePairs::sum(std::size_t hub) {
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

// `members` are the sets that have all of A.
void SparsePairs::descend(std::vector<Member>& members, int sign) {
  steps_ += Hubs::steps_of_a_subset * static_cast<double>(members.size());
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

void SparsePairs::add_members(const std::vector<Member>& members, int sign) {
  std::vector<std::uint32_t> sets;
  sets.reserve(members.size());
  for (const Member& member : members) sets.push_back(member.set);
  add_(sign, sets, sets);
  if (masks_.hubs() > 0) dense_.sum(-sign, sets, sets);
}

}  // namespace noiseplus
