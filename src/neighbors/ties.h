// The seeded order of neighbors at equal distances.
//
//   1. Groups of equal rows are ordered by the hash of the pair of contents; the anchor's own group
//      comes first.
//   2. Members of one group stand on a ring of 2^64 places, each at the hash of its name. An anchor
//      takes them from the place of its own second hash on, and around.
//
// So the first members for an anchor are found in a sorted group without looking at the others, two
// anchors rarely take the same, and no order depends on which other rows there are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "noiseplus/core.h"

namespace noiseplus {

class TieOrder {
 public:
  // Empty names are the rows' indices.
  TieOrder(std::uint64_t seed, std::span<const std::uint32_t> names) : seed_(seed), names_(names) {}

  std::uint32_t name(std::uint32_t row) const { return names_.empty() ? row : names_[row]; }

  std::uint64_t between(std::uint64_t content, std::uint64_t other_content) const {
    if (content == other_content) return 0;
    return hash(seed_, Stream::ties, std::min(content, other_content),
                std::max(content, other_content));
  }

  std::uint64_t place(std::uint32_t row) const { return hash(seed_, Stream::ties, name(row)); }
  std::uint64_t first_place_for(std::uint32_t anchor) const {
    return hash(seed_, Stream::ties, name(anchor), 1);
  }

 private:
  std::uint64_t seed_;
  std::span<const std::uint32_t> names_;
};

}  // namespace noiseplus
