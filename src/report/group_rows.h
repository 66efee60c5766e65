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

// With the labels of the data set, or with other `codes` in their place.
GroupRows rows_of_group(const Dataset& dataset, std::int32_t group);
GroupRows rows_of_group(const Dataset& dataset, std::int32_t group,
                        std::span<const std::int32_t> codes);

}  // namespace noiseplus
