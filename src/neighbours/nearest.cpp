#include "neighbours/nearest.h"

#include <algorithm>

namespace noiseplus {
namespace {

// The order of groups as neighbours of one anchor. Ties cost a hash each, and are rare.
class Nearer {
 public:
  Nearer(const SearchSpace& space, std::uint32_t anchor) : space_(space), anchor_(anchor) {}

  bool operator()(const NearGroup& a, const NearGroup& b) const {
    if (a.distance != b.distance) return a.distance < b.distance;
    if (a.group == b.group) return false;
    const std::uint64_t tie_a = tie(a.group);
    const std::uint64_t tie_b = tie(b.group);
    return tie_a != tie_b ? tie_a < tie_b : a.group < b.group;
  }

 private:
  std::uint64_t tie(std::uint32_t group) const {
    return space_.ties.between(space_.distinct.content(anchor_), space_.distinct.content(group));
  }

  const SearchSpace& space_;
  std::uint32_t anchor_;
};

}  // namespace

NearestTable::NearestTable(const SearchSpace& space, std::span<const std::uint32_t> anchor_groups)
    : space_(space),
      anchors_(anchor_groups.begin(), anchor_groups.end()),
      kept_(anchors_.size() * space.k),
      counts_(anchors_.size()),
      members_(anchors_.size()),
      wanted_(anchors_.size()),
      kth_distances_(anchors_.size(), std::numeric_limits<double>::infinity()),
      limits_(std::make_unique<std::atomic<float>[]>(anchors_.size())),
      locks_(std::make_unique<std::mutex[]>((anchors_.size() + panel_rows - 1) / panel_rows)) {
  for (std::size_t slot = 0; slot < anchors_.size(); ++slot) {
    const std::size_t duplicates = space.distinct.count(anchors_[slot]) - 1;
    wanted_[slot] = static_cast<std::uint32_t>(space.k - std::min(space.k, duplicates));
    limits_[slot] = std::numeric_limits<float>::lowest();
    if (wanted_[slot] == 0) {
      limits_[slot] = std::numeric_limits<float>::infinity();
      kth_distances_[slot] = -1;
    }
  }
}

void NearestTable::set_kth(std::size_t slot, double distance) {
  kth_distances_[slot] = distance;
  limits_[slot].store(space_.bound.limit(distance), std::memory_order_relaxed);
}

void NearestTable::promise(std::size_t slot, double distance) {
  if (distance < kth_distances_[slot]) set_kth(slot, distance);
}

void NearestTable::add(std::size_t slot, NearGroup found) {
  if (found.distance > kth_distances_[slot]) return;
  const Nearer nearer(space_, anchors_[slot]);
  const bool is_enough = members_[slot] >= wanted_[slot];
  if (is_enough && !nearer(found, kept(slot).front())) return;

  // Room for one more is there: enough members are in fewer groups than k, or the farthest goes.
  std::uint32_t& count = counts_[slot];
  std::uint32_t& members = members_[slot];
  const auto drop_farthest = [&] {
    const std::span<NearGroup> heap = kept(slot);
    std::pop_heap(heap.begin(), heap.end(), nearer);
    members -= space_.distinct.count(heap.back().group);
    --count;
  };
  if (count == space_.k) drop_farthest();
  kept_[slot * space_.k + count++] = found;
  members += space_.distinct.count(found.group);
  std::span<NearGroup> heap = kept(slot);
  std::push_heap(heap.begin(), heap.end(), nearer);
  while (count > 0 && members - space_.distinct.count(kept(slot).front().group) >= wanted_[slot]) {
    drop_farthest();
  }
  if (members >= wanted_[slot]) set_kth(slot, kept(slot).front().distance);
}

void NearestTable::finish(std::size_t slot) {
  const std::span<NearGroup> heap = kept(slot);
  std::sort_heap(heap.begin(), heap.end(), Nearer(space_, anchors_[slot]));
}

}  // namespace noiseplus
