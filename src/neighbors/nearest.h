// What anchors know while the base passes by: groups that may be among the nearest, and how near a
// further one must be to matter.
//
// Invariants:
//   1. The order of groups is total: distance, then TieOrder. What is found does not depend on the
//      order in which groups were met.
//   2. A group is turned away only when its score proves, or its distance says, that groups with
//      enough members in all come before it. Enough is k less the anchor's own duplicates.
//   3. limit() never falls. It may be read while another thread changes the anchor; all else needs
//      the anchor's panel to be locked.
//
// Groups wait with their scores, which imply limits good enough for most; distances are measured at
// the end, or when many wait because scores cannot tell them apart.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "neighbors/bound.h"
#include "neighbors/distinct.h"
#include "neighbors/kernel.h"
#include "neighbors/points.h"
#include "neighbors/ties.h"

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

// A group that was met with a score above the limit.
struct Candidate {
  float score = 0;
  float implied_limit = 0;  // what the limit would be if it were the last one wanted
  std::uint32_t group = 0;
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

  // Each other group at most once. Below the limit nothing happens.
  void offer(std::size_t slot, const Candidate& candidate, Points::Scratch& scratch);

  // Tells that candidates which imply this limit will be offered.
  void promise(std::size_t slot, float implied_limit) { raise_limit(slot, implied_limit); }

  // How many groups imply limits together, at least.
  std::size_t wanted(std::size_t slot) const { return wanted_[slot]; }

  // Measures what waits and puts the nearest in order: once for each slot, after the last offer.
  void finish(std::size_t slot, Points::Scratch& scratch);

  // The nearest groups in order: all that the k nearest rows come from, beside the duplicates.
  std::span<const NearGroup> nearest(std::size_t slot) const { return nearest_[slot]; }

  std::size_t measured(std::size_t slot) const { return measured_[slot]; }

 private:
  std::span<Candidate> waiting(std::size_t slot) {
    return {waiting_.data() + slot * room_, waiting_counts_[slot]};
  }
  void raise_limit(std::size_t slot, float limit);
  void drop_hopeless(std::size_t slot);
  void measure_waiting(std::size_t slot, Points::Scratch& scratch);
  void add(std::size_t slot, NearGroup found);

  const SearchSpace& space_;
  std::size_t room_;  // for candidates of a slot
  std::vector<std::uint32_t> anchors_;
  std::vector<std::uint32_t> wanted_;            // members wanted
  std::vector<Candidate> waiting_;               // [slots][room], highest implied limit first
  std::vector<std::uint32_t> waiting_counts_;    // of each slot
  std::vector<std::vector<NearGroup>> nearest_;  // measured: heaps with the farthest in front
  std::vector<std::uint32_t> members_;           // in the groups of nearest_
  std::vector<std::uint32_t> measured_;          // how many distances
  std::unique_ptr<std::atomic<float>[]> limits_;
  std::unique_ptr<std::mutex[]> locks_;
};

}  // namespace noiseplus
