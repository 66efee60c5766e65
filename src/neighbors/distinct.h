// Exact duplicates, grouped: the search runs over distinct rows only, so that a table with a
// thousand equal rows costs what its distinct rows cost.
//
// Invariants:
//   1. Two rows are in one group exactly when all their values are equal.
//   2. Groups are numbered by their first rows; where no two rows are equal, group g is row g.
//   3. Members of a group are in the order of their places on the ring (ties.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/thread_pool.h"
#include "neighbors/points.h"
#include "neighbors/ties.h"

namespace noiseplus {

class DistinctRows {
 public:
  // Steps the meter once for each Points::rows_at_once rows.
  DistinctRows(const Points& points, const TieOrder& ties, ThreadPool& pool, ProgressMeter& meter);

  std::size_t size() const { return contents_.size(); }

  std::uint32_t group_of(std::uint32_t row) const { return group_of_[row]; }
  std::uint64_t content(std::uint32_t group) const { return contents_[group]; }
  std::span<const std::uint32_t> members(std::uint32_t group) const {
    return {members_.data() + ends_[group] - counts_[group], counts_[group]};
  }

  // A row of the group: any, as they are equal.
  std::uint32_t row(std::uint32_t group) const { return members(group).front(); }
  std::uint32_t count(std::uint32_t group) const { return counts_[group]; }

 private:
  std::vector<std::uint32_t> find_leaders(const Points& points,
                                          std::span<const std::uint64_t> hashes, ThreadPool& pool,
                                          ProgressMeter& meter) const;
  void number_groups(std::span<const std::uint32_t> leaders, std::span<const std::uint64_t> hashes);
  void collect_members(const TieOrder& ties, ThreadPool& pool, ProgressMeter& meter);

  std::vector<std::uint32_t> group_of_;  // of each row
  std::vector<std::uint64_t> contents_;  // hash of each group's values
  std::vector<std::uint32_t> counts_;    // of members
  std::vector<std::uint32_t> ends_;      // of each group in members_
  std::vector<std::uint32_t> members_;
};

}  // namespace noiseplus
