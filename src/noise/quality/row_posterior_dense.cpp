#include <algorithm>

#include "core/portable_math.h"
#include "noise/quality/row_posterior.h"
#include "noise/row_blocks.h"
#include "noise/scores.h"

namespace noiseplus {
namespace {

class DensePosterior : public RowPosterior {
 public:
  DensePosterior(const RowPosteriorInput& input, ThreadPool& pool)
      : classes_(input.posterior.columns),
        logs_(logarithms(input.posterior, min_posterior)),
        codes_(input.codes),
        columns_(input.columns),
        blocks_(pool, input.codes.size()) {}

  PosteriorAverages averages(const PosteriorBend& bend) const override;
  double right_share(const PosteriorBend& bend) const override;
  void judge(const PosteriorBend& bend, LabelQuality& quality) const override;

 private:
  void posterior(const PosteriorBend& bend, std::size_t row, double* h) const;
  void apply_label(std::size_t row, double* h) const;

  std::size_t classes_;
  Matrix logs_;
  std::span<const std::int32_t> codes_;
  std::span<const double> columns_;
  RowBlocks blocks_;
};

void DensePosterior::posterior(const PosteriorBend& bend, std::size_t row, double* h) const {
  const float* log = logs_.row(row);
  for (std::size_t i = 0; i < classes_; ++i) {
    h[i] = bend.power * (static_cast<double>(log[i]) + bend.log_weights[i]);
  }
  softmax(h, classes_);
}

// From P(clean | row) to P(clean | row, label).
void DensePosterior::apply_label(std::size_t row, double* h) const {
  const double* column = columns_.data() + static_cast<std::size_t>(codes_[row]) * classes_;
  double sum = 0;
  for (std::size_t i = 0; i < classes_; ++i) sum += h[i] *= column[i];
  for (std::size_t i = 0; i < classes_; ++i) h[i] /= sum;
}

PosteriorAverages DensePosterior::averages(const PosteriorBend& bend) const {
  const auto size = static_cast<Eigen::Index>(2 * classes_);
  const Eigen::VectorXd sums =
      blocks_.sum(size, [&](std::size_t begin, std::size_t end, Eigen::VectorXd& total) {
        std::vector<double> h(classes_);
        double* prior = total.data();
        double* spread = prior + classes_;
        for (std::size_t n = begin; n < end; ++n) {
          posterior(bend, n, h.data());
          for (std::size_t i = 0; i < classes_; ++i) {
            prior[i] += h[i];
            spread[i] += h[i] * (1 - h[i]);
          }
        }
      });
  const Eigen::VectorXd means = sums / static_cast<double>(codes_.size());
  const double* const first = means.data();
  return {{first, first + classes_}, {first + classes_, first + 2 * classes_}};
}

double DensePosterior::right_share(const PosteriorBend& bend) const {
  const Eigen::VectorXd sum =
      blocks_.sum(1, [&](std::size_t begin, std::size_t end, Eigen::VectorXd& total) {
        std::vector<double> h(classes_);
        for (std::size_t n = begin; n < end; ++n) {
          posterior(bend, n, h.data());
          apply_label(n, h.data());
          total[0] += h[static_cast<std::size_t>(codes_[n])];
        }
      });
  return sum[0] / static_cast<double>(codes_.size());
}

void DensePosterior::judge(const PosteriorBend& bend, LabelQuality& quality) const {
  blocks_.for_each([&](std::size_t begin, std::size_t end) {
    std::vector<double> h(classes_);
    for (std::size_t n = begin; n < end; ++n) {
      posterior(bend, n, h.data());
      apply_label(n, h.data());
      const auto likeliest = std::max_element(h.begin(), h.end());
      const double right = h[static_cast<std::size_t>(codes_[n])];
      quality.right[n] = right;
      quality.suggested[n] =
          *likeliest > right ? static_cast<std::int32_t>(likeliest - h.begin()) : codes_[n];
    }
  });
}

}  // namespace

std::unique_ptr<RowPosterior> make_dense_posterior(const RowPosteriorInput& input,
                                                   ThreadPool& pool) {
  return std::make_unique<DensePosterior>(input, pool);
}

}  // namespace noiseplus
