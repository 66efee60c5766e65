// Solves small dense linear systems. Additions, multiplications, divisions and comparisons in a
// fixed order: the same bytes on every CPU, which Eigen, vectorized as the compiler sees fit, does
// not promise.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace noiseplus {

// The LU factorization of a square matrix with partial pivoting. Takes O(n^3) once, then O(n^2) for
// each system.
class DenseLu {
 public:
  // `matrix`: n x n, row by row. False, and nothing may be solved, if it is singular to the last
  // bit or not finite.
  bool factorize(std::vector<double> matrix, std::size_t n);

  // x with A x = right, where right has n entries.
  std::vector<double> solve(std::span<const double> right) const;
  // x with A^T x = right.
  std::vector<double> solve_transposed(std::span<const double> right) const;

 private:
  double at(std::size_t row, std::size_t column) const { return factors_[row * size_ + column]; }

  std::size_t size_ = 0;
  std::vector<double> factors_;     // L below the diagonal, where it is 1, and U above
  std::vector<std::size_t> order_;  // row i of L U is row order_[i] of the matrix
};

}  // namespace noiseplus
