// What anchors know while the base passes by: the nearest groups so far, and how near a further one
// must be to matter.
//
// Invariants:
//   1. The order of groups is total: distance, then TieOrder. What is kept does not depend on the
//      order in which groups were met.
//   2. A group is turned away only when groups with enough members in all are known that come
//      before it. Enough is k less the anchor's own duplicates.
//   3. limit() never falls. It may be read while another thread changes the anchor; all else needs
//      the anchor's panel to be locked.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "neighbours/bound.h"
#include "neighbours/distinct.h"
#include "neighbours/kernel.h"
#include "neighbours/points.h"
#include "neighbours/ties.h"

namespace noiseplus {

struct NearGroup {
  double distance = 0;
  std::uint32_t group = 0;
};

// What all anchors of a search share.
struct SearchSpace {
  const Points& points;
  const DistinctRows& distinct;
  TieOrder ties;
  ScoreBound bound;
  std::size_t k = 0;
};

// The anchors, groups themselves, stand in slots: 48 to a panel.
class NearestTable {
 public:
  NearestTable(const SearchSpace& space, std::span<const std::uint32_t> anchor_groups);

  std::size_t size() const { return anchors_.size(); }
  std::uint32_t anchor(std::size_t slot) const { return anchors_[slot]; }
  std::mutex& lock_of_panel(std::size_t panel) const { return locks_[panel]; }

  // Scores below it prove a group too far; infinite when nothing is wanted.
  float limit(std::size_t slot) const { return limits_[slot].load(std::memory_order_relaxed); }

  // Groups at more than this distance are too far.
  double kth_distance(std::size_t slot) const { return kth_distances_[slot]; }

  // Tells that enough members are within this distance, before they are added.
  void promise(std::size_t slot, double distance);

  // Each other group at most once.
  void add(std::size_t slot, NearGroup found);

  // Puts the groups of a slot in order: to be called once for each, after the last add().
  void finish(std::size_t slot);

  // The nearest groups in order: all that the k nearest rows come from, beside the duplicates.
  std::span<const NearGroup> nearest(std::size_t slot) const {
    return {kept_.data() + slot * space_.k, counts_[slot]};
  }

 private:
  std::span<NearGroup> kept(std::size_t slot) {
    return {kept_.data() + slot * space_.k, counts_[slot]};
  }
  void set_kth(std::size_t slot, double distance);

  const SearchSpace& space_;
  std::vector<std::uint32_t> anchors_;
  std::vector<NearGroup> kept_;         // [slots][k], each a heap with the farthest in front
  std::vector<std::uint32_t> counts_;   // of groups kept
  std::vector<std::uint32_t> members_;  // in the groups kept
  std::vector<std::uint32_t> wanted_;   // members wanted
  std::vector<double> kth_distances_;
  std::unique_ptr<std::atomic<float>[]> limits_;
  std::unique_ptr<std::mutex[]> locks_;
};

}  // namespace noiseplus
