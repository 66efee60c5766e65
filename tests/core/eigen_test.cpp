#include "core/eigen_solvers.h"

#include <gtest/gtest.h>

#include <bit>

#include "noiseplus/core.h"

namespace noiseplus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

MatrixXd random_matrix(Index rows, Index columns, std::uint64_t seed) {
  MatrixXd matrix(rows, columns);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      matrix(r, c) = uniform(seed, Stream::generate, static_cast<std::uint64_t>(r),
                             static_cast<std::uint64_t>(c)) -
                     .5;
    }
  }
  return matrix;
}

std::uint64_t bits_of(const MatrixXd& matrix) {
  std::uint64_t sum = 0;
  for (Index c = 0; c < matrix.cols(); ++c) {
    for (Index r = 0; r < matrix.rows(); ++r) {
      sum = sum * 0x9e3779b97f4a7c15ULL + std::bit_cast<std::uint64_t>(matrix(r, c));
    }
  }
  return sum;
}

// The sizes of caches decide how a long product is summed: what the second half of this test shows
// is why the first must hold.
TEST(EigenSettings, CacheSizesAreThoseOfNoCpu) {
  EXPECT_EQ(Eigen::l1CacheSize(), 32768);
  EXPECT_EQ(Eigen::l2CacheSize(), 524288);
  EXPECT_EQ(Eigen::l3CacheSize(), 8388608);
  const MatrixXd left = random_matrix(20, 3000, 1), right = random_matrix(3000, 20, 2);
  const MatrixXd usual = left * right;
  Eigen::setCpuCacheSizes(16384, 524288, 8388608);
  const MatrixXd other = left * right;
  Eigen::setCpuCacheSizes(32768, 524288, 8388608);
  const MatrixXd again = left * right;
  EXPECT_NE(bits_of(usual), bits_of(other));
  EXPECT_EQ(bits_of(usual), bits_of(again));
  EXPECT_TRUE(usual.isApprox(other, 1e-12));
}

#ifdef EIGEN_VECTORIZE
#error "vectors of Eigen are as wide as the CPU's, which changes sums"
#endif

// The bits themselves: no compiler, CPU or C library may change them. Written by this library.
TEST(EigenSettings, BitsAreTheSameEverywhere) {
  const MatrixXd wide = random_matrix(60, 700, 3);
  const MatrixXd square = wide * wide.transpose();
  EXPECT_EQ(bits_of(square), 16096413535239384058U) << "product";
  const MatrixXd right = random_matrix(60, 7, 4);
  EXPECT_EQ(bits_of(wide.transpose() * right), 8965051478133606964U) << "product of few columns";
  EXPECT_EQ(bits_of(wide.transpose() * right.col(0)), 7318311373599474160U)
      << "product with a vector";
  EXPECT_EQ(bits_of(square.llt().solve(right)), 6345153874913320957U) << "LLT";
  EXPECT_EQ(bits_of(square.ldlt().solve(right)), 4237166370343086653U) << "LDLT";
  EXPECT_EQ(bits_of(square.partialPivLu().solve(right)), 12724622430825199439U) << "LU";
  EXPECT_EQ(bits_of(square.fullPivLu().inverse()), 8895099527544733746U) << "full LU";
  EXPECT_EQ(bits_of(square.completeOrthogonalDecomposition().pseudoInverse()), 6579949888195991941U)
      << "COD";
  const MatrixXd tall = wide.transpose();
  const MatrixXd basis =
      Eigen::HouseholderQR<MatrixXd>(tall).householderQ() * MatrixXd::Identity(700, 60);
  EXPECT_EQ(bits_of(basis), 3801567145742208637U) << "QR";
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(square);
  EXPECT_EQ(bits_of(solver.eigenvectors()), 10731795777477449306U) << "eigenvectors";
  EXPECT_EQ(bits_of(MatrixXd::Constant(1, 1, wide.row(0).dot(wide.row(1)))), 4600801158542749543U)
      << "dot";
  EXPECT_EQ(bits_of(MatrixXd::Constant(1, 1, wide.norm())), 4633508677115505240U) << "norm";
  EXPECT_EQ(bits_of(wide.colwise().sum()), 1824455268318100199U) << "sums";
}

}  // namespace
}  // namespace noiseplus
