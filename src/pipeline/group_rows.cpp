#include "pipeline/group_rows.h"

#include <algorithm>
#include <numeric>

namespace noiseplus {

RowsByGroup::RowsByGroup(const Dataset& dataset) : RowsByGroup(dataset, dataset.labels.codes) {}

RowsByGroup::RowsByGroup(const Dataset& dataset, std::span<const std::int32_t> codes)
    : all_(dataset.features.view()),
      codes_(codes),
      first_(dataset.groups.classes.size() + 1),
      rows_(dataset.groups.codes.size()) {
  const std::vector<std::int32_t>& groups = dataset.groups.codes;
  for (const std::int32_t group : groups) ++first_[static_cast<std::size_t>(group) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t n = 0; n < groups.size(); ++n) {
    rows_[next[static_cast<std::size_t>(groups[n])]++] = n;
  }
}

GroupRows RowsByGroup::of(std::size_t group) const {
  GroupRows part{Matrix(rows_of(group).size(), all_.columns), codes_of(group)};
  std::size_t i = 0;
  for (const std::size_t n : rows_of(group)) {
    float* const place = part.rows.row(i++);
    const float* const row = all_.row(n, place);
    if (row != place) std::copy_n(row, all_.columns, place);
  }
  return part;
}

Matrix RowsByGroup::pick(MatrixView matrix, std::size_t group) const {
  Matrix part(rows_of(group).size(), matrix.columns);
  std::size_t i = 0;
  for (const std::size_t n : rows_of(group)) {
    std::copy_n(matrix.row(n), matrix.columns, part.row(i++));
  }
  return part;
}

std::vector<std::int32_t> RowsByGroup::codes_of(std::size_t group) const {
  std::vector<std::int32_t> codes;
  codes.reserve(rows_of(group).size());
  for (const std::size_t n : rows_of(group)) codes.push_back(codes_[n]);
  return codes;
}

}  // namespace noiseplus
