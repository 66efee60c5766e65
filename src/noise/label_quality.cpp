#include <algorithm>
#include <cmath>

#include "noise/row_blocks.h"
#include "noise/scores.h"
#include "noiseplus/noise.h"
#include "util/checks.h"
#include "util/portable_math.h"

namespace noiseplus {
namespace {

constexpr double least_transition = 1e-4;  // as the header says
constexpr double least_posterior = 1e-12;
constexpr double least_power = .25, most_power = 4;
constexpr double most_log_weight = 3;
constexpr double most_log_step = .5;

constexpr double share_tolerance = 5e-4;  // of the share of right labels
constexpr double prior_tolerance = 1e-3;  // of the prior of each class, relative
constexpr double least_prior = 1e-6;
constexpr int most_passes = 40;  // for the weights at one power
constexpr int halvings = 8;      // of the range of powers: it is then known to about 1 %

// What the rows make of a posterior and T, on average.
struct Averages {
  std::vector<double> prior;   // mean of h
  std::vector<double> spread;  // mean of h (1 - h)
  double right = 0;            // mean of P(given label is right)
};

// h_i ~ (posterior_i * weight_i)^power, and Bayes' rule on top of it.
class AdjustedPosterior {
 public:
  AdjustedPosterior(MatrixView posterior, const NoiseEstimate& estimate,
                    std::span<const std::int32_t> codes, ThreadPool& pool)
      : classes_(posterior.columns),
        logs_(logarithms(posterior, least_posterior)),
        codes_(codes),
        prior_(estimate.prior),
        columns_(classes_ * classes_),
        blocks_(pool, codes.size()),
        log_weights_(classes_) {
    for (std::size_t i = 0; i < classes_; ++i) {
      right_ += prior_[i] * estimate.transition[i * classes_ + i];
      prior_[i] = std::max(prior_[i], least_prior);
      for (std::size_t j = 0; j < classes_; ++j) {
        columns_[j * classes_ + i] =
            std::max(estimate.transition[i * classes_ + j], least_transition);
      }
    }
  }

  void adjust(ProgressMeter& meter);
  LabelQuality quality() const;

 private:
  double excess_at(double power);
  Averages averages() const;
  bool move_weights(const Averages& averages);
  void posterior(std::size_t row, double* h) const;
  void apply_label(std::size_t row, double* h) const;

  std::size_t classes_;
  Matrix logs_;
  std::span<const std::int32_t> codes_;
  std::vector<double> prior_;
  double right_ = 0;             // share of right labels, by the estimate
  std::vector<double> columns_;  // T transposed: what is known of a label side by side
  RowBlocks blocks_;
  double power_ = 1;
  std::vector<double> log_weights_;
};

void AdjustedPosterior::posterior(std::size_t row, double* h) const {
  const float* log = logs_.row(row);
  for (std::size_t i = 0; i < classes_; ++i) {
    h[i] = power_ * (static_cast<double>(log[i]) + log_weights_[i]);
  }
  softmax(h, classes_);
}

// From P(clean | row) to P(clean | row, label).
void AdjustedPosterior::apply_label(std::size_t row, double* h) const {
  const double* column = columns_.data() + static_cast<std::size_t>(codes_[row]) * classes_;
  double sum = 0;
  for (std::size_t i = 0; i < classes_; ++i) sum += h[i] *= column[i];
  for (std::size_t i = 0; i < classes_; ++i) h[i] /= sum;
}

Averages AdjustedPosterior::averages() const {
  const auto size = static_cast<Eigen::Index>(2 * classes_ + 1);
  const Eigen::VectorXd sums =
      blocks_.sum(size, [&](std::size_t begin, std::size_t end, Eigen::VectorXd& total) {
        std::vector<double> h(classes_);
        double* spread = total.data() + classes_;
        for (std::size_t n = begin; n < end; ++n) {
          posterior(n, h.data());
          for (std::size_t i = 0; i < classes_; ++i) {
            total.data()[i] += h[i];
            spread[i] += h[i] * (1 - h[i]);
          }
          apply_label(n, h.data());
          total.data()[2 * classes_] += h[static_cast<std::size_t>(codes_[n])];
        }
      });
  const Eigen::VectorXd means = sums / static_cast<double>(codes_.size());
  const double* const first = means.data();
  return {{first, first + classes_}, {first + classes_, first + 2 * classes_}, means[size - 1]};
}

// One step of Newton's method on the diagonal alone, halved: what one class gains others lose.
bool AdjustedPosterior::move_weights(const Averages& averages) {
  bool settled = true;
  for (std::size_t i = 0; i < classes_; ++i) {
    const double missing = prior_[i] - averages.prior[i];
    settled = settled && std::abs(missing) <= prior_tolerance * prior_[i];
    const double slope = std::max(2 * power_ * averages.spread[i], 1e-12);
    const double step = std::clamp(missing / slope, -most_log_step, most_log_step);
    log_weights_[i] = std::clamp(log_weights_[i] + step, -most_log_weight, most_log_weight);
  }
  return settled;
}

// By how much the share of right labels is above the estimate's, with the weights that go with
// this power.
double AdjustedPosterior::excess_at(double power) {
  power_ = power;
  for (int pass = 0;; ++pass) {
    const std::vector<double> weights = log_weights_;
    const Averages found = averages();
    if (pass == most_passes || move_weights(found)) {
      log_weights_ = weights;
      return found.right - right_;
    }
  }
}

// Too blunt a posterior trusts too many labels, so that the excess falls as the power grows.
void AdjustedPosterior::adjust(ProgressMeter& meter) {
  if (std::abs(excess_at(1)) <= share_tolerance) return;
  meter.step();
  if (excess_at(most_power) >= 0) return;
  double low = portable::log(least_power), high = portable::log(most_power);
  for (int i = 0; i < halvings; ++i) {
    const double middle = (low + high) / 2;
    meter.step();
    (excess_at(portable::exp(middle)) > 0 ? low : high) = middle;
  }
}

LabelQuality AdjustedPosterior::quality() const {
  LabelQuality quality{std::vector<double>(codes_.size()),
                       std::vector<std::int32_t>(codes_.size())};
  quality.power = power_;
  blocks_.for_each([&](std::size_t begin, std::size_t end) {
    std::vector<double> h(classes_);
    for (std::size_t n = begin; n < end; ++n) {
      posterior(n, h.data());
      apply_label(n, h.data());
      const auto likeliest = std::max_element(h.begin(), h.end());
      const double right = h[static_cast<std::size_t>(codes_[n])];
      quality.right[n] = right;
      quality.suggested[n] =
          *likeliest > right ? static_cast<std::int32_t>(likeliest - h.begin()) : codes_[n];
    }
  });
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
