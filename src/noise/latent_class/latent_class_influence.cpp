// A rate is a function g of the parameters; a view set with score u moves it by g' H^-1 u, where H
// = sum of u u' is the information. Parameters are logarithms of probabilities, up to a constant a
// row: their scores are differences of counts, without a division by what may be 0.
#include <algorithm>
#include <cmath>

#include "core/eigen_solvers.h"
#include "noise/latent_class/hidden_label.h"
#include "noise/latent_class/latent_class_errors.h"

namespace noiseplus {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// The scores of one pattern in all K + K^2 parameters: prior, then T row after row.
void score_of(const LatentClassFit& fit, const ViewPatterns& patterns, std::size_t q,
              const HiddenLabel::Posterior& posterior, Eigen::Ref<VectorXd> score) {
  const std::size_t classes = fit.classes;
  score.setZero();
  for (std::size_t i = 0; i < classes; ++i) score[static_cast<Eigen::Index>(i)] = -fit.prior[i];
  for (std::size_t a = 0; a < posterior.classes.size(); ++a) {
    const std::size_t i = posterior.classes[a];
    const double share = posterior.probabilities[a];
    score[static_cast<Eigen::Index>(i)] += share;
    double* row = score.data() + (i + 1) * classes;
    const double views = share * static_cast<double>(patterns.views);
    for (std::size_t j = 0; j < classes; ++j) row[j] = -views * fit.transition[i * classes + j];
    for (const ViewPatterns::Entry entry : patterns.pattern(q))
      row[entry.label] += share * entry.count;
  }
}

// Calls use(first pattern, scores) for a few patterns at a time, a column each.
template <typename Use>
void for_scores(const LatentClassFit& fit, const ViewPatterns& patterns, const HiddenLabel& hidden,
                std::size_t begin, std::size_t end, const Use& use) {
  constexpr std::size_t at_once = 128;
  HiddenLabel::Posterior posterior;
  MatrixXd scores(static_cast<Eigen::Index>(fit.classes * (fit.classes + 1)), at_once);
  for (std::size_t first = begin; first < end; first += at_once) {
    const std::size_t count = std::min(at_once, end - first);
    for (std::size_t i = 0; i < count; ++i) {
      hidden.find(patterns.pattern(first + i), posterior);
      score_of(fit, patterns, first + i, posterior, scores.col(static_cast<Eigen::Index>(i)));
    }
    use(first, scores.leftCols(static_cast<Eigen::Index>(count)));
  }
}

MatrixXd information_of(const LatentClassFit& fit, const ViewPatterns& patterns,
                        const HiddenLabel& hidden, ThreadPool& pool) {
  const auto width = static_cast<Eigen::Index>(fit.classes * (fit.classes + 1));
  const std::size_t blocks = std::min<std::size_t>(blocks_of(patterns.size(), 1), 8);
  std::vector<MatrixXd> partial(blocks);
  for_blocks(patterns.size(), blocks, pool,
             [&](std::size_t block, std::size_t begin, std::size_t end) {
               MatrixXd& sum = partial[block];
               sum.setZero(width, width);
               for_scores(fit, patterns, hidden, begin, end, [&](std::size_t first, auto scores) {
                 for (Eigen::Index i = 0; i < scores.cols(); ++i) {
                   scores.col(i) *= std::sqrt(patterns.sets[first + static_cast<std::size_t>(i)]);
                 }
                 sum.selfadjointView<Eigen::Lower>().rankUpdate(scores);
               });
             });
  for (std::size_t block = 1; block < blocks; ++block) partial[0] += partial[block];
  return partial[0];
}

// Adding a constant to a row of parameters changes nothing: H knows nothing of these directions and
// no rate depends on them. Any information about them will do.
void fix_constants(MatrixXd& information, std::size_t classes) {
  const auto width = static_cast<Eigen::Index>(classes);
  for (Eigen::Index row = 0; row <= width; ++row) {
    auto block = information.block(row * width, row * width, width, width);
    const double scale = block.trace() / static_cast<double>(width) + 1;
    block.array() += scale;
  }
  information.diagonal().array() += little_information;
}

}  // namespace

std::vector<double> influences_of_all(const LatentClassFit& fit, const ViewPatterns& patterns,
                                      ThreadPool& pool) {
  const std::size_t classes = fit.classes;
  const HiddenLabel hidden(fit.prior, fit.transition, min_probability);
  MatrixXd information = information_of(fit, patterns, hidden, pool);
  fix_constants(information, classes);
  MatrixXd gradients = MatrixXd::Zero(information.rows(), static_cast<Eigen::Index>(classes));
  for (std::size_t i = 0; i < classes; ++i) {  // of T[i][i] by the parameters of its row
    const double* row = fit.transition.data() + i * classes;
    for (std::size_t j = 0; j < classes; ++j) {
      gradients(static_cast<Eigen::Index>((i + 1) * classes + j), static_cast<Eigen::Index>(i)) =
          row[i] * ((i == j ? 1 : 0) - row[j]);
    }
  }
  const MatrixXd weights =
      information.selfadjointView<Eigen::Lower>().ldlt().solve(gradients).transpose();

  std::vector<double> influences(patterns.size() * classes);
  const std::size_t blocks = blocks_of(patterns.size(), 1);
  for_blocks(patterns.size(), blocks, pool, [&](std::size_t, std::size_t begin, std::size_t end) {
    for_scores(fit, patterns, hidden, begin, end, [&](std::size_t first, auto scores) {
      Eigen::Map<MatrixXd>(influences.data() + first * classes, weights.rows(), scores.cols())
          .noalias() = weights * scores;
    });
  });
  return influences;
}

}  // namespace noiseplus
