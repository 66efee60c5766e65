// View sets with the same labels, counted once. Internal.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "noiseplus/neighbors.h"

namespace noiseplus {

// The hidden label of a row matters to its views only by how many of them have which label, so view
// sets with the same counts are alike: of two classes there are at most k + 2 kinds. A pattern is
// one kind: the classes that occur and how often.
struct ViewPatterns {
  struct Entry {
    std::uint16_t label = 0, count = 0;
  };

  std::size_t views = 0;           // in a set: k + 1
  std::vector<std::size_t> first;  // entries of pattern q are entries[first[q]] .. [first[q + 1]]
  std::vector<Entry> entries;      // by label within a pattern
  std::vector<double> sets;        // view sets of each pattern
  std::vector<std::uint32_t> of_set;  // pattern of each view set

  std::size_t size() const { return sets.size(); }
  std::span<const Entry> pattern(std::size_t q) const {
    return {entries.data() + first[q], first[q + 1] - first[q]};
  }
};

// REQUIRES: codes in 0..65535, k below 65535.
ViewPatterns find_patterns(const NeighborGraph& graph, std::span<const std::int32_t> codes);

}  // namespace noiseplus
