#include "util/principal.h"

#include <Eigen/Dense>
#include <algorithm>

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

}  // namespace

MatrixXd principal_directions(const RowMajor& sample, std::size_t count, ProgressMeter& meter) {
  constexpr std::size_t spare = 8;
  constexpr int iterations = 3;
  const Index width = std::min(sample.cols(), index(count + spare));
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
  const MatrixXd error = directions.transpose() * directions -
                         MatrixXd::Identity(directions.cols(), directions.cols());
  const bool is_orthonormal = error.cwiseAbs().maxCoeff() * static_cast<double>(count) < 1e-11;
  return is_orthonormal ? directions : MatrixXd();
}

}  // namespace noiseplus
