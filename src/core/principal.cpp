#include "core/principal.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/eigen_solvers.h"

namespace noiseplus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// An orthonormal basis of the columns' span, by Householder reflections: orthonormal up to the
// rounding errors of sums as long as a column, whatever the columns are.
MatrixXd basis_of(const MatrixXd& columns) {
  return Eigen::HouseholderQR<MatrixXd>(columns).householderQ() *
         MatrixXd::Identity(columns.rows(), columns.cols());
}

// With fewer rows than columns, the directions are linear combinations of the rows; the small Gram
// matrix gives the coefficients.
MatrixXd directions_of_few_rows(const RowMajor& sample, Index count) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> inside(sample * sample.transpose());
  MatrixXd combinations = inside.eigenvectors().rowwise().reverse().leftCols(count);
  // Of equal length, or the short ones would be lost beside the long ones.
  for (Index c = 0; c < count; ++c) {
    const double square = inside.eigenvalues()[sample.rows() - 1 - c];
    if (square > 0) combinations.col(c) /= std::sqrt(square);
  }
  return basis_of(sample.transpose() * combinations);
}

bool are_orthonormal(const MatrixXd& directions) {
  const MatrixXd error = directions.transpose() * directions -
                         MatrixXd::Identity(directions.cols(), directions.cols());
  // Not the largest error: Eigen may skip NaN when it looks for a maximum.
  return (error.array().abs() * static_cast<double>(directions.cols()) < 1e-11).all();
}

// The directions, corrected by their Gram matrix if they are not orthonormal enough; empty if that
// does not help. Long columns lose digits in the norms of the reflections.
MatrixXd orthonormalized(MatrixXd directions) {
  if (are_orthonormal(directions)) return directions;
  const Eigen::LLT<MatrixXd> gram(directions.transpose() * directions);
  gram.matrixU().solveInPlace<Eigen::OnTheRight>(directions);
  return are_orthonormal(directions) ? directions : MatrixXd();
}

}  // namespace

RowMajor product(const RowMajor& left, const RowMajor& right) {
  constexpr Index together = 8;
  const Index width = right.cols();
  RowMajor result(left.rows(), width);
  std::vector<Index> used;
  used.reserve(static_cast<std::size_t>(left.cols()));
  for (Index n = 0; n < left.rows(); ++n) {
    const double* const values = left.data() + n * left.cols();
    used.clear();
    for (Index c = 0; c < left.cols(); ++c) {
      if (values[c] != 0) used.push_back(c);
    }
    Index first = 0;
    for (; first + together <= width; first += together) {
      double sums[together] = {};
      for (const Index c : used) {
        const double* const factors = right.data() + c * width + first;
        for (Index j = 0; j < together; ++j) sums[j] += values[c] * factors[j];
      }
      std::copy_n(sums, together, result.data() + n * width + first);
    }
    for (; first < width; ++first) {
      double sum = 0;
      for (const Index c : used) sum += values[c] * right.data()[c * width + first];
      result(n, first) = sum;
    }
  }
  return result;
}

MatrixXd principal_directions(const RowMajor& sample, std::size_t count, ProgressMeter& meter) {
  constexpr std::size_t spare = 8;
  constexpr int iterations = 3;
  if (count == 0 || sample.size() == 0) return {};
  const Index width = std::min(sample.cols(), index(count + spare));
  if (sample.rows() <= 4 * width && sample.rows() < sample.cols()) {
    return orthonormalized(directions_of_few_rows(sample, std::min(sample.rows(), index(count))));
  }
  MatrixXd basis(sample.cols(), width);
  for (Index c = 0; c < basis.cols(); ++c) {
    for (Index r = 0; r < basis.rows(); ++r) {
      basis(r, c) =
          normal(0, Stream::ties, static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(c));
    }
  }
  basis = basis_of(basis);
  const RowMajor columns = sample.transpose();
  for (int i = 0; i < iterations; ++i) {
    basis = basis_of(product(columns, product(sample, basis)));
    meter.step(0);
  }
  const MatrixXd along = product(sample, basis);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> inside(along.transpose() * along);
  // Orthonormal once more: products and eigenvectors have each lost a few bits.
  return orthonormalized(
      basis_of(basis * inside.eigenvectors().rowwise().reverse().leftCols(index(count))));
}

}  // namespace noiseplus
