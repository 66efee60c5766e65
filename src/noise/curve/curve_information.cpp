#include "noise/curve/curve_information.h"

namespace noiseplus {

using Eigen::Index;
using Eigen::VectorXd;

void Information::add(const ManyClassFit& fit, std::size_t begin, std::size_t end,
                      VectorXd& sums) const {
  RowMajor h(static_cast<Index>(end - begin), classes_);
  fit.posterior(begin, end, h.data());
  const RowMajor inverse =
      (h * fit.transition).array().max(smallest_probability).inverse().matrix();
  add_pairs(h, inverse, sums);
  add_slopes(fit, begin, h, inverse, sums);
}

void Information::add_pairs(const RowMajor& h, const RowMajor& inverse, VectorXd& sums) const {
  if (!every_pair_) {
    const RowMajor squares = h.cwiseAbs2();
    Eigen::Map<RowMajor>(sums.data(), classes_, classes_).noalias() +=
        inverse.transpose() * squares;
    sums.segment(classes_ * width_, classes_) += squares.colwise().sum().transpose();
    return;
  }
  for (Index label = 0; label < classes_; ++label) {
    const RowMajor scaled = inverse.col(label).asDiagonal() * h;
    Eigen::Map<RowMajor>(sums.data() + label * width_, classes_, classes_).noalias() +=
        h.transpose() * scaled;
  }
  Eigen::Map<RowMajor>(sums.data() + classes_ * width_, classes_, classes_).noalias() +=
      h.transpose() * h;
}

RowMajor slopes_of_posterior(const Matrix& logs, std::size_t begin, const RowMajor& h) {
  RowMajor slopes(h.rows(), h.cols());
  for (Index n = 0; n < h.rows(); ++n) {
    const Eigen::Map<const Eigen::RowVectorXf> row(logs.row(begin + static_cast<std::size_t>(n)),
                                                   h.cols());
    const Eigen::RowVectorXd log = row.cast<double>();
    slopes.row(n) = h.row(n).array() * (log.array() - h.row(n).dot(log));
  }
  return slopes;
}

void Information::add_slopes(const ManyClassFit& fit, std::size_t begin, const RowMajor& h,
                             const RowMajor& inverse, VectorXd& sums) const {
  std::vector<RowMajor> of_labels;
  for (Index f = 0; f < features_; ++f) {
    const Matrix& logs = fit.logs[static_cast<std::size_t>(f)];
    of_labels.push_back(slopes_of_posterior(logs, begin, h) * fit.transition);
    const RowMajor relative = of_labels.back().cwiseProduct(inverse);
    Eigen::Map<RowMajor>(sums.data() + slopes_at(f), classes_, classes_).noalias() +=
        relative.transpose() * h;
    for (Index g = 0; g <= f; ++g) {
      const double sum = relative.cwiseProduct(of_labels[static_cast<std::size_t>(g)]).sum();
      sums[slopes_at(features_) + f * features_ + g] += sum;
      if (g < f) sums[slopes_at(features_) + g * features_ + f] += sum;
    }
  }
}

}  // namespace noiseplus
