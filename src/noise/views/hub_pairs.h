// Sums over the pairs of view sets that share a hub. Internal to sharing.cpp.
#pragma once

#include <limits>
#include <vector>

#include "noise/views/sharing.h"

namespace noiseplus {

// Which dense hubs each set holds, as bits: the most frequent hub is bit 0.
class DenseMasks {
 public:
  DenseMasks() = default;
  // REQUIRES: dense[b] lists the sets that hold the hub of bit b.
  DenseMasks(std::size_t sets, const std::vector<SetList>& dense);

  std::size_t hubs() const { return hubs_; }
  std::size_t words() const { return words_; }
  bool has(std::size_t set, std::size_t hub) const {
    return (of(set)[hub / 64] >> (hub % 64) & 1) != 0;
  }
  const std::uint64_t* of(std::size_t set) const { return masks_.data() + set * words_; }

 private:
  std::size_t hubs_ = 0, words_ = 0;
  std::vector<std::uint64_t> masks_;
};

// The products of all pairs that share a dense hub. Splits both lists by one hub after the other,
// and compares masks where that takes fewer steps.
class DensePairs {
 public:
  DensePairs(const DenseMasks& masks, const Hubs::AddProduct& add) : masks_(masks), add_(add) {}

  // The ordered pairs of one of x and one of y. Stops early beyond `max_steps` in all calls.
  void sum(int sign, SetList x, SetList y,
           double max_steps = std::numeric_limits<double>::infinity());
  double steps() const { return steps_; }

 private:
  using Sets = std::span<std::uint32_t>;

  std::size_t move_to_front(Sets sets, std::size_t hub);
  bool is_small(Sets x, Sets y, std::size_t hub) const;
  void split(Sets x, Sets y, std::size_t hub);
  void compare(Sets x, Sets y);
  void add(int sign, SetList x, SetList y);

  const DenseMasks& masks_;
  const Hubs::AddProduct& add_;
  int sign_ = 1;
  double steps_ = 0, max_steps_ = 0;
  std::vector<std::uint32_t> x_, y_, sharing_, others_, mostly_sharing_;
  std::vector<std::uint64_t> y_masks_;
};

// The pairs that share a sparse hub and no dense one. 1 for every pair that shares a sparse hub is
// the sum over all non-empty sets of hubs A that both have, of (-1)^(|A| + 1).
class SparsePairs {
 public:
  // Hubs from `sparse` on are dense.
  SparsePairs(const Hubs& hubs, std::size_t sparse, const DenseMasks& masks,
              const Hubs::AddProduct& add)
      : hubs_(hubs), sparse_(sparse), masks_(masks), add_(add), dense_(masks, add) {}

  // All A whose lowest hub is this.
  void sum(std::size_t hub);
  double steps() const { return steps_ + dense_.steps(); }

 private:
  struct Member {
    std::uint32_t set;
    SetList hubs_left;  // above those of A, ascending
  };

  void descend(std::vector<Member>& members, int sign);
  void add_members(const std::vector<Member>& members, int sign);

  const Hubs& hubs_;
  std::size_t sparse_;
  const DenseMasks& masks_;
  const Hubs::AddProduct& add_;
  DensePairs dense_;
  double steps_ = 0;
};

}  // namespace noiseplus
