// Columns centered and put on one common scale, for a network whose first steps assume values of
// about one. Internal to the learn stage.
//
// One scale for all columns, because the columns of an embedding or an image mean something
// relative to each other, and a column that hardly varies should not become loud.
#pragma once

#include <span>
#include <vector>

#include "noiseplus/learn.h"

namespace noiseplus {

struct ColumnMoments {
  std::vector<double> means, variances;

  // Of these rows only. REQUIRES: there is one.
  static ColumnMoments of(MatrixView rows, std::span<const std::uint32_t> which);
};

// scaled = (row - means) * scale.
struct Scaling {
  std::vector<float> means;
  float scale = 1;

  // By these rows only.
  static Scaling of(MatrixView rows, std::span<const std::uint32_t> which);

  // A first layer for scaled rows from one for rows as they are, and back.
  Layer for_scaled_rows(const Layer& layer) const;
  Layer for_rows(const Layer& layer) const;
};

}  // namespace noiseplus
