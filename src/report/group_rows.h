// Rows of one group, as a data set of their own. Internal.
#pragma once

#include <vector>

#include "noiseplus/data.h"

namespace noiseplus {

struct GroupRows {
  Matrix rows;
  std::vector<std::int32_t> codes;  // labels
};

GroupRows rows_of_group(const Dataset& dataset, std::int32_t group);

}  // namespace noiseplus
