#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/checks.h"
#include "core/eigen_solvers.h"
#include "core/intervals.h"
#include "core/portable_math.h"
#include "noise/groups/unproved_rates.h"
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

// Whether one of several groups has more wrong labels than another, for all pairs at once.
class GroupTest {
 public:
  GroupTest(std::size_t groups, const ChoiceRule& rule)
      : pairs_(static_cast<double>(groups * (groups - 1)) / 2),
        errors_(std::max(two_sided_normal_quantile(.05 / pairs_), rule.claim_errors_two)),
        min_lead_(rule.min_lead) {}

  double half(const GroupNoise& a, const GroupNoise& b) const {
    return errors_ * portable::hypot(a.error, b.error);
  }

  // By how much `accused` is noisier beyond chance.
  double lead(const GroupNoise& accused, const GroupNoise& other) const {
    return accused.rate.value - other.rate.value - half(accused, other);
  }

  bool is_claimed(const GroupNoise& accused, const GroupNoise& other) const {
    return accused.claims && other.claims && lead(accused, other) > accused.doubt + min_lead_;
  }

  double p_value(const GroupNoise& a, const GroupNoise& b) const {
    const double size = (a.rate.value - b.rate.value) / portable::hypot(a.error, b.error);
    return std::min(1.0, pairs_ * portable::erfc(size / std::numbers::sqrt2));
  }

 private:
  double pairs_, errors_, min_lead_;
};

// The clearest claims, in the order they were added.
class ClearestClaims {
 public:
  void add(const ClassPair& pair, double lead) {
    all_.push_back({pair, lead, total_++});
    if (all_.size() == 2 * max_group_claims) keep_clearest();
  }

  std::size_t total() const { return total_; }

  std::vector<ClassPair> list() {
    if (all_.size() > max_group_claims) keep_clearest();
    std::sort(all_.begin(), all_.end(),
              [](const Claim& a, const Claim& b) { return a.position < b.position; });
    std::vector<ClassPair> pairs;
    for (const Claim& claim : all_) pairs.push_back(claim.pair);
    return pairs;
  }

 private:
  struct Claim {
    ClassPair pair;
    double lead = 0;
    std::size_t position = 0;
  };

  void keep_clearest() {
    std::sort(all_.begin(), all_.end(), [](const Claim& a, const Claim& b) {
      return a.lead != b.lead ? a.lead > b.lead : a.position < b.position;
    });
    all_.resize(max_group_claims);
  }

  std::vector<Claim> all_;
  std::size_t total_ = 0;
};

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
  }
  // An interval that begins at 0 ends no lower than that of a share of which no row was wrong.
  const double min_high = group.rate.low > 0 ? 0 : rule_of_three(static_cast<double>(rows));
  group.rate.high = std::clamp(std::max(group.rate.high, min_high), group.rate.value, 1.0);
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

namespace {

// Compares the rates of the same class in different groups.
class ClassesInGroups {
 public:
  ClassesInGroups(std::span<const GroupNoise> groups, std::span<const std::size_t> known,
                  const ChoiceRule& rule)
      : groups_(groups), known_(known), rule_(rule) {
    const auto pairs = static_cast<double>(known.size() * (known.size() - 1)) / 2;
    comparisons_ = pairs * static_cast<double>(groups[known.front()].estimate.noise.size());
    errors_ = std::max(two_sided_normal_quantile(.05 / comparisons_), rule.claim_errors_two);
  }

  void compare(GroupComparison& comparison) const {
    for (std::size_t c = 0; c < groups_[known_.front()].estimate.noise.size(); ++c) {
      compare_class(c, comparison);
    }
  }

 private:
  void compare_class(std::size_t c, GroupComparison& comparison) const {
    ClassGroupsClaim clearest;
    double best = 0;
    for (const std::size_t a : known_) {
      for (const std::size_t b : known_) {
        const GroupNoise &accused = groups_[a], &other = groups_[b];
        const double difference = accused.estimate.noise[c].value - other.estimate.noise[c].value;
        if (a == b || difference <= 0) continue;
        const double error = portable::hypot(accused.class_errors[c], other.class_errors[c]);
        const double p = comparisons_ * portable::erfc(difference / error / std::numbers::sqrt2);
        comparison.beyond_class_p_value = std::min(comparison.beyond_class_p_value, p);
        const double lead = difference - errors_ * error - accused.class_doubts[c];
        if (!accused.claims || !other.claims || lead <= rule_.min_lead || lead <= best) continue;
        best = lead;
        clearest = {static_cast<int>(c), static_cast<int>(a), static_cast<int>(b)};
      }
    }
    if (best > 0) comparison.class_claims.push_back(clearest);
  }

  std::span<const GroupNoise> groups_;
  std::span<const std::size_t> known_;
  const ChoiceRule& rule_;
  double comparisons_ = 1, errors_ = 0;
};

}  // namespace

GroupComparison compare_groups(std::span<const GroupNoise> groups, const ChoiceRule& rule) {
  std::vector<std::size_t> known;
  for (const GroupNoise& group : groups) {
    constexpr double any = std::numeric_limits<double>::max();
    check_number(group.rate.value, 0, 1, "the rate of a group");
    check_number(group.error, 0, any, "the error of a group's rate");
    check_number(group.doubt, 0, any, "the doubt about a group's rate");
    for (const double error : group.class_errors) {
      check_number(error, 0, any, "the error of a class's rate in a group");
    }
    for (const double doubt : group.class_doubts) {
      check_number(doubt, 0, any, "the doubt about a class's rate in a group");
    }
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!groups[g].known()) continue;
    known.push_back(g);
    const std::size_t classes = groups[known.front()].estimate.noise.size();
    check_that(groups[g].estimate.noise.size() == classes &&
                   groups[g].class_errors.size() == classes &&
                   groups[g].class_doubts.size() == classes,
               "a group has not one rate, error and doubt for each class");
  }
  GroupComparison comparison;
  if (known.size() < 2) return comparison;
  const GroupTest test(known.size(), rule);

  const auto by_rate = [&](std::size_t a, std::size_t b) {
    return groups[a].rate.value < groups[b].rate.value;
  };
  const GroupNoise& lowest = groups[*std::min_element(known.begin(), known.end(), by_rate)];
  const GroupNoise& highest = groups[*std::max_element(known.begin(), known.end(), by_rate)];
  const double size = highest.rate.value - lowest.rate.value, half = test.half(highest, lowest);
  comparison.gap = {size, std::max(size - half - highest.doubt, -1.0),
                    std::min(size + half + lowest.doubt, 1.0)};
  comparison.p_value = test.p_value(highest, lowest);

  ClearestClaims claims;
  double best_claim = 0, best_lean = 0;
  for (const std::size_t a : known) {
    for (const std::size_t b : known) {
      const double lead = test.lead(groups[a], groups[b]);
      if (a == b || lead <= 0) continue;
      const ClassPair pair{static_cast<int>(a), static_cast<int>(b)};
      if (test.is_claimed(groups[a], groups[b])) {
        claims.add(pair, lead);
        if (lead <= best_claim) continue;
        best_claim = lead;
        comparison.noisier = pair.noisier;
        comparison.cleaner = pair.cleaner;
      } else if (lead > best_lean) {
        best_lean = lead;
        comparison.leaning = pair.noisier;
      }
    }
  }
  // The gap's interval and p-value say no less than the clearest claim, and no more than that there
  // is none.
  if (comparison.noisier >= 0) {
    const GroupNoise& accused = groups[static_cast<std::size_t>(comparison.noisier)];
    const GroupNoise& other = groups[static_cast<std::size_t>(comparison.cleaner)];
    comparison.leaning = -1;
    comparison.gap.low = std::max(comparison.gap.low, best_claim - accused.doubt);
    comparison.p_value = std::min(comparison.p_value, test.p_value(accused, other));
  } else {
    comparison.gap.low = std::min(comparison.gap.low, 0.0);
  }
  ClassesInGroups(groups, known, rule).compare(comparison);
  comparison.claims = claims.list();
  comparison.claims_total = claims.total();
  return comparison;
}

void let_unproved_rates_overlap(std::span<EstimateWithInterval> rates,
                                std::span<const ClassPair> claims) {
  const std::size_t classes = rates.size();
  std::vector<char> is_claimed(classes * classes);
  for (const ClassPair& pair : claims) {
    is_claimed[static_cast<std::size_t>(pair.noisier) * classes +
               static_cast<std::size_t>(pair.cleaner)] = 1;
  }
  for (std::size_t i = 0; i < classes; ++i) {
    for (std::size_t j = 0; j < classes; ++j) {
      if (is_claimed[i * classes + j] == 0) rates[i].low = std::min(rates[i].low, rates[j].high);
    }
  }
}

void let_unproved_rates_overlap(std::span<GroupNoise> groups, const ChoiceRule& rule) {
  std::vector<std::size_t> known;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].known()) known.push_back(g);
  }
  if (known.size() < 2) return;
  const GroupTest test(known.size(), rule);
  for (const std::size_t a : known) {
    for (const std::size_t b : known) {
      if (groups[a].rate.low > groups[b].rate.high && !test.is_claimed(groups[a], groups[b])) {
        groups[a].rate.low = groups[b].rate.high;
      }
    }
  }
}

}  // namespace noiseplus
