// Second derivatives of the likelihood of a curve of more than two classes. Internal.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/eigen.h"
#include "noiseplus/core.h"

namespace noiseplus {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A fit, as far as its errors go: P(label y | row) = sum over i of h_i T[i][y], h = softmax(sum
// over features of weight * log + intercepts).
struct ManyClassFit {
  Eigen::MatrixXd transition;  // T[i][j] at (i, j)
  double pseudo_count = 0;     // of each cell of T
  const std::vector<Matrix>& logs;
  std::span<const std::int32_t> codes;
  std::function<void(std::size_t begin, std::size_t end, double* h)> posterior;
};

inline constexpr double smallest_probability = 1e-12;  // of a label, where it divides

// h with each entry times how far its feature is above the mean that h gives it: the derivatives of
// h in the feature's weight.
RowMajor slopes_of_posterior(const Matrix& logs, std::size_t begin, const RowMajor& h);

// Sums over rows that the expected second derivatives are made of. With q_y = P(label y | row) and
// g_fy its derivative in the weight of feature f:
//   pairs   h_i h_k / q_y for each label y: all (i, k), or those with i = k only;
//   own     h_i h_k, likewise;
//   slopes  h_i g_fy / q_y at (y, i) for each feature;
//   weights sum over y of g_fy g_gy / q_y at (f, g).
class Information {
 public:
  Information(Eigen::Index classes, Eigen::Index features, bool every_pair)
      : classes_(classes),
        features_(features),
        width_(every_pair ? classes * classes : classes),
        every_pair_(every_pair) {}

  Eigen::Index size() const {
    return (classes_ + 1) * width_ + features_ * classes_ * classes_ + features_ * features_;
  }
  void add(const ManyClassFit& fit, std::size_t begin, std::size_t end,
           Eigen::VectorXd& sums) const;
  void set(Eigen::VectorXd sums) { sums_ = std::move(sums); }

  double pair(Eigen::Index label, Eigen::Index i, Eigen::Index k) const {
    return sums_[label * width_ + (every_pair_ ? i * classes_ + k : i)];
  }
  double own(Eigen::Index i, Eigen::Index k) const { return pair(classes_, i, k); }
  double slope(Eigen::Index feature, Eigen::Index label, Eigen::Index i) const {
    return sums_[slopes_at(feature) + label * classes_ + i];
  }
  double weight(Eigen::Index f, Eigen::Index g) const {
    return sums_[slopes_at(features_) + f * features_ + g];
  }

 private:
  Eigen::Index slopes_at(Eigen::Index feature) const {
    return (classes_ + 1) * width_ + feature * classes_ * classes_;
  }
  void add_pairs(const RowMajor& h, const RowMajor& inverse, Eigen::VectorXd& sums) const;
  void add_slopes(const ManyClassFit& fit, std::size_t begin, const RowMajor& h,
                  const RowMajor& inverse, Eigen::VectorXd& sums) const;

  Eigen::Index classes_, features_, width_;
  bool every_pair_;
  Eigen::VectorXd sums_;
};

}  // namespace noiseplus
