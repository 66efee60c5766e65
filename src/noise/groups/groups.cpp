#include <algorithm>
#include <cmath>

#include "core/checks.h"
#include "core/eigen_solvers.h"
#include "core/intervals.h"
#include "noise/scores.h"
#include "noise/wrong_share.h"
#include "noiseplus/noise.h"

namespace noiseplus {
namespace {

// No rate is known better than this, however narrow its interval.
constexpr double min_error = 1e-3;

double error_of(const EstimateWithInterval& rate) {
  // Of a rate at the edge of [0, 1] one side is cut off.
  return std::max({rate.high - rate.value, (rate.high - rate.low) / 2, min_error}) / usual_quantile;
}

// A mean of the classes' rates, and what is known of it.
struct Pooled {
  double rate = 0, error = 0, doubt = 0;
};

// Of least variance among means of the rates, but no rate counts against itself.
Eigen::VectorXd weights_of(const Eigen::MatrixXd& covariance, const std::vector<double>& doubts) {
  Eigen::MatrixXd uncertainty = covariance;
  for (Eigen::Index i = 0; i < uncertainty.rows(); ++i) {
    const double doubt = doubts[static_cast<std::size_t>(i)];
    uncertainty(i, i) += doubt * doubt + min_error * min_error;
  }
  Eigen::VectorXd weights =
      uncertainty.ldlt().solve(Eigen::VectorXd::Ones(uncertainty.rows())).cwiseMax(0);
  if (!(weights.sum() > 0) || !weights.allFinite()) weights.setOnes();
  return weights / weights.sum();
}

// Equal rates are worth saying only where unequal ones are known to be no further apart.
constexpr double max_symmetric_gap = .1;

bool rates_are_equal(const NoiseEstimate& estimate) {
  return estimate.identified && estimate.noisier < 0 && estimate.p_value > .05 &&
         std::max(-estimate.gap.low, estimate.gap.high) <= max_symmetric_gap;
}

Pooled pool(const std::vector<EstimateWithInterval>& rates, const Eigen::MatrixXd& covariance,
            const std::vector<double>& doubts) {
  const Eigen::VectorXd weights = weights_of(covariance, doubts);
  Pooled pooled;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double weight = weights[static_cast<Eigen::Index>(i)];
    pooled.rate += weight * rates[i].value;
    pooled.doubt += weight * doubts[i];
  }
  pooled.error = std::sqrt(std::max(weights.dot(covariance * weights), 0.0));
  pooled.error = std::max(pooled.error, min_error / usual_quantile);
  return pooled;
}

Eigen::MatrixXd covariance_of(const NoiseEstimate& estimate, const ChosenEstimate* chosen) {
  const auto classes = static_cast<Eigen::Index>(estimate.noise.size());
  if (chosen != nullptr) {
    return Eigen::Map<const Eigen::MatrixXd>(chosen->covariance.data(), classes, classes);
  }
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(classes, classes);
  for (Eigen::Index i = 0; i < classes; ++i) {
    const double error = error_of(estimate.noise[static_cast<std::size_t>(i)]);
    covariance(i, i) = error * error;
  }
  return covariance;
}

// For estimators other than auto, whose rates are taken as independent.
void fill_wrong_share(GroupNoise& group, const Eigen::MatrixXd& covariance) {
  const NoiseEstimate& estimate = group.estimate;
  const WrongShare wrong = wrong_share_of(estimate.transition, estimate.prior);
  const Eigen::Map<const Eigen::VectorXd> gradient(wrong.gradient.data(), covariance.rows());
  group.error = std::max(std::sqrt(std::max(gradient.dot(covariance * gradient), 0.0)),
                         min_error / usual_quantile);
  const double value = std::clamp(wrong.value, 0.0, 1.0), half = usual_quantile * group.error;
  group.rate = {value, std::clamp(value - half, 0.0, value), std::clamp(value + half, value, 1.0)};
}

}  // namespace

GroupNoise noise_of_group(std::string name, std::size_t rows, const NoiseEstimate& estimate,
                          const ChosenEstimate* chosen, const ChoiceRule& rule) {
  const std::size_t classes = estimate.noise.size();
  check_class_count(classes);
  for (const EstimateWithInterval& rate : estimate.noise)
    check_number(rate.value, 0, 1, "the rate of a class");
  check_square(estimate.transition.size(), classes, 1, "the transition matrix");
  check_that(estimate.prior.size() == classes, "the prior is not of as many classes as the rates");
  if (chosen != nullptr) {
    check_square(chosen->covariance.size(), classes, 1, "the covariance of rates");
    check_that(chosen->doubts.size() == classes, "there is not one doubt for each class");
  }
  GroupNoise group;
  group.name = std::move(name);
  group.rows = rows;
  group.estimate = estimate;
  const Eigen::MatrixXd covariance = covariance_of(estimate, chosen);
  group.class_doubts = chosen != nullptr ? chosen->doubts : std::vector<double>(classes);
  if (chosen != nullptr) group.class_upper_bound_only = chosen->upper_bound_only;
  for (const EstimateWithInterval& rate : estimate.noise)
    group.class_errors.push_back(error_of(rate));
  if (chosen != nullptr) {
    group.rate = chosen->wrong_share;
    group.error = std::max(chosen->wrong_share_error, min_error / usual_quantile);
    group.doubt = chosen->wrong_share_doubt;
  } else {
    fill_wrong_share(group, covariance);
  }
  if (rates_are_equal(estimate)) {
    const Pooled pooled = pool(estimate.noise, covariance, group.class_doubts);
    const double half = rule.interval_errors * pooled.error;
    group.symmetric_rate = {pooled.rate,
                            std::clamp(pooled.rate - half - pooled.doubt, 0.0, pooled.rate),
                            std::clamp(pooled.rate + half, pooled.rate, 1.0)};
    widen_narrow_interval(*group.symmetric_rate, rows);
  }
  widen_narrow_interval(group.rate, rows);
  if (!estimate.identified) group.rate = {group.rate.value, 0, 1};
  group.claims =
      chosen != nullptr || estimate.estimator == "moments" || estimate.estimator == "latent-class";
  return group;
}

GroupNoise unknown_group(std::string name, std::size_t rows, const NoiseEstimate& of_all_rows,
                         std::string why) {
  GroupNoise group;
  group.name = std::move(name);
  group.rows = rows;
  // Not the transition matrix, which would take K x K numbers for each tiny group.
  group.estimate.estimator = of_all_rows.estimator;
  group.estimate.prior = of_all_rows.prior;
  group.estimate.noise = of_all_rows.noise;
  group.estimate.s = of_all_rows.s;
  group.estimate.gap = of_all_rows.gap;
  group.estimate.gap_shared = of_all_rows.gap_shared;
  group.estimate.p_value = of_all_rows.p_value;
  group.estimate.conditioning = of_all_rows.conditioning;
  group.estimate.identified = false;
  for (EstimateWithInterval& rate : group.estimate.noise) {
    group.rate.value += rate.value / static_cast<double>(of_all_rows.noise.size());
    rate = {rate.value, 0, 1};
  }
  group.rate = {group.rate.value, 0, 1};
  group.too_small = std::move(why);
  return group;
}

}  // namespace noiseplus
