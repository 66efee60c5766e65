// Rows of one group, as a data set of their own. Internal.
#pragma once

#include <span>
#include <vector>

#include "noiseplus/data.h"

namespace noiseplus {

struct GroupRows {
  Matrix rows;
  std::vector<std::int32_t> codes;  // labels
};

// Sorts the rows by group once, in time proportional to rows plus groups; a group then costs only
// its own rows.
class RowsByGroup {
 public:
  // The data set must outlive it. With the labels of the data set, or with other `codes` in their
  // place, which must outlive it too. REQUIRES: one code and one group per row.
  explicit RowsByGroup(const Dataset& dataset);
  RowsByGroup(const Dataset& dataset, std::span<const std::int32_t> codes);

  // A copy of the rows of the group, in their order.
  GroupRows of(std::size_t group) const;
  // The same rows of another matrix. REQUIRES: as many rows as the data set has.
  Matrix pick(MatrixView matrix, std::size_t group) const;
  // Their labels alone.
  std::vector<std::int32_t> codes_of(std::size_t group) const;
  // Their positions in the data set, in increasing order.
  std::span<const std::size_t> rows_of(std::size_t group) const {
    return {rows_.data() + first_[group], first_[group + 1] - first_[group]};
  }

 private:
  RowsView all_;
  std::span<const std::int32_t> codes_;
  std::vector<std::size_t> first_;  // by group, into rows_
  std::vector<std::size_t> rows_;
};

}  // namespace noiseplus
