#include "report/group_rows.h"

#include <algorithm>

namespace noiseplus {

GroupRows rows_of_group(const Dataset& dataset, std::int32_t group) {
  return rows_of_group(dataset, group, dataset.labels.codes);
}

GroupRows rows_of_group(const Dataset& dataset, std::int32_t group,
                        std::span<const std::int32_t> codes) {
  const RowsView all = dataset.features.view();
  GroupRows part{Matrix(dataset.groups.count(group), all.columns), {}};
  for (std::size_t n = 0; n < all.rows; ++n) {
    if (dataset.groups.codes[n] != group) continue;
    float* const place = part.rows.row(part.codes.size());
    const float* const row = all.row(n, place);
    if (row != place) std::copy_n(row, all.columns, place);
    part.codes.push_back(codes[n]);
  }
  return part;
}

}  // namespace noiseplus
