#include "noise/wrong_share.h"

#include <algorithm>

#include "core/eigen_solvers.h"

namespace noiseplus {
namespace {

// With more classes the change of the prior is left out: solving for it would take longer than the
// rest.
constexpr std::size_t max_classes = 128;
// Labels that keep less than this of the clean ones tell next to nothing of the prior, and its
// change cannot be known.
constexpr double min_kept = .02;

// What each class's label share gains when the rate of class i grows, per row of class i.
Eigen::VectorXd label_gains(std::span<const double> transition, std::size_t i,
                            std::size_t classes) {
  const double rate = 1 - transition[i * classes + i];
  Eigen::VectorXd gains(static_cast<Eigen::Index>(classes));
  for (std::size_t j = 0; j < classes; ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    if (j == i) {
      gains[at] = -1;
    } else {
      gains[at] =
          rate > 0 ? transition[i * classes + j] / rate : 1 / static_cast<double>(classes - 1);
    }
  }
  return gains;
}

}  // namespace

WrongShare wrong_share_of(std::span<const double> transition, std::span<const double> prior) {
  const std::size_t classes = prior.size();
  WrongShare share;
  Eigen::VectorXd rates(static_cast<Eigen::Index>(classes));
  for (std::size_t c = 0; c < classes; ++c) {
    rates[static_cast<Eigen::Index>(c)] = 1 - transition[c * classes + c];
    share.value += prior[c] * (1 - transition[c * classes + c]);
  }
  share.gradient.assign(prior.begin(), prior.end());
  const auto count = static_cast<double>(classes);
  const bool tells_nothing = count - rates.sum() - 1 < min_kept * (count - 1);
  if (classes < 2 || classes > max_classes || tells_nothing) return share;
  // Stored by rows, so that Eigen, which stores by columns, sees the transpose.
  const auto size = static_cast<Eigen::Index>(classes);
  const Eigen::Map<const Eigen::MatrixXd> transposed(transition.data(), size, size);
  // d prior = -(T^t)^-1 dT^t prior, and the share changes by rates . d prior beside the direct
  // part.
  const Eigen::VectorXd weights = transposed.transpose().partialPivLu().solve(rates);
  if (!weights.allFinite()) return share;
  for (std::size_t i = 0; i < classes; ++i) {
    const double indirect = -prior[i] * weights.dot(label_gains(transition, i, classes));
    share.gradient[i] = std::max(share.gradient[i] + indirect, 0.0);
  }
  return share;
}

}  // namespace noiseplus
