// The directions in which rows differ most. Internal.
#pragma once

#include "core/eigen.h"
#include "core/thread_pool.h"

namespace noiseplus {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

inline Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

// left * right, each entry summed in the order of left's columns. Zeros in `left` cost little.
// Unlike Eigen's product, which core/eigen.h keeps from using vectors, it adds up several columns
// of the result at once; none of its sums depends on how many.
RowMajor product(const RowMajor& left, const RowMajor& right);

// The first `count` principal directions of a sample whose columns have mean 0, one per column of
// the result. They are approximate: subspace iteration from hashed columns, then the eigenvectors
// inside the subspace. For a sample with few rows they come from its Gram matrix, correct up to
// rounding, and there are at most as many as rows. Each product of two directions differs from that
// of orthonormal ones by less than 1e-11 / their number. Returns an empty matrix, which callers
// must expect, if the sample is empty, count is 0, or the directions are not that near to
// orthonormal even after a correction, as with NaN. REQUIRES: count <= columns. Steps of the meter
// are not counted.
Eigen::MatrixXd principal_directions(const RowMajor& sample, std::size_t count,
                                     ProgressMeter& meter);

}  // namespace noiseplus
