// The directions in which rows differ most. Internal.
#pragma once

#include "util/eigen.h"
#include "util/thread_pool.h"

namespace noiseplus {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

// The first `count` principal directions of a sample whose columns have mean 0, one a column,
// approximately: subspace iteration from hashed columns, then the eigenvectors inside the subspace.
// Of a sample with few rows they are exact, and no more than it has rows.
// Empty when they are not orthonormal enough. Steps of the meter are not counted.
Eigen::MatrixXd principal_directions(const RowMajor& sample, std::size_t count,
                                     ProgressMeter& meter);

}  // namespace noiseplus
