#include <algorithm>
#include <cmath>
#include <memory>

#include "core/checks.h"
#include "core/portable_math.h"
#include "noise/quality/row_posterior.h"
#include "noise/scores.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

constexpr double min_transition = 1e-4;  // as the header says
constexpr double min_power = .25, max_power = 4;
constexpr double max_log_weight = 3;
constexpr double max_log_step = .5;

constexpr double share_tolerance = 5e-4;  // of the share of right labels
constexpr double prior_tolerance = 1e-3;  // of the prior of each class, relative
constexpr double min_prior = 1e-6;
constexpr int max_passes = 40;  // for the weights at one power
constexpr int halvings = 8;     // of the range of powers: it is then known to about 1 %

// Bends the posteriors until they agree with the estimate.
class AdjustedPosterior {
 public:
  AdjustedPosterior(MatrixView posterior, const NoiseEstimate& estimate,
                    std::span<const std::int32_t> codes, ThreadPool& pool)
      : classes_(posterior.columns),
        codes_(codes),
        prior_(estimate.prior),
        columns_(classes_ * classes_),
        bend_{1, std::vector<double>(classes_)} {
    for (std::size_t i = 0; i < classes_; ++i) {
      right_ += prior_[i] * estimate.transition[i * classes_ + i];
      prior_[i] = std::max(prior_[i], min_prior);
      for (std::size_t j = 0; j < classes_; ++j) {
        columns_[j * classes_ + i] =
            std::max(estimate.transition[i * classes_ + j], min_transition);
      }
    }
    const RowPosteriorInput input{posterior, codes, columns_};
    rows_ = make_sparse_posterior(input, pool);
    if (!rows_) rows_ = make_dense_posterior(input, pool);
  }

  void adjust(ProgressMeter& meter);
  LabelQuality quality() const;

 private:
  double excess_at(double power);
  bool move_weights(const PosteriorAverages& averages);

  std::size_t classes_;
  std::span<const std::int32_t> codes_;
  std::vector<double> prior_;
  double right_ = 0;             // share of right labels, by the estimate
  std::vector<double> columns_;  // T transposed: what is known of a label side by side
  std::unique_ptr<RowPosterior> rows_;
  PosteriorBend bend_;
};

// One step of Newton's method on the diagonal alone, halved: what one class gains others lose.
bool AdjustedPosterior::move_weights(const PosteriorAverages& averages) {
  bool settled = true;
  for (std::size_t i = 0; i < classes_; ++i) {
    const double missing = prior_[i] - averages.prior[i];
    settled = settled && std::abs(missing) <= prior_tolerance * prior_[i];
    const double slope = std::max(2 * bend_.power * averages.spread[i], 1e-12);
    const double step = std::clamp(missing / slope, -max_log_step, max_log_step);
    double& weight = bend_.log_weights[i];
    weight = std::clamp(weight + step, -max_log_weight, max_log_weight);
  }
  return settled;
}

// By how much the share of right labels is above the estimate's, with the weights that go with
// this power.
double AdjustedPosterior::excess_at(double power) {
  bend_.power = power;
  for (int pass = 0;; ++pass) {
    const std::vector<double> weights = bend_.log_weights;
    if (pass == max_passes || move_weights(rows_->averages(bend_))) {
      bend_.log_weights = weights;
      return rows_->right_share(bend_) - right_;
    }
  }
}

// Too blunt a posterior trusts too many labels, so that the excess falls as the power grows.
void AdjustedPosterior::adjust(ProgressMeter& meter) {
  if (std::abs(excess_at(1)) <= share_tolerance) return;
  meter.step();
  if (excess_at(max_power) >= 0) return;
  double low = portable::log(min_power), high = portable::log(max_power);
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    meter.step();
    (excess_at(portable::exp(middle)) > 0 ? low : high) = middle;
  }
}

LabelQuality AdjustedPosterior::quality() const {
  LabelQuality quality{std::vector<double>(codes_.size()),
                       std::vector<std::int32_t>(codes_.size())};
  quality.power = bend_.power;
  rows_->judge(bend_, quality);
  return quality;
}

}  // namespace

LabelQuality label_quality(MatrixView posterior, const NoiseEstimate& estimate,
                           std::span<const std::int32_t> codes, const Execution& execution) {
  check_scores("label quality", posterior, codes);
  const std::size_t classes = posterior.columns;
  if (estimate.prior.size() != classes || estimate.transition.size() != classes * classes) {
    throw Error(ErrorKind::usage, "label quality: the estimate is not of the posterior's " +
                                      std::to_string(classes) + " classes");
  }
  check_probabilities(estimate.prior, "the prior");
  check_probabilities(estimate.transition, "the transition matrix");
  ThreadPool pool(execution.threads);
  AdjustedPosterior adjusted(posterior, estimate, codes, pool);
  ProgressMeter meter(execution, "label quality", halvings + 2);
  adjusted.adjust(meter);
  LabelQuality quality = adjusted.quality();
  meter.finish();
  return quality;
}

}  // namespace noiseplus
