// Rows set aside. Internal to the learn stage.
#pragma once

#include <span>
#include <vector>

#include "noiseplus/core.h"

namespace noiseplus {

std::vector<std::uint32_t> rows_of_fold(std::span<const std::int32_t> folds, std::int32_t fold);

// Copies of these rows, in this order.
Matrix gather(MatrixView rows, std::span<const std::uint32_t> which);

}  // namespace noiseplus
