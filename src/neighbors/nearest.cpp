#include "neighbors/nearest.h"

#include <algorithm>

namespace noiseplus {
namespace {

// The order of groups as neighbors of one anchor. Ties cost a hash each, and are rare.
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
      room_(space.k + std::max<std::size_t>(8, space.k / 2)),
      anchors_(anchor_groups.begin(), anchor_groups.end()),
      wanted_(anchors_.size()),
      waiting_(anchors_.size() * room_),
      waiting_counts_(anchors_.size()),
      nearest_(anchors_.size()),
      members_(anchors_.size()),
      measured_(anchors_.size()),
      limits_(std::make_unique<std::atomic<float>[]>(anchors_.size())),
      locks_(std::make_unique<std::mutex[]>((anchors_.size() + panel_rows - 1) / panel_rows)) {
  for (std::size_t slot = 0; slot < anchors_.size(); ++slot) {
    const std::size_t duplicates = space.distinct.count(anchors_[slot]) - 1;
    wanted_[slot] = static_cast<std::uint32_t>(space.k - std::min(space.k, duplicates));
    limits_[slot] = wanted_[slot] == 0 ? std::numeric_limits<float>::infinity()
                                       : std::numeric_limits<float>::lowest();
  }
}

void NearestTable::raise_limit(std::size_t slot, float limit) {
  if (limit > this->limit(slot)) limits_[slot].store(limit, std::memory_order_relaxed);
}

void NearestTable::offer(std::size_t slot, const Candidate& candidate, Points::Scratch& scratch) {
  if (candidate.score < limit(slot)) return;
  if (waiting_counts_[slot] == room_) drop_hopeless(slot);
  if (waiting_counts_[slot] == room_) {
    measure_waiting(slot, scratch);
    if (candidate.score < limit(slot)) return;
  }
  Candidate* const first = waiting_.data() + slot * room_;
  Candidate* place = first + waiting_counts_[slot]++;
  for (; place != first && place[-1].implied_limit < candidate.implied_limit; --place) {
    *place = place[-1];
  }
  *place = candidate;
  const std::size_t wanted = wanted_[slot];
  if (waiting_counts_[slot] >= wanted) raise_limit(slot, first[wanted - 1].implied_limit);
}

void NearestTable::drop_hopeless(std::size_t slot) {
  const std::span<Candidate> all = waiting(slot);
  const auto hopeless =
      std::remove_if(all.begin(), all.end(),
                     [limit = limit(slot)](const Candidate& one) { return one.score < limit; });
  waiting_counts_[slot] = static_cast<std::uint32_t>(hopeless - all.begin());
}

void NearestTable::measure_waiting(std::size_t slot, Points::Scratch& scratch) {
  const std::uint32_t row = space_.distinct.row(anchors_[slot]);
  for (const Candidate& candidate : waiting(slot)) {
    if (candidate.score < limit(slot)) continue;
    const bool is_enough = members_[slot] >= wanted_[slot];
    const double give_up =
        is_enough ? nearest_[slot].front().distance : std::numeric_limits<double>::infinity();
    const std::uint32_t other = space_.distinct.row(candidate.group);
    const double distance = space_.points.distance(row, other, give_up, scratch);
    ++measured_[slot];
    if (distance <= give_up) add(slot, {distance, candidate.group});
  }
  waiting_counts_[slot] = 0;
}

void NearestTable::add(std::size_t slot, NearGroup found) {
  const Nearer nearer(space_, anchors_[slot]);
  std::vector<NearGroup>& heap = nearest_[slot];
  std::uint32_t& members = members_[slot];
  if (members >= wanted_[slot] && !nearer(found, heap.front())) return;
  if (heap.empty()) heap.reserve(wanted_[slot] + 1);
  heap.push_back(found);
  std::push_heap(heap.begin(), heap.end(), nearer);
  members += space_.distinct.count(found.group);
  while (members - space_.distinct.count(heap.front().group) >= wanted_[slot]) {
    std::pop_heap(heap.begin(), heap.end(), nearer);
    members -= space_.distinct.count(heap.back().group);
    heap.pop_back();
  }
  if (members >= wanted_[slot]) raise_limit(slot, space_.bound.limit(heap.front().distance));
}

void NearestTable::finish(std::size_t slot, Points::Scratch& scratch) {
  measure_waiting(slot, scratch);
  std::ranges::sort_heap(nearest_[slot], Nearer(space_, anchors_[slot]));
}

}  // namespace noiseplus
