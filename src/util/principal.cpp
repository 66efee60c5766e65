#include "util/principal.h"

#include <algorithm>
#include <cmath>

#include "util/eigen.h"

namespace noiseplus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// An orthonormal basis of the columns' span. Householder's: orthonormal to the last few bits,
// whatever the columns are.
MatrixXd basis_of(const MatrixXd& columns) {
  return Eigen::HouseholderQR<MatrixXd>(columns).householderQ() *
         MatrixXd::Identity(columns.rows(), columns.cols());
}

// Of a sample with fewer rows than directions are looked for in: they are combinations of its rows,
// and their squares and products, which are few, tell which. Exact, and nothing as long as a row is
// made but the directions.
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
  return error.cwiseAbs().maxCoeff() * static_cast<double>(directions.cols()) < 1e-11;
}

}  // namespace

MatrixXd principal_directions(const RowMajor& sample, std::size_t count, ProgressMeter& meter) {
  constexpr std::size_t spare = 8;
  constexpr int iterations = 3;
  const Index width = std::min(sample.cols(), index(count + spare));
  if (sample.rows() <= 4 * width && sample.rows() < sample.cols()) {
    const MatrixXd directions =
        directions_of_few_rows(sample, std::min(sample.rows(), index(count)));
    return are_orthonormal(directions) ? directions : MatrixXd();
  }
  MatrixXd basis(sample.cols(), width);
  for (Index c = 0; c < basis.cols(); ++c) {
    for (Index r = 0; r < basis.rows(); ++r) {
      basis(r, c) =
          normal(0, Stream::ties, static_cast<std::uint64_t>(r), static_cast<std::uint64_t>(c));
    }
  }
  basis = basis_of(basis);
  for (int i = 0; i < iterations; ++i) {
    const MatrixXd along = sample * basis;
    basis = basis_of(sample.transpose() * along);
    meter.step(0);
  }
  const MatrixXd along = sample * basis;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> inside(along.transpose() * along);
  // Orthonormal once more: products and eigenvectors have each lost a few bits.
  MatrixXd directions =
      basis_of(basis * inside.eigenvectors().rowwise().reverse().leftCols(index(count)));
  return are_orthonormal(directions) ? directions : MatrixXd();
}

}  // namespace noiseplus
