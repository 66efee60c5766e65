#include "learn/held_out.h"

#include <algorithm>

#include "core/row_count.h"

namespace noiseplus {

std::vector<std::uint32_t> rows_of_fold(std::span<const std::int32_t> folds, std::int32_t fold) {
  check_row_count(folds.size());
  std::vector<std::uint32_t> rows;
  for (std::size_t n = 0; n < folds.size(); ++n) {
    if (folds[n] == fold) rows.push_back(static_cast<std::uint32_t>(n));
  }
  return rows;
}

Matrix gather(MatrixView rows, std::span<const std::uint32_t> which) {
  Matrix gathered(which.size(), rows.columns);
  for (std::size_t i = 0; i < which.size(); ++i) {
    std::copy_n(rows.row(which[i]), rows.columns, gathered.row(i));
  }
  return gathered;
}

}  // namespace noiseplus
