// As latent_class_influence.cpp, for more classes than a full information matrix could hold: each
// class has three parameters of its own, the others are taken as known.

#include "core/eigen_solvers.h"
#include "noise/latent_class/hidden_label.h"
#include "noise/latent_class/latent_class_errors.h"

namespace noiseplus {
namespace {

using Scores = Eigen::Vector3d;

double count_of(std::span<const ViewPatterns::Entry> views, std::size_t label) {
  for (const ViewPatterns::Entry entry : views) {
    if (entry.label == label) return entry.count;
  }
  return 0;
}

// Of classes begin, begin + 1, ...: by the logarithm of its prior, of its own label on its own
// rows, and of its label on the rows of all others.
void find_scores(const LatentClassFit& fit, const ViewPatterns& patterns, std::size_t q,
                 const HiddenLabel::Posterior& posterior, std::size_t begin,
                 std::span<Scores> scores) {
  const std::span<const ViewPatterns::Entry> views = patterns.pattern(q);
  const auto size = static_cast<double>(patterns.views);
  for (std::size_t i = 0; i < scores.size(); ++i) scores[i] = {-fit.prior[begin + i], 0, 0};
  for (const ViewPatterns::Entry entry : views) {
    const bool is_wanted = entry.label >= begin && entry.label < begin + scores.size();
    if (is_wanted) scores[entry.label - begin][2] = entry.count;
  }
  for (std::size_t a = 0; a < posterior.classes.size(); ++a) {
    const std::size_t clean = posterior.classes[a];
    const double share = posterior.probabilities[a];
    const double* row = fit.transition.data() + clean * fit.classes + begin;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      if (begin + i == clean) {
        const double own = count_of(views, clean);
        scores[i] += Scores(share, share * (own - size * row[i]), -share * own);
      } else {
        scores[i][2] -= share * size * row[i];
      }
    }
  }
}

template <typename Use>
void for_scores(const LatentClassFit& fit, const ViewPatterns& patterns, const HiddenLabel& hidden,
                std::size_t class_begin, std::size_t class_end, std::size_t begin, std::size_t end,
                const Use& use) {
  HiddenLabel::Posterior posterior;
  std::vector<Scores> scores(class_end - class_begin);
  for (std::size_t q = begin; q < end; ++q) {
    hidden.find(patterns.pattern(q), posterior);
    find_scores(fit, patterns, q, posterior, class_begin, scores);
    use(q, scores);
  }
}

}  // namespace

std::vector<double> influences_of_three(const LatentClassFit& fit, const ViewPatterns& patterns,
                                        std::size_t begin, std::size_t end, ThreadPool& pool) {
  const std::size_t width = end - begin;
  const HiddenLabel hidden(fit.prior, fit.transition, min_probability);
  const std::size_t blocks = blocks_of(patterns.size(), 9 * width);
  std::vector<std::vector<Eigen::Matrix3d>> partial(blocks);
  for_blocks(patterns.size(), blocks, pool,
             [&](std::size_t block, std::size_t from, std::size_t to) {
               std::vector<Eigen::Matrix3d>& sums = partial[block];
               sums.assign(width, Eigen::Matrix3d::Zero());
               for_scores(fit, patterns, hidden, begin, end, from, to,
                          [&](std::size_t q, const std::vector<Scores>& scores) {
                            for (std::size_t i = 0; i < width; ++i) {
                              sums[i] += patterns.sets[q] * scores[i] * scores[i].transpose();
                            }
                          });
             });

  std::vector<Scores> weights(width);
  for (std::size_t i = 0; i < width; ++i) {
    Eigen::Matrix3d information = little_information * Eigen::Matrix3d::Identity();
    for (std::size_t block = 0; block < blocks; ++block) information += partial[block][i];
    const double kept = fit.transition[(begin + i) * (fit.classes + 1)];
    weights[i] = information.inverse() * Scores(0, kept * (1 - kept), 0);
  }
  std::vector<double> influences(patterns.size() * width);
  for_blocks(patterns.size(), blocks, pool, [&](std::size_t, std::size_t from, std::size_t to) {
    for_scores(fit, patterns, hidden, begin, end, from, to,
               [&](std::size_t q, const std::vector<Scores>& scores) {
                 for (std::size_t i = 0; i < width; ++i) {
                   influences[q * width + i] = weights[i].dot(scores[i]);
                 }
               });
  });
  return influences;
}

}  // namespace noiseplus
